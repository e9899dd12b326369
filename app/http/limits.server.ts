import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Env, RateBudget } from "#app/env.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { foldAddress } from "./forwarded.server.ts";
import { countRefusal } from "./metrics.server.ts";

/** For each budget, the variable that sets it and the type of its keys. */
const BUDGETS = {
  zones: ["RATE_LIMIT_ZONES", "address"],
  proofs: ["RATE_LIMIT_PROOFS", "address"],
  runsVerification: ["RATE_LIMIT_RUNS_VERIFICATION", "id"],
  runsAccount: ["RATE_LIMIT_RUNS_ACCOUNT", "id"],
  mailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  mailbox: ["RATE_LIMIT_MAILBOX", "id"],
  // Known browsers have windows that no number of strangers can fill.
  knownMailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  knownMailbox: ["RATE_LIMIT_MAILBOX", "id"],
  mailIp: ["RATE_LIMIT_MAIL_IP", "address"],
  verify: ["RATE_LIMIT_VERIFY", "address"],
  api: ["RATE_LIMIT_API", "id"],
  key: ["RATE_LIMIT_KEY", "id"],
} as const satisfies Record<string, readonly [keyof Env, "address" | "id"]>;

export type Budget = keyof typeof BUDGETS;

/** Keys per window. At about 0.17 KB each, all windows of all budgets together stay under 50 MB. */
export const MAX_KEYS = 25_000;

/** What is left of one window: `remaining` of `count` until `resetMs` have passed, in windows of `seconds`. */
export type Left = { count: number; seconds: number; remaining: number; resetMs: number };

type Spent = { count: number; endsAt: number };

/**
 * A fixed count/seconds window over a bounded number of keys, on the monotonic clock, so that a step of the wall clock
 * neither frees a budget nor locks it. No key is dropped before its window ends: otherwise anyone could free a key by
 * making up others. When the window is full, a new key waits for the first one to end.
 */
class Window {
  readonly #count: number;
  readonly #lengthMs: number;
  /** By key, oldest first. All entries last equally long, so the oldest is the first to end. */
  readonly #spent = new Map<string, Spent>();

  constructor({ count, seconds }: RateBudget[number]) {
    this.#count = count;
    this.#lengthMs = seconds * 1000;
  }

  /** Consumes one unit. Returns the milliseconds to wait, or null if the key is within its budget. */
  consume(key: string): number | null {
    const now = performance.now();
    this.#forgetEnded(now);
    const spent = this.#spent.get(key);
    if (!spent) return this.#open(key, now);
    if (spent.count >= this.#count) return spent.endsAt - now;
    spent.count += 1;
    return null;
  }

  left(key: string): Left {
    const spent = this.#spent.get(key);
    const now = performance.now();
    const isOpen = spent !== undefined && spent.endsAt > now;
    return {
      count: this.#count,
      seconds: this.#lengthMs / 1000,
      remaining: this.#count - (isOpen ? spent.count : 0),
      resetMs: isOpen ? spent.endsAt - now : this.#lengthMs,
    };
  }

  #open(key: string, now: number): number | null {
    const [first] = this.#spent.values();
    if (first && this.#spent.size >= MAX_KEYS) return first.endsAt - now;
    this.#spent.set(key, { count: 1, endsAt: now + this.#lengthMs });
    return null;
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#spent) {
      if (endsAt > now) break;
      this.#spent.delete(key);
    }
  }
}

/** The budgets of one service. A restart clears them. */
export class Limiter {
  readonly #windows: Record<Budget, Window[]>;

  constructor(env: Env) {
    const entries = Object.entries(BUDGETS).map(([budget, [variable]]) => [
      budget,
      env[variable].map((part) => new Window(part)),
    ]);
    this.#windows = Object.fromEntries(entries);
  }

  /**
   * Consumes one unit of a budget for the key (an id, or a client address if the budget is per address). Returns null
   * if the key is within its budget, otherwise the milliseconds to wait; does not count the refusal.
   */
  tryConsume(budget: Budget, key: string): number | null {
    const counted = BUDGETS[budget][1] === "address" ? addressKey(key) : key;
    for (const window of this.#windows[budget]) {
      const waitMs = window.consume(counted);
      if (waitMs !== null) return waitMs;
    }
    return null;
  }

  /** What is left of each window of a budget for the key. Consumes nothing. */
  left(budget: Budget, key: string): Left[] {
    return this.#windows[budget].map((window) => window.left(key));
  }
}

/** The key an address counts under: an IPv4 address itself, or the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  const folded = foldAddress(address);
  if (isIP(folded) !== 6) return folded;
  return ipaddr.IPv6.parse(folded).parts.slice(0, 4).join(":");
}

/** Like `tryConsume`, but throws rate_limited with `retryAfter` in seconds, at least 1. */
export async function consumeBudget(
  { limiter }: { limiter: Limiter },
  budget: Budget,
  key: string,
): Promise<void> {
  const waitMs = limiter.tryConsume(budget, key);
  if (waitMs === null) return;
  countRefusal(budget);
  throw new DeedError("rate_limited", { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
