import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
// Not by the package itself: that loads a limiter for every store, and what those ask of Node.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import type { Env, RateBudget } from "#app/env.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { foldAddress } from "./forwarded.server.ts";
import { countRefusal } from "./metrics.server.ts";

/** Each budget: the variable that sets it, and what its keys are. */
const BUDGETS = {
  zones: ["RATE_LIMIT_ZONES", "address"],
  proofs: ["RATE_LIMIT_PROOFS", "address"],
  runsVerification: ["RATE_LIMIT_RUNS_VERIFICATION", "id"],
  runsAccount: ["RATE_LIMIT_RUNS_ACCOUNT", "id"],
  mailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  mailIp: ["RATE_LIMIT_MAIL_IP", "address"],
  codeAddress: ["RATE_LIMIT_CODE_ADDRESS", "id"],
  api: ["RATE_LIMIT_API", "id"],
} as const satisfies Record<string, readonly [keyof Env, "address" | "id"]>;

export type Budget = keyof typeof BUDGETS;

/** Keys one window remembers; past it the oldest go. At about 0.5 KB each, all windows stay under 50 MB. */
const MAX_KEYS = 8_000;

/**
 * One count/seconds window over a bounded number of keys. The library counts; when a window ends is kept
 * here on the steady clock, for a step of the wall clock neither frees a budget nor locks it.
 */
class Window {
  readonly #limiter: RateLimiterMemory;
  readonly #lengthMs: number;
  /** When each key's window ends (ms, steady clock): the oldest key's first, since all are equally long. */
  readonly #endsAt = new Map<string, number>();

  constructor({ count, seconds }: RateBudget[number]) {
    this.#limiter = new RateLimiterMemory({ points: count, duration: 0 });
    this.#lengthMs = seconds * 1000;
  }

  /** Milliseconds to wait, or null where the key is within its budget. */
  async spend(key: string): Promise<number | null> {
    const now = performance.now();
    this.#forgetEnded(now);
    const endsAt = this.#endsAt.get(key) ?? now + this.#lengthMs;
    if (!this.#endsAt.has(key)) this.#remember(key, endsAt);
    try {
      await this.#limiter.consume(key);
      return null;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return endsAt - now;
      throw refusal;
    }
  }

  #remember(key: string, endsAt: number): void {
    this.#endsAt.set(key, endsAt);
    for (const oldest of this.#endsAt.keys()) {
      if (this.#endsAt.size <= MAX_KEYS) break;
      this.#forget(oldest);
    }
  }

  #forgetEnded(now: number): void {
    for (const [key, endsAt] of this.#endsAt) {
      if (endsAt > now) break;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#endsAt.delete(key);
    void this.#limiter.delete(key);
  }
}

const windowsByEnv = new WeakMap<Env, Map<Budget, Window[]>>();

function windowsOf(env: Env, budget: Budget): Window[] {
  const all = windowsByEnv.get(env) ?? new Map<Budget, Window[]>();
  windowsByEnv.set(env, all);
  const windows = all.get(budget) ?? env[BUDGETS[budget][0]].map((part) => new Window(part));
  all.set(budget, windows);
  return windows;
}

/** Whom an address counts as: an IPv4 address, or the /64 an IPv6 one is in. */
export function addressKey(address: string): string {
  const folded = foldAddress(address);
  if (isIP(folded) !== 6) return folded;
  return ipaddr.IPv6.parse(folded).parts.slice(0, 4).join(":");
}

/**
 * Draws one from a budget of the key (an id, or a client address where the budget is per address).
 * Throws rate_limited with `retryAfter` in seconds, at least 1.
 */
export async function spend(app: { env: Env }, budget: Budget, key: string): Promise<void> {
  const counted = BUDGETS[budget][1] === "address" ? addressKey(key) : key;
  for (const window of windowsOf(app.env, budget)) {
    const waitMs = await window.spend(counted);
    if (waitMs === null) continue;
    countRefusal(budget);
    throw new DeedError("rate_limited", { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
}
