import { and, eq, sql } from "drizzle-orm";
import type { Progress } from "#app/dns/verdict/decide.ts";
import type { Decision } from "#app/dns/verdict/diagnosis.ts";
import type { Seen } from "#app/dns/verdict/evidence.ts";
import type { Tx } from "#db/client.ts";
import { prepared, preparedInsert } from "#db/queries.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context, TxContext } from "../context.server.ts";
import { writeFeedEvent } from "../feed/feed.server.ts";
import { issueReceipt } from "../receipts/issue.server.ts";
import { notBefore } from "../time.ts";
import { awaitRemoval, placeIn } from "../watching/removal.server.ts";
import { applyTransition, endClaim, rowsOfVerification } from "./claim-lifecycle.server.ts";
import { repeatOf } from "./repeats.ts";
import { DEADLINE_LEAD_MS, type VerificationRow } from "./schedule.ts";
import { fullEvidence, nameserversIn } from "./stored-evidence.ts";
import { transition } from "./transition.ts";

/** The result of a read. Instants are epoch milliseconds. */
export type ReadResult = {
  decision: Decision;
  /** JSON of an Evidence, built before the write transaction begins; null if the read never came back. */
  evidence: string | null;
  /** What the evidence shows; null if there is none. */
  seen: Seen | null;
  /** The DNSSEC chain, as the observation has it. */
  chain: Uint8Array | null;
  progress: Partial<Progress>;
  startedAt: number;
  endedAt: number;
  forced: boolean;
};

/** The run that made the read. `requested`: a forced run started it, rather than joined it. */
export type LeasedRun = { runId: string; verificationId: string; requested: boolean };

const triggerOf = (verification: VerificationRow, startedAt: number, requested: boolean) => {
  if (requested) return "requested";
  if (startedAt >= verification.deadline - DEADLINE_LEAD_MS) return "deadline";
  return verification.lastRunAt === null ? "first_check" : "scheduled";
};

/**
 * Writes the attempt, its evidence unless another has the same, and all that follows in one transaction, if the run
 * still holds the verification; otherwise writes nothing. A read that ends at or after the deadline is discarded and the
 * claim expires.
 */
export const recordRead = (ctx: Context, run: LeasedRun, read: ReadResult): Promise<void> =>
  commit(ctx, (tx, ctx) => writeRead(ctx, tx, run, read));

const insertAttempt = preparedInsert(
  attempts,
  "id",
  "verificationId",
  "trigger",
  "outcome",
  "diagnosis",
  "latencyMs",
  "at",
  "sameAs",
);
const diagnosisOf = prepared((db) =>
  db
    .select({ diagnosis: attempts.diagnosis })
    .from(attempts)
    .where(eq(attempts.id, sql.placeholder("id")))
    .prepare(),
);
const insertEvidence = preparedInsert(attemptEvidence, "attemptId", "evidence", "at");

function writeRead(ctx: TxContext, tx: Tx, run: LeasedRun, read: ReadResult): void {
  const pair = rowsOfVerification(tx).get({ id: run.verificationId });
  if (!pair || pair.verification.runId !== run.runId) return;
  const { claim, verification } = pair;
  const now = ctx.clock();
  if (read.endedAt >= claim.expiresAt) {
    endClaim(tx, pair, "deadline", now);
    return;
  }
  const { decision, evidence, startedAt, endedAt } = read;
  const { sameAs, seen } = repeatOf(verification.seen, read.seen, run.runId);
  const diagnosis =
    decision.outcome === "absent" && decision.diagnosis ? JSON.stringify(decision.diagnosis) : null;
  const isShared = sameAs !== null && diagnosisOf(tx).get({ id: sameAs })?.diagnosis === diagnosis;
  insertAttempt(tx)({
    id: run.runId,
    verificationId: verification.id,
    trigger: triggerOf(verification, startedAt, run.requested),
    outcome: decision.outcome,
    diagnosis: isShared ? null : diagnosis,
    latencyMs:
      decision.outcome === "unresolvable" ? null : notBefore(startedAt, endedAt) - startedAt,
    at: startedAt,
    sameAs,
  });
  if (evidence && !sameAs) {
    const attemptId = run.runId;
    insertEvidence(tx)({ attemptId, evidence, at: startedAt });
  }
  const ids = { verificationId: verification.id, claimId: claim.id };
  writeFeedEvent(tx, claim.accountId, "verification.ran", ids, now);
  const move = transition(verification, claim, { type: "read", ...read }, now, ctx.random());
  move.verification.seen = seen;
  const proving = move.claim.state === "proved" && evidence ? fullEvidence(evidence) : null;
  if (proving) move.claim.nameservers = nameserversIn(proving);
  if (!applyTransition(tx, pair, move, now) || !proving) return;
  const provedAt = move.claim.endedAt ?? endedAt;
  issueReceipt(tx, ctx, { claim, evidence: proving, chain: read.chain, provedAt }, now);
  awaitRemoval(tx, { claimId: claim.id, provedAt, place: placeIn(proving) }, now);
}

/** Releases the verification after a read that was cut off, leaving no attempt. */
export function releaseRun(
  ctx: Context,
  { runId, verificationId }: { runId: string; verificationId: string },
): Promise<void> {
  return commit(ctx, (tx) => {
    tx.update(verifications)
      .set({ runId: null, runUntil: null })
      .where(and(eq(verifications.id, verificationId), eq(verifications.runId, runId)))
      .run();
  });
}
