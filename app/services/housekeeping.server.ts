import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { type Db, prepared, write } from "#db/client.ts";
import { MAX_BYTES_SCHEDULED, scrub } from "#db/erase.ts";
import { limitBy } from "#db/limit.ts";
import { accountEvents, attemptEvidence, changeFeed, sessions, signInLinks } from "#db/schema.ts";
import { storedSummary } from "./claims/stored-evidence.ts";
import type { Context } from "./context.server.ts";
import { DAY } from "./time.ts";

const FEED_KEPT_MS = DAY;
const EVIDENCE_KEPT_MS = 30 * DAY;
const ACCOUNT_EVENTS_KEPT_MS = 90 * DAY;
const EVIDENCE_BATCH = 50;
const ROW_BATCH = 500;

/** Trims one batch of expired data; true if there may be more. */
type Step = (ctx: Context) => Promise<boolean>;

/**
 * Deletes everything before the oldest message of the last day. Goes by id: ids are in order even if the clock was not.
 */
const trimFeed: Step = ({ db, clock }) =>
  write(db, (tx) => {
    const now = clock();
    const { id, at } = changeFeed;
    const oldest = tx.select({ id, at }).from(changeFeed).orderBy(asc(id)).limit(ROW_BATCH).all();
    const kept = oldest.find((row) => row.at > now - FEED_KEPT_MS && row.at <= now);
    const old = oldest.filter((row) => !kept || row.id < kept.id).map((row) => row.id);
    const newest = old.at(-1);
    if (newest !== undefined) tx.delete(changeFeed).where(lte(id, newest)).run();
    return old.length === ROW_BATCH;
  });

const trimSessions: Step = ({ db, clock }) =>
  write(db, (tx) => {
    const old = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(lte(sessions.expiresAt, clock()))
      .limit(ROW_BATCH);
    return tx.delete(sessions).where(inArray(sessions.id, old)).run().changes === ROW_BATCH;
  });

const trimSignInLinks: Step = ({ db, clock }) =>
  write(db, (tx) => {
    const old = tx
      .select({ id: signInLinks.id })
      .from(signInLinks)
      .where(lte(signInLinks.expiresAt, clock() - DAY))
      .limit(ROW_BATCH);
    return tx.delete(signInLinks).where(inArray(signInLinks.id, old)).run().changes === ROW_BATCH;
  });

const trimAccountEvents: Step = ({ db, clock }) =>
  write(db, (tx) => {
    const old = tx
      .select({ id: accountEvents.id })
      .from(accountEvents)
      .where(lte(accountEvents.at, clock() - ACCOUNT_EVENTS_KEPT_MS))
      .limit(ROW_BATCH);
    return (
      tx.delete(accountEvents).where(inArray(accountEvents.id, old)).run().changes === ROW_BATCH
    );
  });

const untrimmed = prepared((db: Db) =>
  db
    .select()
    .from(attemptEvidence)
    .where(
      and(
        lte(attemptEvidence.at, sql.placeholder("before")),
        eq(attemptEvidence.trimmed, sql.raw("0")),
      ),
    )
    .orderBy(asc(attemptEvidence.at))
    .limit(limitBy(EVIDENCE_BATCH))
    .prepare(),
);

/** Replaces evidence older than 30 days with its summary; the attempt stays. */
const trimEvidence: Step = ({ db, clock }) =>
  write(db, (tx) => {
    const rows = untrimmed(db).all({ before: clock() - EVIDENCE_KEPT_MS });
    for (const row of rows) {
      tx.update(attemptEvidence)
        .set({ evidence: JSON.stringify(storedSummary(row)), trimmed: true })
        .where(eq(attemptEvidence.attemptId, row.attemptId))
        .run();
    }
    return rows.length === EVIDENCE_BATCH;
  });

/**
 * Trims the change feed to 24 hours, evidence to 30 days and account logs to 90 days, removes expired sessions and
 * sign-in links, and scrubs erased data from the database file and its log.
 */
export async function trimEverything(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const step of [trimFeed, trimEvidence, trimSessions, trimSignInLinks, trimAccountEvents]) {
    while (!signal.aborted && (await step(ctx))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (!signal.aborted) scrub(ctx.db, MAX_BYTES_SCHEDULED);
}
