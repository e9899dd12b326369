import { setImmediate as nextTurn } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { Progress } from "#app/dns/verdict/decide.ts";
import type { Decision } from "#app/dns/verdict/diagnosis.ts";
import { type Db, isBusy, type Tx } from "#db/client.ts";
import { preparedInsert } from "#db/prepared-writes.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import { commit, writeFeedEvent } from "../feed/feed-writer.server.ts";
import { endAfter } from "../time.ts";
import { applyMove, endClaim, pairOfVerification } from "./claim-lifecycle.server.ts";
import { DEADLINE_LEAD_MS, type VerificationRow } from "./schedule.ts";
import { nameserversIn } from "./stored-evidence.ts";
import { transition } from "./transition.ts";

/** What a read came to. Instants are epoch milliseconds. */
export type Read = {
  decision: Decision;
  /** JSON of an Evidence, made before anything is locked; null where the read never came back. */
  evidence: string | null;
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

type Waiting = { run: Run; read: Read; resolve: () => void; reject: (error: unknown) => void };
type Queue = {
  waiting: Waiting[];
  isEmptying: boolean;
  writtenAt: number;
  /** Ends the pause before the next batch. */
  hurry: () => void;
};

/** Outcomes written in one transaction: one sync to disk for all, few enough not to hold the event loop. */
const BATCH = 10;
/** From one batch to the next: a lone outcome is written at once, those of a long queue gather. */
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
 * Writes the attempt, its evidence and everything it moves, in one transaction, where the run still holds the
 * verification; else nothing. A read that ends at the deadline or later counts for nothing: the claim expires.
 * Reads that end together share a transaction, and each is written by itself where that fails.
 */
export function recordRead(ctx: Context, run: Run, read: Read): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = queueOf(ctx.db);
    queue.waiting.push({ run, read, resolve, reject });
    if (queue.waiting.length === BATCH) queue.hurry();
    if (!queue.isEmptying) void emptyQueue(ctx, queue);
  });
}

/** Resolves when the next batch is due, or full; even then, what ends in this turn of the event loop goes along. */
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

/** Never rejects: each outcome hears for itself. */
async function writeTogether(ctx: Context, batch: readonly Waiting[]): Promise<void> {
  try {
    await commit(ctx, (tx) => {
      for (const { run, read } of batch) writeRead(ctx, tx, run, read);
    });
    for (const { resolve } of batch) resolve();
  } catch (error) {
    // A database that is held by another keeps them all waiting; else one of them may have broken the rest.
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

function writeRead(ctx: Context, tx: Tx, run: Run, read: Read): void {
  const pair = pairOfVerification(tx).get({ id: run.verificationId });
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
      decision.outcome === "unresolvable" ? null : endAfter(startedAt, endedAt) - startedAt,
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
  applyMove(tx, pair, move, now);
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
