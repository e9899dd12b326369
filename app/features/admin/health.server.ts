import { count, desc, eq, gt, type SQLWrapper, sql, sum } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/core/context.server.ts";
import { Episode } from "#app/core/episode.ts";
import { evidenceOfAttempt } from "#app/features/claims/history.server.ts";
import {
  attemptEvidence,
  attempts,
  domainCounts,
  noticeMails,
  readDueAt,
  verifications,
  watches,
} from "#db/schema.ts";
import type { DatabaseState } from "./database-probe.ts";

const RECENT_MS = 15 * 60_000;
const LAST_READS = 10;

/** Why a node does not serve all it should, worst first. */
export const HEALTH_REASONS = [
  "shutting_down",
  "database",
  "superseded",
  "worker",
  "no_primary",
  "clock",
] as const;
export type HealthReason = (typeof HEALTH_REASONS)[number];

export type NodeState = {
  isClosing: boolean;
  database: DatabaseState;
  /** Whether another node of the cluster was made the primary after this one, which still takes itself for it. */
  isSuperseded: boolean;
  isWorkerMissing: boolean;
  hasLostPrimary: boolean;
  isClockAwaited: boolean;
};

/** What a node's state means: failing if it cannot serve, degraded if it serves but proves nothing. */
export function assess(node: NodeState): {
  status: "ok" | "degraded" | "failing";
  reason: HealthReason | null;
} {
  if (node.isClosing) return { status: "failing", reason: "shutting_down" };
  if (node.database !== "ok") return { status: "failing", reason: "database" };
  if (node.isSuperseded) return { status: "failing", reason: "superseded" };
  if (node.isWorkerMissing) return { status: "failing", reason: "worker" };
  if (node.hasLostPrimary) return { status: "degraded", reason: "no_primary" };
  if (node.isClockAwaited) return { status: "degraded", reason: "clock" };
  return { status: "ok", reason: null };
}

/** "failing" if none of the last reads reached DNS, "unknown" if there were no recent ones. */
export const DNS_STATES = ["ok", "failing", "port_53_shut", "unknown"] as const;
export type DnsState = (typeof DNS_STATES)[number];
export const isDnsDark = (dns: DnsState) => dns === "failing" || dns === "port_53_shut";

/** Unknown if the database cannot be read. */
export function readDnsState(ctx: Context): DnsState {
  try {
    const recent = ctx.db
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
    if (recent.length === 0) return "unknown";
    if (recent[0]?.isShut) return "port_53_shut";
    return recent.some(({ outcome }) => outcome !== "unresolvable") ? "ok" : "failing";
  } catch {
    return "unknown";
  }
}

/** Returns a look at DNS, which logs when DNS begins to fail and when it works again. `unknown` ends nothing. */
export function dnsWatch(ctx: Context): () => void {
  const trouble = new Episode("none of the last reads reached DNS", "reads reach DNS again");
  return () => {
    const dns = readDnsState(ctx);
    if (dns !== "unknown") trouble.note(ctx.log, isDnsDark(dns));
  };
}

/** Open claims are summed from tallies: counting a million rows blocks the event loop for a tenth of a second. Ages in ms. */
export function readBacklog(ctx: Context) {
  const now = ctx.clock();
  const pending = { n: sum(domainCounts.pending).mapWith(Number) };
  const dueOf = (table: SQLiteTable, at: SQLWrapper) =>
    ctx.db
      .select({ n: count(), oldest: sql<number | null>`min(${at})` })
      .from(table)
      .where(sql`${at} <= ${now}`)
      .get() ?? { n: 0, oldest: null };
  const reads = dueOf(verifications, readDueAt);
  const watchReads = dueOf(watches, watches.nextReadAt);
  const mails = dueOf(noticeMails, noticeMails.dueAt);
  const isWatched = eq(watches.purpose, "watch");
  const watched = ctx.db.select({ n: count() }).from(watches).where(isWatched).get();
  return {
    openClaims: ctx.db.select(pending).from(domainCounts).get()?.n ?? 0,
    dueReads: reads.n,
    oldestDueReadMs: now - (reads.oldest ?? now),
    watchedClaims: watched?.n ?? 0,
    dueWatchReads: watchReads.n,
    oldestDueWatchReadMs: now - (watchReads.oldest ?? now),
    dueMails: mails.n,
    oldestDueMailMs: now - (mails.oldest ?? now),
  };
}
