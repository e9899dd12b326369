import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ClientRequest, Clients, positionCookie, positionIn } from "./clients.server.ts";

const by = (cookie?: string): ClientRequest => ({ headers: { cookie }, address: "203.0.113.7" });
const byKey = (key: string, address: string, cookie?: string): ClientRequest => ({
  headers: { cookie, authorization: `Bearer ${key}` },
  address,
});

describe("the position a client has seen", () => {
  it("is read as it was written", () => {
    const cookie = positionCookie(0x1f3an, true);
    expect(cookie).toBe(
      "__Host-deed_position=1f3a; Path=/; Max-Age=300; HttpOnly; SameSite=Lax; Secure",
    );
    expect(positionIn(`session=x; ${cookie.split(";")[0]}`)).toBe(0x1f3an);
    expect(positionCookie(1n, false)).toMatch(/^deed_position=1; (?!.*Secure)/);
    expect(positionIn("deed_position=1")).toBe(1n);
  });

  it.each([
    ...[undefined, "", "session=x", "deed_position=", "deed_position=zz", "deed_position=-1"],
    `deed_position=${"f".repeat(17)}`,
  ])("is none in %s", (cookies) => {
    expect(positionIn(cookies)).toBe(0n);
  });
});

describe("the first read of a session in an hour", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("comes once an hour and session, counted from the primary's answer", () => {
    const reads = new Clients();
    for (let i = 0; i < 2; i++) expect(reads.isFirstRead(by("session=a"))).toBe(true);
    reads.noteRead(by("session=a"));
    expect(reads.isFirstRead(by("other=1; session=a"))).toBe(false);
    expect(reads.isFirstRead(by("__Host-session=b"))).toBe(true);
    vi.advanceTimersByTime(3_599_000);
    expect(reads.isFirstRead(by("session=a"))).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(reads.isFirstRead(by("session=a"))).toBe(true);
  });

  it("is nothing without a session", () => {
    const reads = new Clients();
    expect(reads.isFirstRead(by(undefined))).toBe(false);
    expect(reads.isFirstRead(by("sessions=a; my_session=b"))).toBe(false);
  });

  it("comes once an hour for each address of an API key, whatever cookies are with it", () => {
    const reads = new Clients();
    reads.noteRead(byKey("deed_a", "203.0.113.7"));
    expect([
      reads.isFirstRead(byKey("deed_a", "203.0.113.7", "session=a")),
      reads.isFirstRead(byKey("deed_a", "203.0.113.8")),
      reads.isFirstRead(byKey("deed_b", "203.0.113.7")),
      reads.isFirstRead({ headers: { authorization: "Basic x" }, address: "203.0.113.7" }),
    ]).toEqual([false, true, true, false]);
  });
});

it("the last write by an API key is what its next read on this node must see, with or without the cookie", () => {
  const writes = new Clients();
  const key = byKey("deed_a", "203.0.113.7");
  expect(writes.requiredPosition(key)).toBe(0n);
  writes.noteWrite(key, ["a=1; Path=/", positionCookie(5n, true)]);
  writes.noteWrite(by("session=a"), [positionCookie(9n, true)]);
  expect(writes.requiredPosition(key)).toBe(5n);
  expect(writes.requiredPosition(byKey("deed_a", "203.0.113.7", "deed_position=7"))).toBe(7n);
  expect(writes.requiredPosition(byKey("deed_b", "203.0.113.7"))).toBe(0n);
  expect(writes.requiredPosition(by("session=a"))).toBe(0n);
});
