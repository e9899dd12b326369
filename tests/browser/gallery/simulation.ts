import { eq } from "drizzle-orm";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { leased, testService } from "#app/core/testing/service.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { runCheck } from "#app/features/claims/runs.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import {
  askRegistryOfWatched,
  startDueWatchReads,
} from "#app/features/watching/watch-reads.server.ts";
import { askNext } from "#app/features/zones/registry/registrations.server.ts";
import { fixedList } from "#app/features/zones/registry/registries.server.ts";
import type { Db } from "#db/client.ts";
import { readDueAt, verifications } from "#db/schema.ts";
import type { Observe } from "./observations.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** As long as a claim's first check takes to come. In CI nobody looks at it, and a slow machine must not run the check. */
const SOON_MS = process.env.CI ? 5 * MINUTE : 10_000;
const SLOWEST_READ_MS = 2_400;

/** Runs the services on a database with a controlled clock, so that it contains what the real service would write. */
export class Simulation {
  readonly #service;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
    this.#service = testService(db);
  }

  get ctx() {
    return this.#service.ctx;
  }

  set now(at: number) {
    this.#service.now = at;
  }

  async account(email: string, at: number): Promise<string> {
    this.now = at;
    return (await accountForEmail(this.ctx, email)).id;
  }

  async domain(accountId: string, name: string, at: number, reference?: string): Promise<string> {
    this.now = at;
    return (await addDomain(this.ctx, accountId, name, { reference })).domain.id;
  }

  async claim(accountId: string, name: string, at: number, reference?: string): Promise<Claim> {
    const domainId = await this.domain(accountId, name, at, reference);
    return openClaim(this.ctx, accountId, domainId);
  }

  /** Reads a claim on its schedule, up to `until`; each read sees what `observe` returns. */
  async read({ verificationId }: Claim, observe: Observe, until: number): Promise<void> {
    for (;;) {
      const due = this.#db
        .select({ at: readDueAt })
        .from(verifications)
        .where(eq(verifications.id, verificationId))
        .get();
      if (!due?.at || due.at > until) return;
      this.now = due.at;
      if (!(await this.#readOnce(verificationId, observe))) return;
    }
  }

  async #readOnce(verificationId: string, observe: Observe): Promise<boolean> {
    const run = await leased(this, verificationId).catch(() => null);
    if (!run) return false;
    this.#service.see = (question, at) => {
      this.#service.now += 120 + Math.round((at / 1000) % SLOWEST_READ_MS);
      return observe(question, at);
    };
    const never = new AbortController().signal;
    return (await runCheck(this.ctx, run, never, () => false)) !== null;
  }

  /** When each of `names` was registered, as its registry says; null for a registry without a date. */
  set registered(dates: Record<string, (at: number) => number | null>) {
    const call = async ({ url }: { url: string }) => {
      const ldhName = url.split("/").at(-1) ?? "";
      const date = dates[ldhName]?.(this.#service.now) ?? null;
      const event = { eventAction: "registration", eventDate: new Date(date ?? 0).toISOString() };
      const domain = { objectClassName: "domain", ldhName, events: date ? [event] : [] };
      const headers = { "content-type": "application/rdap+json" };
      return { status: 200, headers, body: Buffer.from(JSON.stringify(domain)) };
    };
    const names = Object.keys(dates).map((name) => [name, "https://rdap.example/"] as const);
    const outbound = { problem: () => null, call };
    this.ctx.registry = { list: fixedList(new Map(names)), outbound };
  }

  /** Runs the due reads of proofs' records until `until`, two hours apart; each sees what `observe` returns. */
  async readWatched(observe: Observe, from: number, until: number): Promise<void> {
    this.#service.see = observe;
    for (this.now = from; this.#service.now < until; this.#service.now += 2 * HOUR) {
      await startDueWatchReads(this.ctx, 16);
      await this.ctx.watchReads.drain(10_000);
      await askNext(this.ctx, new AbortController().signal);
      await askRegistryOfWatched(this.ctx);
    }
  }

  /** Freezes the state: no read or mail of a started service changes it during the pictures, while `keepPlans` runs. */
  freeze(now: number): void {
    const nextDay = now + DAY;
    this.#db.$client.exec(`
      update verifications set next_run_at = max(next_run_at, ${now + SOON_MS}),
        wait_until = max(wait_until, ${now + SOON_MS}), second_read_at = null;
      update watches set next_read_at = ${nextDay}, next_ask_at = ${nextDay}
        where next_read_at is not null;
      update claims set next_notice_at = null;
      update notice_mails set due_at = null;`);
  }
}

/** Moves all planned reads along with the clock, so that they stay as far away as when they were planned. Returns how to stop. */
export function keepPlans(db: Db, since: number): () => void {
  const move = db.$client.prepare<[Record<string, number>]>(
    "update verifications set next_run_at = next_run_at + :by, wait_until = wait_until + :by",
  );
  let at = since;
  const keep = () => {
    const now = Date.now();
    move.run({ by: now - at });
    at = now;
  };
  keep();
  const timer = setInterval(() => {
    try {
      keep();
    } catch {
      // The service holds the database: the next second will do.
    }
  }, 1_000);
  return () => clearInterval(timer);
}
