import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
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
  mailbox: ["RATE_LIMIT_MAILBOX", "id"],
  // Those of known browsers stand apart: no number of strangers fills their windows.
  knownMailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  knownMailbox: ["RATE_LIMIT_MAILBOX", "id"],
  mailIp: ["RATE_LIMIT_MAIL_IP", "address"],
  verify: ["RATE_LIMIT_VERIFY", "address"],
  api: ["RATE_LIMIT_API", "id"],
} as const satisfies Record<string, readonly [keyof Env, "address" | "id"]>;

export type Budget = keyof typeof BUDGETS;

/** Keys one window holds. At about 0.17 KB each, all windows of all budgets together stay under 50 MB. */
export const MAX_KEYS = 25_000;

type Spent = { count: number; endsAt: number };

/**
 * One count/seconds window over a bounded number of keys, on the steady clock: a step of the wall clock neither frees
 * a budget nor locks it. No key is forgotten before its window ends, or whoever makes up enough keys would free one;
 * where there is room for none, a new key has to wait for the first that ends.
 */
class Window {
  readonly #count: number;
  readonly #lengthMs: number;
  /** By key, the oldest first: all windows are equally long, so that is the first to end. */
  readonly #spent = new Map<string, Spent>();

  constructor({ count, seconds }: RateBudget[number]) {
    this.#count = count;
    this.#lengthMs = seconds * 1000;
  }

  /** Draws one. Milliseconds to wait, or null where the key is within its budget. */
  consume(key: string): number | null {
    const now = performance.now();
    this.#forgetEnded(now);
    const spent = this.#spent.get(key);
    if (!spent) return this.#open(key, now);
    if (spent.count >= this.#count) return spent.endsAt - now;
    spent.count += 1;
    return null;
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
 * Consumes one unit of a budget for the key (an id, or a client address where the budget is per address). Returns null
 * if the key is within its budget, otherwise the milliseconds to wait; does not count the refusal.
 */
export function tryConsume({ env }: { env: Env }, budget: Budget, key: string): number | null {
  const counted = BUDGETS[budget][1] === "address" ? addressKey(key) : key;
  for (const window of windowsOf(env, budget)) {
    const waitMs = window.consume(counted);
    if (waitMs !== null) return waitMs;
  }
  return null;
}

/** Like `tryConsume`, but throws rate_limited with `retryAfter` in seconds, at least 1. */
export async function consumeBudget(app: { env: Env }, budget: Budget, key: string): Promise<void> {
  const waitMs = tryConsume(app, budget, key);
  if (waitMs === null) return;
  countRefusal(budget);
  throw new DeedError("rate_limited", { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
