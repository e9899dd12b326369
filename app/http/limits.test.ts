import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseEnvironment } from "#app/environment/env.server.ts";
import {
  addressKey,
  type Budget,
  consumeBudget,
  consumeBudgets,
  Limiter,
  MAX_KEYS,
} from "./limits.server.ts";

const limited = (retryAfter: unknown = expect.any(Number)) =>
  expect.objectContaining({ code: "rate_limited", details: { retryAfter } });

const limitedBy = (env: Record<string, string>) => ({
  limiter: new Limiter(parseEnvironment(env)),
});
const refuses = (app: { limiter: Limiter }, budget: Budget, key: string, retryAfter?: number) =>
  expect(consumeBudget(app, budget, key)).rejects.toEqual(limited(retryAfter));

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

describe("consumeBudget", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("refuses past the count, by key, until the window ends", async () => {
    const app = limitedBy({ RATE_LIMIT_ZONES: "2/60" });
    await consumeBudget(app, "zones", "198.51.100.1");
    await consumeBudget(app, "zones", "198.51.100.1");
    await refuses(app, "zones", "198.51.100.1", 60);
    await consumeBudget(app, "zones", "198.51.100.2");
    vi.advanceTimersByTime(59_500);
    await refuses(app, "zones", "198.51.100.1", 1);
    vi.advanceTimersByTime(500);
    await consumeBudget(app, "zones", "198.51.100.1");
  });

  it.each([
    ["forward", 8],
    ["back", -8],
  ])("neither frees nor locks a budget when the clock goes %s", async (_, days) => {
    const app = limitedBy({ RATE_LIMIT_ZONES: "2/60" });
    await consumeBudget(app, "zones", "198.51.100.1");
    await consumeBudget(app, "zones", "198.51.100.1");
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await refuses(app, "zones", "198.51.100.1", 60);
    vi.advanceTimersByTime(60_000);
    await consumeBudget(app, "zones", "198.51.100.1");
  });

  it("holds every window of a budget", async () => {
    const app = limitedBy({ RATE_LIMIT_RUNS_VERIFICATION: "1/10,2/3600" });
    await consumeBudget(app, "runsVerification", "ver_1");
    await refuses(app, "runsVerification", "ver_1", 10);
    vi.advanceTimersByTime(10_000);
    await consumeBudget(app, "runsVerification", "ver_1");
    vi.advanceTimersByTime(10_000);
    await refuses(app, "runsVerification", "ver_1", 3580);
  });

  it("draws on several budgets or on none, and names the longest wait", async () => {
    const app = limitedBy({
      RATE_LIMIT_RUNS_VERIFICATION: "1/10,2/60",
      RATE_LIMIT_RUNS_ACCOUNT: "1/3600",
    });
    const draw = (runsVerification: string, runsAccount: string) =>
      consumeBudgets(app, { runsVerification, runsAccount });
    await draw("ver_1", "acc_1");
    for (let i = 0; i < 3; i++) await expect(draw("ver_2", "acc_1")).rejects.toEqual(limited(3600));
    for (let i = 0; i < 3; i++) await expect(draw("ver_1", "acc_2")).rejects.toEqual(limited(10));
    await expect(draw("ver_1", "acc_1")).rejects.toEqual(limited(3600));
    await draw("ver_2", "acc_2");
    vi.advanceTimersByTime(10_000);
    await draw("ver_1", "acc_3");
    await expect(draw("ver_1", "acc_4")).rejects.toEqual(limited(50));
  });

  it("shares a budget among all who name it, and keeps budgets apart", async () => {
    const app = limitedBy({ RATE_LIMIT_PROOFS: "1/60", RATE_LIMIT_ZONES: "1/60" });
    await consumeBudget(app, "proofs", "198.51.100.1");
    await consumeBudget(app, "zones", "198.51.100.1");
    await refuses(app, "proofs", "198.51.100.1");
  });

  it.each([8_100, MAX_KEYS, MAX_KEYS + 100])(
    "keeps a spent key spent, and one in use as far as it is, past %i made-up ones",
    async (madeUp) => {
      const app = limitedBy({ RATE_LIMIT_MAILBOX: "3/86400" });
      for (let i = 0; i < 3; i++) await consumeBudget(app, "mailbox", "spent@acme.example");
      for (let i = 0; i < 2; i++) await consumeBudget(app, "mailbox", "used@acme.example");
      for (let i = 0; i < madeUp; i++)
        await consumeBudget(app, "mailbox", `made-up-${i}@acme.example`).catch(() => {});
      await refuses(app, "mailbox", "spent@acme.example", 86_400);
      await consumeBudget(app, "mailbox", "used@acme.example");
      await refuses(app, "mailbox", "used@acme.example", 86_400);
    },
  );

  it("refuses new keys where there is room for none, until the first window ends", async () => {
    const app = limitedBy({ RATE_LIMIT_API: "2/3600" });
    await consumeBudget(app, "api", "acc_first");
    vi.advanceTimersByTime(600_000);
    for (let i = 1; i < MAX_KEYS; i++) await consumeBudget(app, "api", `acc_${i}`);
    await refuses(app, "api", "acc_new", 3_000);
    await consumeBudget(app, "api", "acc_1");
    vi.advanceTimersByTime(3_000_000);
    await consumeBudget(app, "api", "acc_new");
    await refuses(app, "api", "acc_newer", 600);
    vi.advanceTimersByTime(600_000);
    await consumeBudget(app, "api", "acc_newer");
  });
});

// C19.11
it("more keys than there is room for stay under 50 MB, in every budget at once", async () => {
  const app = limitedBy({});
  const of = ["zones", "proofs", "api", "runsVerification", "runsAccount"] as const;
  const ofSignIn = ["mailAddress", "mailbox", "mailIp", "verify"] as const;
  const ofKnown = ["knownMailAddress", "knownMailbox"] as const;
  const all = [...of, ...ofSignIn, ...ofKnown];
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let refused = 0;
  for (const budget of all)
    for (let i = 0; i < MAX_KEYS + 1_000; i++)
      await consumeBudget(app, budget, `user${i}@example.com`).catch(() => (refused += 1));
  const grown = (heap() - before) / 1024 / 1024;
  console.log(
    `${all.length * (MAX_KEYS + 1_000)} keys: ${refused} refused, ${grown.toFixed(1)} MB`,
  );
  expect(refused).toBe(all.length * 1_000);
  expect(grown).toBeLessThan(50);
  await refuses(app, "zones", "another@example.com");
});
