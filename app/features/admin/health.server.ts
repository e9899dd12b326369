import { count, desc, eq, gt, type SQLWrapper, sql, sum } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/core/context.server.ts";
import { FaultLog } from "#app/core/fault-log.ts";
import { DAY, SECOND } from "#app/core/time.ts";
import { evidenceOfAttempt } from "#app/features/claims/history.server.ts";
import { findDamage } from "#db/damage.ts";
import {
  attemptEvidence,
  attempts,
  domainCounts,
  noticeMails,
  readDueAt,
  verifications,
  watches,
} from "#db/schema.ts";

const RECENT_MS = 15 * 60_000;
const LAST_READS = 10;

/** Why a node does not fully serve, worst first. A failing node serves nothing; a degraded one lacks something. */
const FAULTS = {
  shutting_down: "failing",
  database: "failing",
  /** Another node of the cluster is the primary now, but this node still acts as the primary. */
  superseded: "failing",
  worker: "failing",
  damaged: "degraded",
  no_primary: "degraded",
  clock: "degraded",
} as const;
type Reason = keyof typeof FAULTS;
export const HEALTH_REASONS = Object.keys(FAULTS) as Reason[];

export function assess(faults: Record<Reason, boolean>) {
  const reason = HEALTH_REASONS.find((each) => faults[each]) ?? null;
  return { status: reason ? FAULTS[reason] : ("ok" as const), reason };
}

/** The state is "failing" if none of the last reads reached DNS, "unknown" if there were no recent reads. */
export const DNS_STATES = ["ok", "failing", "port_53_shut", "unknown"] as const;
export type DnsState = (typeof DNS_STATES)[number];
export const isDnsDown = (dns: DnsState) => dns === "failing" || dns === "port_53_shut";

/** Tells from the last reads whether DNS can be reached; "unknown" if the database cannot be read. */
export function readDnsState(ctx: Context): DnsState {
  try {
    const recentReads = ctx.db
      .select({
        outcome: attempts.outcome,
        isShut: sql<number>`json_extract(${attemptEvidence.evidence}, '$.shut') is not null`,
      })
      .from(attempts)
      .leftJoin(attemptEvidence, eq(attemptEvidence.attemptId, evidenceOfAttempt))
      .where(gt(attempts.at, ctx.clock() - RECENT_MS))
      .orderBy(desc(attempts.id))
      .limit(LAST_READS)
      .all();
    if (recentReads.length === 0) return "unknown";
    if (recentReads[0]?.isShut) return "port_53_shut";
    return recentReads.some(({ outcome }) => outcome !== "unresolvable") ? "ok" : "failing";
  } catch {
    return "unknown";
  }
}

/** Returns a check that logs when DNS begins to fail and when it works again. `unknown` changes nothing. */
export function dnsWatch(ctx: Context): () => void {
  const faultLog = new FaultLog("none of the last reads reached DNS", "reads reach DNS again");
  return () => {
    const dns = readDnsState(ctx);
    if (dns !== "unknown") faultLog.note(ctx.log, isDnsDown(dns));
  };
}

/** Returns a step that checks the whole database, first at once, then daily. Not on LiteFS, where reads stop writes. */
export function damageWatch(ctx: Context, signal: AbortSignal, find = findDamage) {
  const { $client, $replication } = ctx.db;
  let dueAt = $client.memory || $replication ? Number.POSITIVE_INFINITY : 0;
  return async () => {
    if (performance.now() < dueAt) return;
    dueAt = performance.now() + DAY;
    const damage = await find($client.name, signal).catch((error) => {
      if (!signal.aborted) throw error;
      return null;
    });
    ctx.database.damage = damage;
    if (damage) ctx.log.error({ damage }, "the database is damaged: restore a backup");
  };
}

/** Adds up stored counts: counting a million open claims would block the event loop for 0.1 s. `waited`: in seconds. */
export function readBacklog(ctx: Context) {
  const now = ctx.clock();
  const pendingCount = { n: sum(domainCounts.pending).mapWith(Number) };
  const overdueOf = (table: SQLiteTable, at: SQLWrapper) => {
    const overdue = { n: count(), oldest: sql<number | null>`min(${at})` };
    const found = ctx.db.select(overdue).from(table).where(sql`${at} <= ${now}`).get();
    return { n: found?.n ?? 0, waited: (now - (found?.oldest ?? now)) / SECOND };
  };
  const isWatched = sql`${watches.purpose} = 'watch'`;
  const watchedCount = ctx.db.select({ n: count() }).from(watches).where(isWatched).get();
  return {
    openClaims: ctx.db.select(pendingCount).from(domainCounts).get()?.n ?? 0,
    watchedClaims: watchedCount?.n ?? 0,
    reads: overdueOf(verifications, readDueAt),
    watchReads: overdueOf(watches, watches.nextReadAt),
    mails: overdueOf(noticeMails, noticeMails.dueAt),
  };
}
