import type { ReadDigest } from "@deed/dns/verdict/evidence.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { nameserverCount } from "@deed/dns/verdict/publication-status.ts";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import {
  createNotice,
  otherProofs,
  queueForWebhooks,
  writeFeedEvent,
} from "#app/core/feed/feed.server.ts";
import { notBefore } from "#app/core/time.ts";
import { prepared, preparedInsert, preparedUpdate, type Tx } from "#db/client.ts";
import { attemptEvidence, attempts, claims, verifications } from "#db/schema.ts";
import { issueReceipt } from "../receipts/issue.server.ts";
import { repeatOf } from "./history.server.ts";
import { notifyHolds } from "./holds.server.ts";
import {
  afterRead,
  type ClaimRows,
  DEADLINE_LEAD_MS,
  endOf,
  type Read,
  type Transition,
  type VerificationRow,
} from "./transition.ts";

const rowsBy = (column: SQLiteColumn) =>
  prepared((db) =>
    db
      .select({ claim: claims, verification: verifications })
      .from(verifications)
      .innerJoin(claims, eq(claims.id, verifications.claimId))
      .where(eq(column, sql.placeholder("id"))),
  );

export const rowsOfVerification = rowsBy(verifications.id);
export const rowsOfClaim = rowsBy(claims.id);

const { id, claimId, accountId, deadline, createdAt, ...mutable } = getTableColumns(verifications);
const updateVerification = preparedUpdate(
  verifications,
  eq(id, sql.placeholder("id")),
  ...(Object.keys(mutable) as (keyof typeof mutable)[]),
);

const endOpenClaim = preparedUpdate(
  claims,
  and(eq(claims.id, sql.placeholder("id")), eq(claims.state, "pending")),
  ...(["state", "provider", "nameservers", "endedAt", "nextNoticeAt"] as const),
);

const statusByClaim = prepared((db) =>
  db.$client.prepare(
    `update domains set (status, claim_id, last_proved_at, loss) = (
       select state, id, ifnull(proved_at, domains.last_proved_at),
         iif(proved_at > ifnull(domains.last_proved_at, 0), null, domains.loss) from claims where domain_id = domains.id
       order by case state when 'pending' then 0 when 'proved' then 1 when 'expired' then 2 else 3 end,
         created_at desc, id desc limit 1) where id = +?`,
  ),
);
/** Copies the state of a domain's current claim: the open one, or else the newest proved, expired or canceled one. */
export const updateDomainStatus = (tx: Tx, domainId: string) => statusByClaim(tx).run(domainId);

const codeOf = (diagnosis: string | null | undefined): string | null =>
  diagnosis ? JSON.parse(diagnosis).code : null;

/** Writes an open claim's transition and its consequences. If it is no longer open, writes nothing and returns null. */
function applyTransition(tx: Tx, rows: ClaimRows, transition: Transition, now: number) {
  const { claim, verification } = rows;
  const { state } = transition.claim;
  const after: ClaimRows = {
    claim: { ...claim, ...transition.claim },
    verification: { ...verification, ...transition.verification },
  };
  if (state && endOpenClaim(tx)(after.claim).changes === 0) return null;
  updateVerification(tx)(after.verification);
  const ids = { claimId: claim.id, verificationId: verification.id, domainId: claim.domainId };
  if (!state) {
    const { status, diagnosis } = transition.verification;
    if (status === "needs_attention" && codeOf(diagnosis) !== codeOf(verification.diagnosis))
      queueForWebhooks(tx, claim.accountId, "claim.needs_attention", ids, now);
    return after;
  }
  notifyHolds(tx, claim.domainId, now, () => {
    updateDomainStatus(tx, claim.domainId);
    writeFeedEvent(tx, claim.accountId, "claim.ended", ids, now);
  });
  if (state === "proved" || state === "expired") {
    queueForWebhooks(tx, claim.accountId, `claim.${state}`, ids, now);
    createNotice(tx, state, claim, now, after.claim.endedAt ?? now);
  }
  if (state === "proved")
    for (const other of otherProofs(tx).all(claim.name, claim.accountId))
      createNotice(tx, "coexistence", other, now);
  return after;
}

