import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { Progress } from "#app/dns/verdict/decide.ts";
import type { Decision } from "#app/dns/verdict/diagnosis.ts";
import { type Db, isBusy, type Tx } from "#db/client.ts";
import { preparedInsert } from "#db/prepared-writes.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import { commit, writeFeedEvent } from "../feed/feed-writer.server.ts";
import { notBefore } from "../time.ts";
import { applyTransition, endClaim, rowsOfVerification } from "./claim-lifecycle.server.ts";
import { DEADLINE_LEAD_MS, type VerificationRow } from "./schedule.ts";
import { nameserversIn } from "./stored-evidence.ts";
import { transition } from "./transition.ts";

/** The result of a read. Instants are epoch milliseconds. */
export type ReadResult = {
  decision: Decision;
  /** JSON of an Evidence, built before the write transaction begins; null if the read never came back. */
  evidence: string | null;
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

type Waiting = {
  run: LeasedRun;
  read: ReadResult;
  resolve: () => void;
  reject: (error: unknown) => void;
};
type Queue = {
  waiting: Waiting[];
  isEmptying: boolean;
  writtenAt: number;
  /** Ends the pause before the next batch. */
  hurry: () => void;
};

/** Outcomes written per transaction: they share one sync to disk, and are few enough not to block the event loop. */
const BATCH = 10;
/** Least time between batches: a lone outcome is written at once, those in a long queue are batched. */
const GATHER_MS = 20;

const queues = new WeakMap<Db, Queue>();

function queueOf(db: Db): Queue {
  const known = queues.get(db);
  if (known) return known;
  const queue: Queue = {
    waiting: [],
    isEmptying: false,
    writtenAt: Number.NEGATIVE_INFINITY,
    hurry: () => {},
  };
  queues.set(db, queue);
  return queue;
}

/**
 * Writes the attempt, its evidence and all that follows in one transaction, if the run still holds the verification;
 * otherwise writes nothing. A read that ends at or after the deadline is discarded and the claim expires. Reads that
 * end together share a transaction; if it fails, each is written separately.
 */
export function recordRead(ctx: Context, run: LeasedRun, read: ReadResult): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = queueOf(ctx.db);
    queue.waiting.push({ run, read, resolve, reject });
    if (queue.waiting.length === BATCH) queue.hurry();
    if (!queue.isEmptying) void emptyQueue(ctx, queue);
  });
}

/**
 * Resolves when the next batch is due or full. A full batch still waits for outcomes of the current event-loop turn.
 */
async function gather(queue: Queue): Promise<void> {
  const pause = queue.writtenAt + GATHER_MS - performance.now();
  if (pause <= 0 || queue.waiting.length >= BATCH) return nextTurn();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pause);
    queue.hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function emptyQueue(ctx: Context, queue: Queue): Promise<void> {
  queue.isEmptying = true;
  while (queue.waiting.length > 0) {
    await gather(queue);
    await writeTogether(ctx, queue.waiting.splice(0, BATCH));
    queue.writtenAt = performance.now();
  }
  queue.isEmptying = false;
}

/** Never rejects: settles each outcome's promise instead. */
async function writeTogether(ctx: Context, batch: readonly Waiting[]): Promise<void> {
  try {
    await commit(ctx, (tx) => {
      for (const { run, read } of batch) writeRead(ctx, tx, run, read);
    });
    for (const { resolve } of batch) resolve();
  } catch (error) {
    // If the database is busy, all of them fail. Otherwise one may have broken the rest, so each is retried alone.
    if (batch.length === 1 || isBusy(error)) for (const { reject } of batch) reject(error);
    else for (const one of batch) await writeTogether(ctx, [one]);
  }
}

const insertAttempt = preparedInsert(
  attempts,
  "id",
  "verificationId",
  "trigger",
  "outcome",
  "diagnosis",
  "latencyMs",
  "at",
);
const insertEvidence = preparedInsert(attemptEvidence, "attemptId", "evidence", "at");

function writeRead(ctx: Context, tx: Tx, run: LeasedRun, read: ReadResult): void {
  const pair = rowsOfVerification(tx).get({ id: run.verificationId });
  if (!pair || pair.verification.runId !== run.runId) return;
  const { claim, verification } = pair;
  const now = ctx.clock();
  if (read.endedAt >= claim.expiresAt) {
    endClaim(tx, pair, "deadline", now);
    return;
  }
  const { decision, evidence, startedAt, endedAt } = read;
  insertAttempt(tx)({
    id: run.runId,
    verificationId: verification.id,
    trigger: triggerOf(verification, startedAt, run.requested),
    outcome: decision.outcome,
    diagnosis:
      decision.outcome === "absent" && decision.diagnosis
        ? JSON.stringify(decision.diagnosis)
        : null,
    latencyMs:
      decision.outcome === "unresolvable" ? null : notBefore(startedAt, endedAt) - startedAt,
    at: startedAt,
  });
  if (evidence) {
    const attemptId = run.runId;
    insertEvidence(tx)({ attemptId, evidence, at: startedAt });
  }
  const ids = { verificationId: verification.id, claimId: claim.id };
  writeFeedEvent(tx, claim.accountId, "verification.ran", ids, now);
  const move = transition(verification, claim, { type: "read", ...read }, now, ctx.random());
  if (move.claim.state === "proved" && evidence) move.claim.nameservers = nameserversIn(evidence);
  applyTransition(tx, pair, move, now);
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
