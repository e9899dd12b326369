import type { ServerResponse } from "node:http";
import { isIP } from "node:net";
import { performance as eventLoop } from "node:perf_hooks";
import ipaddr from "ipaddr.js";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, ERRORS } from "#app/core/errors.server.ts";
import { FairShare } from "#app/core/fair-share.ts";
import type { Env, RateBudget } from "#app/environment/env.server.ts";
import { budgetParts } from "#app/environment/formats.ts";
import type { AccountLimits } from "#db/schema.ts";
import { foldAddress, type Site } from "./connection.server.ts";
import { answerError, asDeedError } from "./errors.server.ts";
import { count } from "./metrics.server.ts";

type BudgetRule = readonly [variable: keyof Env, by: "address" | "id", limit?: keyof AccountLimits];

/** `limit` is the field of this budget in the limits that an operator gives an account. */
const BUDGETS = {
  zones: ["RATE_LIMIT_ZONES", "address"],
  proofs: ["RATE_LIMIT_PROOFS", "address"],
  // Some callers use an account's id instead of an address.
  pages: ["RATE_LIMIT_PAGES", "address"],
  runsVerification: ["RATE_LIMIT_RUNS_VERIFICATION", "id"],
  // A reference has the default limit, even if its account has a higher one.
  runsReference: ["RATE_LIMIT_RUNS_ACCOUNT", "id"],
  runsAccount: ["RATE_LIMIT_RUNS_ACCOUNT", "id", "runs"],
  mailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  mailbox: ["RATE_LIMIT_MAILBOX", "id"],
  // Known browsers have their own windows, which strangers cannot fill.
  knownMailAddress: ["RATE_LIMIT_MAIL_ADDRESS", "id"],
  knownMailbox: ["RATE_LIMIT_MAILBOX", "id"],
  handoffMails: ["RATE_LIMIT_HANDOFF_MAILS", "id"],
  mailIp: ["RATE_LIMIT_MAIL_IP", "address"],
  verify: ["RATE_LIMIT_VERIFY", "address"],
  api: ["RATE_LIMIT_API", "id", "requests"],
  key: ["RATE_LIMIT_KEY", "id", "requests"],
  additions: ["RATE_LIMIT_ADDITIONS", "id", "additions"],
} as const satisfies Record<string, BudgetRule>;

export type Budget = keyof typeof BUDGETS;
/** Returns the field of a budget in an account's limits; undefined if the operator can only raise it for everybody. */
export const accountLimitOf = (budget: Budget) => (BUDGETS[budget] as BudgetRule)[2];
export const isPerAddress = (budget: Budget): boolean => BUDGETS[budget][1] === "address";

/** The budgets to draw one unit from, each with its key: an id, or a client address for budgets per address. */
export type BudgetKeys = Partial<Record<Budget, string>>;

/** The most keys of a window. At about 0.17 KB each, all windows of all budgets stay under 50 MB. */
export const MAX_KEYS = 25_000;

export type BudgetLeft = RateBudget[number] & { remaining: number; resetMs: number };

/** A fixed window. No key is dropped early, or anyone could free one by inventing others: if full, a new key waits. */
class Window {
  /** The entries, oldest first: all last equally long, so the oldest ends first. */
  readonly #usage = new Map<string, { count: number; endsAt: number }>();

  constructor(private readonly budget: RateBudget[number]) {}

  left(key: string): BudgetLeft {
    const now = performance.now();
    for (const [oldest, { endsAt }] of this.#usage) {
      if (endsAt > now) break;
      this.#usage.delete(oldest);
    }
    const { count, seconds } = this.budget;
    const usage = this.#usage.get(key);
    const resetMs = usage ? usage.endsAt - now : seconds * 1000;
    return { count, seconds, remaining: count - (usage?.count ?? 0), resetMs };
  }

