import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseEnvironment } from "#app/environment/env.server.ts";
import { addressKey, type Budget, Limiter, MAX_KEYS } from "./limits.server.ts";

const refused = (retryAfter: number) =>
  expect.objectContaining({
    code: "rate_limited",
    details: expect.objectContaining({ retryAfter }),
  });

/** Draws on budgets from an environment; by default always the same one. */
function budgets(env: Record<string, string>, budget: Budget = "zones") {
  const limiter = new Limiter(parseEnvironment(env));
  const draw = async (key = "198.51.100.1") => limiter.consume({ [budget]: key });
  const refuses = (retryAfter: number, key?: string) =>
    expect(draw(key)).rejects.toEqual(refused(retryAfter));
  return { limiter, draw, refuses };
}

it("addressKey folds IPv4, and counts IPv6 by /64", () => {
  expect(addressKey("::ffff:203.0.113.9")).toBe("203.0.113.9");
  expect(addressKey("2001:db8:1:2::1")).toBe(addressKey("2001:db8:1:2:ffff::9"));
  expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
});

describe("consume", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([0, 8, -8])(
    "refuses past the count, by key, until the window ends, the clock set by %i days",
    async (days) => {
      const { draw, refuses } = budgets({ RATE_LIMIT_ZONES: "2/60" });
      await draw();
      await draw();
      vi.setSystemTime(Date.now() + days * 86_400_000);
      await refuses(60);
      await draw("198.51.100.2");
      vi.advanceTimersByTime(59_500);
      await refuses(1);
      vi.advanceTimersByTime(500);
      await draw();
    },
  );

  it("holds every window of a budget", async () => {
    const { draw, refuses } = budgets({ RATE_LIMIT_ZONES: "1/10,2/3600" });
    await draw();
    await refuses(10);
    vi.advanceTimersByTime(10_000);
    await draw();
    vi.advanceTimersByTime(10_000);
    await refuses(3580);
  });

  it("draws on several budgets or on none, and names the longest wait", async () => {
    const { limiter } = budgets({
      RATE_LIMIT_RUNS_VERIFICATION: "1/10,2/60",
      RATE_LIMIT_RUNS_ACCOUNT: "1/3600",
    });
    const draw = async (runsVerification: string, runsAccount: string) =>
      limiter.consume({ runsVerification, runsAccount });
    const refuses = (retryAfter: number, ...of: [string, string]) =>
      expect(draw(...of)).rejects.toEqual(refused(retryAfter));
    await draw("ver_1", "acc_1");
    for (let i = 0; i < 3; i++) await refuses(3600, "ver_2", "acc_1");
    for (let i = 0; i < 3; i++) await refuses(10, "ver_1", "acc_2");
    await refuses(3600, "ver_1", "acc_1");
    await draw("ver_2", "acc_2");
    vi.advanceTimersByTime(10_000);
    await draw("ver_1", "acc_3");
    await refuses(50, "ver_1", "acc_4");
  });

  it("C19.17: counts an account with limits of its own by those, and names the limit", async () => {
    const env = { RATE_LIMIT_RUNS_ACCOUNT: "1/60", RATE_LIMIT_ZONES: "1/60" };
    const { limiter, draw: drawZones } = budgets(env);
    const draw = async (runs?: string) =>
      limiter.consume({ runsAccount: "acc_1" }, runs === undefined ? {} : { runs });
    await draw("2/60");
    await draw("2/60");
    await expect(draw("2/60")).rejects.toMatchObject({
      details: { budget: "runsAccount", message: expect.stringContaining("for this account") },
    });
    await draw("3/60");
    await draw();
    expect(limiter.left("runsAccount", "acc_1", { runs: "2/60" })[0]?.remaining).toBe(0);
    await drawZones("::1");
    await expect(drawZones("::1")).rejects.toMatchObject({
      details: { budget: "zones", message: expect.stringContaining("RATE_LIMIT_ZONES") },
    });
  });

  it.each([MAX_KEYS, MAX_KEYS + 100])(
    "keeps a spent key spent, and one in use as far as it is, past %i made-up ones",
    async (madeUp) => {
      const { limiter, draw, refuses } = budgets({ RATE_LIMIT_MAILBOX: "3/86400" }, "mailbox");
      for (let i = 0; i < 3; i++) await draw("spent");
      for (let i = 0; i < 2; i++) await draw("used");
      for (let i = 0; i < madeUp; i++) limiter.tryConsume({ mailbox: `made-up-${i}` });
      await refuses(86_400, "spent");
      await draw("used");
      await refuses(86_400, "used");
    },
  );

  it("refuses new keys where there is room for none, until the first window ends", async () => {
    const { limiter, draw, refuses } = budgets({ RATE_LIMIT_API: "2/3600" }, "api");
    await draw("first");
    vi.advanceTimersByTime(600_000);
    for (let i = 1; i < MAX_KEYS; i++) limiter.tryConsume({ api: `acc_${i}` });
    await refuses(3_000, "new");
    await draw("acc_1");
    vi.advanceTimersByTime(3_000_000);
    await draw("new");
    await refuses(600, "newer");
    vi.advanceTimersByTime(600_000);
    await draw("newer");
  });
});

it("C19.11: more keys than there is room for stay under 50 MB, in every budget at once", () => {
  const { limiter } = budgets({});
  const all = (
    "zones proofs api runsVerification runsAccount mailAddress mailbox mailIp verify " +
    "knownMailAddress knownMailbox"
  ).split(" ") as Budget[];
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let refusals = 0;
  for (const budget of all)
    for (let i = 0; i < MAX_KEYS + 1_000; i++)
      if (limiter.tryConsume({ [budget]: `user${i}@example.com` })) refusals += 1;
  expect(refusals).toBe(all.length * 1_000);
  expect((heap() - before) / 1024 / 1024).toBeLessThan(50);
  expect(() => limiter.check({ zones: "another@example.com" })).toThrow();
});
