import { and, count, desc, gt, isNotNull, lte, sum } from "drizzle-orm";
import { attempts, domainCounts, verifications } from "#db/schema.ts";
import type { Context } from "./context.server.ts";

/** Reads of this long ago and no longer say how DNS is doing. */
const RECENT_MS = 15 * 60_000;
const LAST_READS = 10;

export type Health = {
  database: "ok" | "failing";
  /** From the last reads: failing where none of them reached DNS, unknown where there was none of late. */
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

/** Whether what the service stands on works. Never throws. */
export function readHealth(ctx: Context): Health {
  try {
    return { database: "ok", dns: dnsHealth(ctx) };
  } catch (error) {
    ctx.log.error({ err: error }, "the database cannot be read");
    return { database: "failing", dns: "unknown" };
  }
}

/**
 * How much waits: claims open, and reads that are due and not yet begun. Open claims are those of pending domains,
 * which are tallied: to count a million of them would hold the event loop for a tenth of a second.
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
