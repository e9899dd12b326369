import { and, desc, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Tx } from "#db/client.ts";
import { limitBy, prepared, preparedUpdate } from "#db/queries.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import { queueForWebhooks, writeFeedEvent } from "../feed/feed.server.ts";
import { createNotice, notifyOtherHolders } from "../feed/notice-writer.server.ts";
import type { VerificationRow } from "./schedule.ts";
import { type ClaimRow, type Transition, transition } from "./transition.ts";

/** A claim and its verification, read in one transaction. */
export type ClaimRows = { claim: ClaimRow; verification: VerificationRow };

/** Selects the rows whose `column` equals the placeholder "id". */
const rowsBy = (column: SQLiteColumn) =>
  prepared((db) =>
    db
      .select({ claim: claims, verification: verifications })
      .from(verifications)
      .innerJoin(claims, eq(claims.id, verifications.claimId))
      .where(eq(column, sql.placeholder("id")))
      .prepare(),
  );

export const rowsOfVerification = rowsBy(verifications.id);
export const rowsOfClaim = rowsBy(claims.id);

const byId = (id: SQLiteColumn) => eq(id, sql.placeholder("id"));
const updateOpenClaim = preparedUpdate(
  claims,
  and(byId(claims.id), eq(claims.state, sql.raw("'pending'"))),
  "state",
  "endedAt",
  "provider",
  "nameservers",
  "nextNoticeAt",
);
const updateVerification = preparedUpdate(
  verifications,
  byId(verifications.id),
  "status",
  "lastOutcome",
  "diagnosis",
  "waitReason",
  "waitUntil",
  "waitObserved",
  "lastRunAt",
  "nextRunAt",
  "runId",
  "runUntil",
  "zone",
  "provider",
  "firstSerial",
  "partialSince",
  "resolversDue",
  "secondReadAt",
  "serials",
  "seen",
  "failures",
  "fastUntil",
  "fastDay",
  "fastCount",
);
const updateDomain = preparedUpdate(domains, byId(domains.id), "status", "claimId");
const updateLastProof = preparedUpdate(domains, byId(domains.id), "lastProvedAt");

/** The open claim; else the newest proved, the newest expired, or the newest canceled, in that order. */
const currentClaim = prepared((db) => {
  const rank = sql`case ${claims.state} when 'pending' then 0 when 'proved' then 1 when 'expired' then 2 else 3 end`;
  return db
    .select({ id: claims.id, state: claims.state, endedAt: claims.endedAt })
    .from(claims)
    .where(eq(claims.domainId, sql.placeholder("domainId")))
    .orderBy(rank, desc(claims.createdAt), desc(claims.id))
    .limit(limitBy(1))
    .prepare();
});

/** Sets the domain's status and claim from the claim in play, and the date of its proof if it is proved. */
export function updateDomainStatus(tx: Tx, domainId: string): void {
  const claim = currentClaim(tx).get({ domainId });
  updateDomain(tx)({
    id: domainId,
    status: claim?.state ?? "unclaimed",
    claimId: claim?.id ?? null,
  });
  if (claim?.state === "proved") updateLastProof(tx)({ id: domainId, lastProvedAt: claim.endedAt });
}

/** Whether a move needs the claimant for another reason than before. */
function hasNewDiagnosis(before: VerificationRow, after: Transition["verification"]): boolean {
  const codeOf = (diagnosis: string | null | undefined) =>
    diagnosis ? (JSON.parse(diagnosis) as { code: string }).code : null;
  const code = after.status === "needs_attention" ? codeOf(after.diagnosis) : null;
  return code !== null && code !== codeOf(before.diagnosis);
}

/**
 * Writes a move of an open claim and everything that follows from it. Returns false and writes nothing if the claim is
 * no longer open.
 */
export function applyTransition(
  tx: Tx,
  { claim, verification }: ClaimRows,
  move: Transition,
  now: number,
): boolean {
  const { state } = move.claim;
  if (state) {
    const moved = updateOpenClaim(tx)({ ...claim, ...move.claim });
    if (moved.changes === 0) return false;
  }
  updateVerification(tx)({ ...verification, ...move.verification });
  const ids = { claimId: claim.id, verificationId: verification.id, domainId: claim.domainId };
  if (!state) {
    if (hasNewDiagnosis(verification, move.verification))
      queueForWebhooks(tx, claim.accountId, "claim.needs_attention", ids, now);
    return true;
  }
  updateDomainStatus(tx, claim.domainId);
  writeFeedEvent(tx, claim.accountId, "claim.ended", ids, now);
  if (state === "proved" || state === "expired")
    queueForWebhooks(tx, claim.accountId, `claim.${state}`, ids, now);
  if (state === "expired") createNotice(tx, "expired", claim, now);
  if (state === "proved") {
    createNotice(tx, "proved", claim, now);
    notifyOtherHolders(tx, claim, now);
  }
  return true;
}

/** Expires or cancels an open claim; past its deadline it can only expire. False if it is no longer open. */
export function endClaim(
  tx: Tx,
  pair: ClaimRows,
  event: "deadline" | "cancel",
  now: number,
): boolean {
  const type = now >= pair.claim.expiresAt ? "deadline" : event;
  const move = transition(pair.verification, pair.claim, { type }, now, 0);
  return applyTransition(tx, pair, move, now);
}
