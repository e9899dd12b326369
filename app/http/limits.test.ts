import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseEnvironment } from "#app/env.server.ts";
import { addressKey, spend } from "./limits.server.ts";

const limited = (retryAfter: unknown = expect.any(Number)) =>
  expect.objectContaining({ code: "rate_limited", details: { retryAfter } });

describe("addressKey", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
  ])("counts %s as %s", (address, key) => expect(addressKey(address)).toBe(key));

  it("counts IPv6 by /64", () => {
    expect(addressKey("2001:db8:1:2::1")).toBe(addressKey("2001:db8:1:2:ffff::9"));
    expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
  });
});

describe("spend", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("refuses past the count, by key, until the window ends", async () => {
    const app = { env: parseEnvironment({ RATE_LIMIT_ZONES: "2/60" }) };
    await spend(app, "zones", "198.51.100.1");
    await spend(app, "zones", "198.51.100.1");
    await expect(spend(app, "zones", "198.51.100.1")).rejects.toEqual(limited(60));
    await spend(app, "zones", "198.51.100.2");
    vi.advanceTimersByTime(59_500);
    await expect(spend(app, "zones", "198.51.100.1")).rejects.toEqual(limited(1));
    vi.advanceTimersByTime(500);
    await spend(app, "zones", "198.51.100.1");
  });

  it.each([
    ["forward", 8],
    ["back", -8],
  ])("neither frees nor locks a budget when the clock goes %s", async (_, days) => {
    const app = { env: parseEnvironment({ RATE_LIMIT_ZONES: "2/60" }) };
    await spend(app, "zones", "198.51.100.1");
    await spend(app, "zones", "198.51.100.1");
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await expect(spend(app, "zones", "198.51.100.1")).rejects.toEqual(limited(60));
    vi.advanceTimersByTime(60_000);
    await spend(app, "zones", "198.51.100.1");
  });

  it("holds every window of a budget", async () => {
    const app = { env: parseEnvironment({ RATE_LIMIT_RUNS_VERIFICATION: "1/10,2/3600" }) };
    await spend(app, "runsVerification", "ver_1");
    await expect(spend(app, "runsVerification", "ver_1")).rejects.toEqual(limited(10));
    vi.advanceTimersByTime(10_000);
    await spend(app, "runsVerification", "ver_1");
    vi.advanceTimersByTime(10_000);
    await expect(spend(app, "runsVerification", "ver_1")).rejects.toEqual(limited(3580));
  });

  it("shares a budget among all who name it, and keeps budgets apart", async () => {
    const app = { env: parseEnvironment({ RATE_LIMIT_PROOFS: "1/60", RATE_LIMIT_ZONES: "1/60" }) };
    await spend(app, "proofs", "198.51.100.1");
    await spend(app, "zones", "198.51.100.1");
    await expect(spend(app, "proofs", "198.51.100.1")).rejects.toEqual(limited());
  });

  it("forgets the oldest keys of too many, and keeps the newest", async () => {
    const app = { env: parseEnvironment({ RATE_LIMIT_API: "1/3600" }) };
    for (let i = 0; i < 20_000; i++) await spend(app, "api", `acc_${i}`);
    await spend(app, "api", "acc_0");
    await expect(spend(app, "api", "acc_19999")).rejects.toEqual(limited());
  });
});

describe("a million keys", () => {
  it("stay under 50 MB", async () => {
    const app = { env: parseEnvironment({ RATE_LIMIT_MAIL_ADDRESS: "5/900" }) };
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    for (let i = 0; i < 1_000_000; i++) await spend(app, "mailAddress", `user${i}@example.com`);
    expect(heap() - before).toBeLessThan(50 * 1024 * 1024);
  });
});