/** Ends a claim; after its deadline it can only expire. Returns null if it is no longer open. */
export const endClaim = (tx: Tx, rows: ClaimRows, ending: "expired" | "canceled", now: number) =>
  applyTransition(tx, rows, endOf(rows.claim, ending, now), now);

export type ReadResult = Read & {
  /** JSON, built before the write transaction begins; null if the read did not finish. */
  evidence: string | null;
  seen: ReadDigest | null;
  chain: Uint8Array | null;
};

/** The rows leased for one read, whose attempt will have the id of the run. */
export type Lease = ClaimRows & { runId: string };
/** `requested` tells that a forced run started the read and did not just join it. */
export type LeasedRun = Lease & { requested: boolean };

const triggerOf = (verification: VerificationRow, startedAt: number, requested: boolean) => {
  if (requested) return "requested";
  if (startedAt >= verification.deadline - DEADLINE_LEAD_MS) return "deadline";
  return verification.lastRunAt === null ? "first_check" : "scheduled";
};

const insertAttempt = preparedInsert(
  attempts,
  ...(Object.keys(getTableColumns(attempts)) as (keyof typeof attempts.$inferSelect)[]),
);
const insertEvidence = preparedInsert(attemptEvidence, "attemptId", "evidence", "at");

/** Records a read, unless it lost its lease; after the deadline, expires the claim. Returns the rows; null if deleted. */
export const recordRead = (ctx: Context, run: LeasedRun, read: ReadResult) =>
  commit(ctx, (tx, ctx, now): ClaimRows | null => {
    const rows = rowsOfVerification(tx).get({ id: run.verification.id });
    if (!rows || rows.verification.runId !== run.runId) return rows ?? null;
    const { claim, verification } = rows;
    if (read.endedAt >= claim.expiresAt) return endClaim(tx, rows, "expired", now) ?? rows;
    const { decision, evidence, startedAt, endedAt } = read;
    const { sameAs, seen } = repeatOf(verification.seen, read.seen, run.runId);
    const diagnosis =
      decision.outcome === "absent" && decision.diagnosis
        ? JSON.stringify(decision.diagnosis)
        : null;
    const same = sameAs && tx.select().from(attempts).where(eq(attempts.id, sameAs)).get();
    insertAttempt(tx)({
      id: run.runId,
      verificationId: verification.id,
      trigger: triggerOf(verification, startedAt, run.requested),
      outcome: decision.outcome,
      diagnosis: same && same.diagnosis === diagnosis ? null : diagnosis,
      latencyMs:
        decision.outcome === "unresolvable" ? null : notBefore(startedAt, endedAt) - startedAt,
      at: startedAt,
      sameAs,
    });
    if (evidence && !sameAs) insertEvidence(tx)({ attemptId: run.runId, evidence, at: startedAt });
    const ids = { verificationId: verification.id, claimId: claim.id };
    writeFeedEvent(tx, claim.accountId, "verification.ran", ids, now);
    const transition = afterRead(verification, read, ctx.random());
    transition.verification.seen = seen;
    const provingEvidence: Evidence | null =
      transition.claim.state === "proved" && evidence ? JSON.parse(evidence) : null;
    const nameserverCounts = provingEvidence && nameserverCount(provingEvidence);
    if (nameserverCounts) transition.claim.nameservers = JSON.stringify(nameserverCounts);
    const after = applyTransition(tx, rows, transition, now);
    if (!after || !provingEvidence) return after ?? rows;
    const provedAt = transition.claim.endedAt ?? endedAt;
    issueReceipt(tx, ctx, { claim, evidence: provingEvidence, chain: read.chain, provedAt }, now);
    const interval = claim.watchHourly ? "hour" : "day";
    const watch = claim.watchProof ? interval : null;
    ctx.awaitRemoval(tx, { claimId: claim.id, provedAt, evidence: provingEvidence, watch }, now);
    return after;
  });