  waitMs(key: string): number {
    const { remaining, resetMs } = this.left(key);
    if (this.#usage.has(key)) return remaining > 0 ? 0 : resetMs;
    const [first] = this.#usage.values();
    return first && this.#usage.size >= MAX_KEYS ? first.endsAt - performance.now() : 0;
  }

  spend(key: string): void {
    const usage = this.#usage.get(key);
    const endsAt = performance.now() + this.budget.seconds * 1000;
    if (usage) usage.count += 1;
    else this.#usage.set(key, { count: 1, endsAt });
  }
}

type Refusal = { budget: Budget; waitMs: number };

export class Limiter {
  readonly #windows = new Map<string, Window[]>();

  constructor(private readonly env: Env) {}

  #refusalOf(draws: BudgetKeys, accountLimits: AccountLimits): Refusal | null {
    const [longest] = this.#windowsFor(draws, accountLimits)
      .map(({ budget, window, key }) => ({ budget, waitMs: window.waitMs(key) }))
      .sort((a, b) => b.waitMs - a.waitMs);
    return longest && longest.waitMs > 0 ? longest : null;
  }

  /** Spends a unit of each budget. If any is used up, spends nothing and returns the refusal. */
  tryConsume(draws: BudgetKeys, accountLimits: AccountLimits = {}): Refusal | null {
    const refusal = this.#refusalOf(draws, accountLimits);
    if (!refusal)
      for (const { window, key } of this.#windowsFor(draws, accountLimits)) window.spend(key);
    return refusal;
  }

  /** Spends a unit of each budget. If any is used up, spends nothing and throws rate_limited. */
  consume(draws: BudgetKeys, accountLimits?: AccountLimits): void {
    refuse(this.tryConsume(draws, accountLimits));
  }

  /** Throws what `consume` throws, but spends nothing. */
  check(draws: BudgetKeys, accountLimits: AccountLimits = {}): void {
    refuse(this.#refusalOf(draws, accountLimits));
  }

  #windowsOf(budget: Budget, accountLimits: AccountLimits): Window[] {
    const limit = accountLimitOf(budget);
    const text = limit && accountLimits[limit];
    const id = `${budget} ${text ?? ""}`;
    const existing = this.#windows.get(id);
    if (existing) return existing;
    const parts = typeof text === "string" ? budgetParts(text) : this.env[BUDGETS[budget][0]];
    const windows = parts.map((part) => new Window(part));
    this.#windows.set(id, windows);
    return windows;
  }

  #windowsFor(draws: BudgetKeys, accountLimits: AccountLimits) {
    return (Object.entries(draws) as [Budget, string][]).flatMap(([budget, id]) => {
      const key = isPerAddress(budget) ? addressKey(id) : id;
      return this.#windowsOf(budget, accountLimits).map((window) => ({ budget, window, key }));
    });
  }

  left(budget: Budget, key: string, accountLimits: AccountLimits = {}): BudgetLeft[] {
    return this.#windowsOf(budget, accountLimits).map((window) => window.left(key));
  }
}

export function addressKey(address: string): string {
  const foldedAddress = foldAddress(address);
  if (isIP(foldedAddress) !== 6) return foldedAddress;
  return ipaddr.IPv6.parse(foldedAddress).parts.slice(0, 4).join(":");
}

type HasLimiter = { limiter: Limiter };

function refuse(refusal: Refusal | null): void {
  if (refusal === null) return;
  count("deed_rate_limited_total", { budget: refusal.budget });
  const retryAfter = Math.max(1, Math.ceil(refusal.waitMs / 1000));
  const [variable] = BUDGETS[refusal.budget];
  const limitScope = accountLimitOf(refusal.budget)
    ? "for this account"
    : `for everybody, by ${variable}`;
  throw new DeedError("rate_limited", {
    message: `${ERRORS.rate_limited[1]} The operator can raise this limit ${limitScope}.`,
    retryAfter,
    // The budgets of known browsers go by the names of those for unknown ones.
    budget: refusal.budget.replace(/^known(.)/, (_, first) => first.toLowerCase()),
  });
}

export const chargeAccount = async (
  { limiter, db }: HasLimiter & Pick<Context, "db">,
  accountId: string,
  budget: Budget = "api",
) => limiter.consume({ [budget]: accountId }, limitsFor(db, accountId));

