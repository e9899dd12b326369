import { and, count, desc, gt, isNotNull, lte, sum } from "drizzle-orm";
import { attempts, domainCounts, verifications } from "#db/schema.ts";
import type { Context } from "./context.server.ts";

/** Reads older than this are ignored. */
const RECENT_MS = 15 * 60_000;
const LAST_READS = 10;

export type Health = {
  database: "ok" | "failing";
  /** "failing" if none of the last reads reached DNS, "unknown" if there were no recent ones. */
  dns: "ok" | "failing" | "unknown";
};

function dnsHealth(ctx: Context): Health["dns"] {
  const recent = ctx.db
    .select({ outcome: attempts.outcome })
    .from(attempts)
    .where(gt(attempts.at, ctx.clock() - RECENT_MS))
    .orderBy(desc(attempts.id))
    .limit(LAST_READS)
    .all();
  if (recent.length === 0) return "unknown";
  return recent.some(({ outcome }) => outcome !== "unresolvable") ? "ok" : "failing";
}

/** Health of the database and DNS. Never throws. */
export function readHealth(ctx: Context): Health {
  try {
    return { database: "ok", dns: dnsHealth(ctx) };
  } catch (error) {
    ctx.log.error({ err: error }, "the database cannot be read");
    return { database: "failing", dns: "unknown" };
  }
}

/**
 * Pending work: open claims, and reads that are due but not yet started. Open claims are summed from the tallies of
 * pending domains, because counting a million rows would block the event loop for a tenth of a second.
 */
export function readBacklog(ctx: Context): { openClaims: number; dueReads: number } {
  const open = ctx.db
    .select({ n: sum(domainCounts.pending).mapWith(Number) })
    .from(domainCounts)
    .get();
  const due = ctx.db
    .select({ n: count() })
    .from(verifications)
    .where(and(isNotNull(verifications.nextRunAt), lte(verifications.nextRunAt, ctx.clock())))
    .get();
  return { openClaims: open?.n ?? 0, dueReads: due?.n ?? 0 };
}
