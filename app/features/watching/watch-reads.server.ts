import { AddressFull } from "@deed/dns/resolve/reader.ts";
import { findingOf } from "@deed/dns/verdict/standing.ts";
import { and, asc, eq, lte, sql } from "drizzle-orm";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { createNotice, queueForWebhooks } from "#app/core/feed/feed.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { prepared, type Tx } from "#db/client.ts";
import { claims, LOSSES, notices, watches } from "#db/schema.ts";
import { dueVerifications, hasNoLease, LEASE_COLUMNS, observe } from "../claims/runs.server.ts";
import { type ClaimRow, LEASE_MS } from "../claims/transition.ts";
import { toWatch, type WatchRow } from "../claims/watch.ts";
import { registrationDatesOf } from "../zones/registry/registrations.server.ts";
import { updateLoss, watchedClaim, watchOfClaim, zoneAndServersOf } from "./watch-rows.server.ts";
import { afterAnswer, afterExpiry, afterRead, expiryNote } from "./watch-states.ts";

/** The most concurrent reads of watched records; a slow zone uses one place for twenty seconds. */
const MAX_CONCURRENT_READS = 16;

/** The most nameservers of a domain that moved that pages and mails name. */
const MAX_NAMED = 8;

const RECORD_LOSSES = LOSSES.filter((loss) => loss !== "registered_again");

const isDue = and(lte(watches.nextReadAt, sql.placeholder("now")), hasNoLease(watches.runUntil));

const dueWatches = prepared((db) =>
  db
    .select({ watch: watches, claim: claims })
    .from(watches)
    .innerJoin(claims, eq(claims.id, watches.claimId))
    .where(isDue)
    .orderBy(asc(watches.nextReadAt))
    .limit(sql.placeholder("limit")),
);

type DueWatch = NonNullable<ReturnType<ReturnType<typeof dueWatches>["get"]>>;

const isThisDue = and(eq(watches.claimId, sql.placeholder("claimId")), isDue);
const leaseWatch = prepared((db) => db.update(watches).set(LEASE_COLUMNS).where(isThisDue));

/** Starts reads in due order; none while a verification is due, because nobody waits for these reads. */
export async function startDueWatchReads(ctx: Context, limit: number): Promise<void> {
  const places = Math.min(limit, MAX_CONCURRENT_READS - ctx.watchReads.size);
  if (places <= 0 || dueVerifications(ctx, 1).length > 0) return;
  const times = () => ({ now: ctx.clock(), longestLease: ctx.clock() + LEASE_MS });
  const rows = dueWatches(ctx.db)
    .all({ ...times(), limit: places })
    .filter(({ claim }) => !ctx.watchReads.has(claim.id));
  if (rows.length === 0) return;
  const leased = await commit(ctx, (tx, _, now) =>
    rows.flatMap((row) => {
      const lease = { claimId: row.claim.id, runId: newId("att", now), ...times() };
      return leaseWatch(tx).run(lease).changes === 1 ? [{ ...row, runId: lease.runId }] : [];
    }),
  );
  for (const row of leased) {
    const claimId = row.claim.id;
    const abort = new AbortController();
    const done = readLeased(ctx, row, abort.signal).catch((error) => {
      ctx.log.error({ err: error, claimId }, "watch could not be recorded");
    });
    ctx.watchReads.add(claimId, { abort, done });
  }
}