/** Does what may add rows, and charges an addition to `key` if it did. Throws rate_limited before, if none is left. */
export async function asAddition<T>(
  { limiter, db }: HasLimiter & Pick<Context, "db">,
  { accountId, key = accountId }: { accountId: string; key?: string },
  work: () => Promise<T>,
  hasAdded: (result: T) => boolean,
): Promise<T> {
  const accountLimits = limitsFor(db, accountId);
  limiter.check({ additions: key }, accountLimits);
  const result = await work();
  if (hasAdded(result)) limiter.tryConsume({ additions: key }, accountLimits);
  return result;
}

/** Writes one policy per window (draft-ietf-httpapi-ratelimit-headers-11): `name`, or `name-<seconds>` if there are several. */
export function rateLimitFields(name: string, windows: readonly BudgetLeft[]): [string, string][] {
  const field = (parameters: (window: BudgetLeft) => string) =>
    windows
      .map((window) => {
        const policy = windows.length === 1 ? name : `${name}-${window.seconds}`;
        return `"${policy}";${parameters(window)}`;
      })
      .join(", ");
  return [
    ["RateLimit-Policy", field(({ count, seconds }) => `q=${count};w=${seconds}`)],
    ["RateLimit", field(({ remaining: r, resetMs }) => `r=${r};t=${Math.ceil(resetMs / 1000)}`)],
  ];
}

const MAX_SERVED = 8;
const PART_OF_FREE = 1 / 4;
const MAX_WAIT_MS = 10_000;
const MEASURE_EVERY_MS = 10;
/** At this share of busy time, the event loop counts as busy. */
const BUSY_UTILIZATION = 0.9;

/** A request keeps its place until its answer begins, or until the event loop has time for another request. */
class Turns {
  readonly #places = new FairShare(MAX_SERVED, PART_OF_FREE);
  readonly #leaveByResponse = new Map<ServerResponse, () => void>();
  #timer: NodeJS.Timeout | null = null;
  #lastUtilization = eventLoop.eventLoopUtilization();

  async take(key: string, response: ServerResponse, closed: AbortSignal): Promise<boolean> {
    if (!(await this.#places.acquire(key, MAX_WAIT_MS, closed))) return false;
    const leave = () => {
      if (this.#leaveByResponse.delete(response)) this.#places.release(key);
    };
    this.#leaveByResponse.set(response, leave);
    response.once("close", leave);
    if (!this.#timer) {
      this.#lastUtilization = eventLoop.eventLoopUtilization();
      this.#timer = setInterval(() => this.#measure(), MEASURE_EVERY_MS).unref();
    }
    return true;
  }

  #measure(): void {
    const now = eventLoop.eventLoopUtilization();
    const { utilization } = eventLoop.eventLoopUtilization(now, this.#lastUtilization);
    this.#lastUtilization = now;
    for (const [response, leave] of this.#leaveByResponse)
      if (utilization < BUSY_UTILIZATION || response.headersSent) leave();
    if (this.#leaveByResponse.size > 0) return;
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }
}

/** Pages and files spend the budget of their account or address, and every request waits for its turn. */
export const withTurns = (
  app: HasLimiter & Pick<Context, "log" | "settings">,
  accountOf: (cookies: string) => Promise<string | null>,
  site: Site,
): Site => {
  const turns = new Turns();
  return async (request, response, connection) => {
    const { address, api, closed, sent } = connection;
    const { cookie } = request.headers;
    try {
      if (!api) {
        const accountId = cookie ? await accountOf(cookie).catch(() => null) : null;
        app.limiter.consume({ pages: accountId ?? address });
      }
      if (!(await turns.take(addressKey(address), response, closed))) {
        const message = "Too many requests are waiting here.";
        throw new DeedError("unavailable", { message, retryAfter: 5 });
      }
      site(request, response, connection);
    } catch (error) {
      answerError(response, sent.url, asDeedError(app, error), app.settings.docsUrl);
    }
  };
};
