import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FirstReads } from "./first-reads.server.ts";
import { positionCookie, positionIn } from "./position-cookie.server.ts";

describe("the position a client has seen", () => {
  it("comes back as it was given", () => {
    const cookie = positionCookie(0x1f3an, true);
    expect(cookie).toBe(
      "__Host-deed_position=1f3a; Path=/; Max-Age=300; HttpOnly; SameSite=Lax; Secure",
    );
    expect(positionIn(`session=x; ${cookie.split(";")[0]}`)).toBe(0x1f3an);
    expect(positionCookie(1n, false)).toMatch(/^deed_position=1; (?!.*Secure)/);
    expect(positionIn("deed_position=1")).toBe(1n);
  });

  it.each([undefined, "", "session=x", "deed_position=", "deed_position=zz", "deed_position=-1"])(
    "is none in %s",
    (cookies) => {
      expect(positionIn(cookies)).toBe(0n);
    },
  );

  it("is bounded", () => {
    expect(positionIn(`deed_position=${"f".repeat(17)}`)).toBe(0n);
  });
});

describe("the first read of a session in an hour", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("comes once an hour and session", () => {
    const reads = new FirstReads();
    expect(reads.isFirst("session=a")).toBe(true);
    reads.mark("session=a");
    expect(reads.isFirst("other=1; session=a")).toBe(false);
    expect(reads.isFirst("__Host-session=b")).toBe(true);
    vi.advanceTimersByTime(3_599_000);
    expect(reads.isFirst("session=a")).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(reads.isFirst("session=a")).toBe(true);
  });

  it("stays the first until the primary has answered one", () => {
    const reads = new FirstReads();
    expect(reads.isFirst("session=a")).toBe(true);
    expect(reads.isFirst("session=a")).toBe(true);
    reads.mark("session=a");
    expect(reads.isFirst("session=a")).toBe(false);
  });

  it("is nothing without a session", () => {
    const reads = new FirstReads();
    expect(reads.isFirst(undefined)).toBe(false);
    expect(reads.isFirst("sessions=a; my_session=b")).toBe(false);
  });
});