async function readLeased(ctx: Context, lease: DueWatch & { runId: string }, signal: AbortSignal) {
  const { watch, claim, runId } = lease;
  const at = ctx.clock();
  const isLeased = and(eq(watches.claimId, claim.id), eq(watches.runId, runId));
  const question = { domain: claim.name, label: claim.challengeLabel, token: claim.token };
  const seen = await observe(ctx, question, { claimId: claim.id }, signal);
  // The watch is due again when the lease has expired.
  if (seen instanceof AddressFull) return;
  if ((!seen && signal.aborted) || !isTimeKnown(ctx)) {
    const noLease = { runId: null, runUntil: null };
    await commit(ctx, (tx) => tx.update(watches).set(noLease).where(isLeased).run());
    return;
  }
  const finding = seen ? findingOf(seen, watch) : "unread";
  const place = seen ? zoneAndServersOf(seen) : null;
  await commit(ctx, (tx, _, now) => {
    const row = watchOfClaim(tx, claim.id);
    if (row?.runId !== runId) return;
    const { after, news } = afterRead(row, finding, at);
    const found =
      finding === "moved"
        ? { movedTo: place?.nameservers.slice(0, MAX_NAMED) }
        : finding === "seen" && place;
    const set = { ...after, ...found };
    tx.update(watches).set(set).where(isLeased).run();
    if (row.purpose === "watch")
      updateLoss(tx, claim.domainId, now, finding === "seen" ? RECORD_LOSSES : []);
    // If somebody else may have registered the domain, changes of its record are not reported.
    if (row.purpose !== "watch" || news === null || row.registry === "registered_again") return;
    if (news !== "published") createNotice(tx, news, claim, now);
    const ids = { claimId: claim.id, domainId: claim.domainId };
    queueForWebhooks(tx, claim.accountId, `watch.${news}`, ids, now);
  });
  ctx.onWatchRead?.(finding);
}

/** Notes a registration's end. If several watches of a domain are due, only that of its newest proof creates notices. */
function noteExpiry(tx: Tx, news: "expiring" | "renewed", claim: ClaimRow, now: number): void {
  const { id: claimId, domainId, accountId } = claim;
  const { newest } = tx.get<{ newest: string }>(sql`select max(id) as newest from claims
    where domain_id = ${domainId} and id in (select claim_id from watches where purpose = 'watch')`);
  if (newest !== claimId) return;
  const isExpiry = and(eq(notices.claimId, claimId), eq(notices.kind, "registration_expiring"));
  if (news === "expiring") createNotice(tx, "registration_expiring", claim, now);
  else tx.delete(notices).where(isExpiry).run();
  queueForWebhooks(tx, accountId, `domain.${news}`, { claimId, domainId }, now);
}

/** Asks the registry about one watched domain that is due, unless a claim's name waits. */
export async function askRegistryOfWatched(ctx: Context): Promise<void> {
  if (ctx.wantedNames.waiting.size > 0) return;
  const isAskDue = sql`${watches.purpose} = 'watch' and ${watches.nextAskAt} <= ${ctx.clock()}`;
  const row = ctx.db.select().from(watches).where(isAskDue).orderBy(watches.nextAskAt).get();
  const claim = row && ctx.db.select().from(claims).where(eq(claims.id, row.claimId)).get();
  if (!claim || claim.provedAt === null) return;
  const { id: claimId, domainId, accountId, provedAt } = claim;
  const data = registrationDatesOf(ctx, claim.name);
  await commit(ctx, (tx, _, now) => {
    const before = watchedClaim(tx, claimId);
    if (!before) return;
    const set = "again" in data ? { nextAskAt: data.again } : afterAnswer(before, provedAt, data);
    if (!("again" in data)) {
      const expiry = afterExpiry(before, claim.name, data.expiresAt, now);
      Object.assign(set, expiry, { nextAskAt: Math.min(Number(set.nextAskAt), expiry.nextAskAt) });
    }
    tx.update(watches).set(set).where(eq(watches.claimId, claimId)).run();
    const after: WatchRow = { ...before, ...set };
    const isOlder = after.registry === "registered" && Number(after.registeredAt) <= provedAt;
    updateLoss(tx, domainId, now, isOlder ? ["registered_again"] : []);
    const { state } = toWatch(after);
    const expiryNews = expiryNote(before.expiryTold, after.expiryTold);
    if (expiryNews && state !== "registered_again") noteExpiry(tx, expiryNews, claim, now);
    if (state === toWatch(before).state) return;
    if (state === "registered_again") createNotice(tx, state, claim, now);
    queueForWebhooks(tx, accountId, `watch.${state}`, { claimId, domainId }, now);
  });
}
