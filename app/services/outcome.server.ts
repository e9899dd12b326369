import { and, eq } from "drizzle-orm";
import type { Progress } from "#app/dns/decide.ts";
import type { Decision } from "#app/dns/diagnosis.ts";
import type { Evidence } from "#app/dns/observation.ts";
import type { Db } from "#db/client.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import { commit, noteChange } from "./changes.server.ts";
import type { Context } from "./context.server.ts";
import { applyMove, endClaim, pairOfVerification } from "./ending.server.ts";
import { DEADLINE_LEAD_MS, type VerificationRow } from "./schedule.ts";
import { transition } from "./transition.ts";

/** What a read came to. Instants are epoch milliseconds. */
export type Read = {
  decision: Decision;
  /** Null where the read never came back. */
  evidence: Evidence | null;
  progress: Partial<Progress>;
  startedAt: number;
  endedAt: number;
  forced: boolean;
};

/** The run that read. `requested`: a forced run began it, rather than joined it. */
export type Run = { runId: string; verificationId: string; requested: boolean };

const triggerOf = (verification: VerificationRow, startedAt: number, requested: boolean) => {
  if (requested) return "requested";
  if (startedAt >= verification.deadline - DEADLINE_LEAD_MS) return "deadline";
  return verification.lastRunAt === null ? "first_check" : "scheduled";
};

const turns = new WeakMap<Db, Promise<unknown>>();

/** One after the other, the event loop turning in between: fifty reads may end at the same moment. */
function inTurn<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const before = turns.get(db) ?? Promise.resolve();
  const mine = before.then(() => new Promise((resolve) => setImmediate(resolve))).then(work);
  turns.set(
    db,
    mine.catch(() => {}),
  );
  return mine;
}

/**
 * Writes the attempt, its evidence and everything it moves, in one transaction, where the run still holds the
 * verification; else nothing. A read that ends at the deadline or later counts for nothing: the claim expires.
 */
export function recordRead(ctx: Context, run: Run, read: Read): Promise<void> {
  return inTurn(ctx.db, () => writeRead(ctx, run, read));
}

function writeRead(ctx: Context, run: Run, read: Read): Promise<void> {
  return commit(ctx, (tx) => {
    const pair = pairOfVerification(ctx.db).get({ id: run.verificationId });
    if (!pair || pair.verification.runId !== run.runId) return;
    const { claim, verification } = pair;
    const now = ctx.clock();
    if (read.endedAt >= claim.expiresAt) {
      endClaim(tx, pair, "deadline", now);
      return;
    }
    const { decision, evidence, startedAt, endedAt } = read;
    tx.insert(attempts)
      .values({
        id: run.runId,
        verificationId: verification.id,
        trigger: triggerOf(verification, startedAt, run.requested),
        outcome: decision.outcome,
        diagnosis:
          decision.outcome === "absent" && decision.diagnosis
            ? JSON.stringify(decision.diagnosis)
            : null,
        latencyMs: decision.outcome === "unresolvable" ? null : endedAt - startedAt,
        at: startedAt,
      })
      .run();
    if (evidence) {
      tx.insert(attemptEvidence)
        .values({ attemptId: run.runId, evidence: JSON.stringify(evidence), at: startedAt })
        .run();
    }
    const ids = { verificationId: verification.id, claimId: claim.id };
    noteChange(tx, claim.accountId, "verification.ran", ids, now);
    const move = transition(verification, claim, { type: "read", ...read }, now, ctx.random());
    applyMove(tx, pair, move, now);
  });
}

/** Gives the verification back unread: the read was cut off and leaves no attempt. */
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
