import { AddressFull, type ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import { evidenceOf, seenBy } from "@deed/dns/verdict/evidence.ts";
import type { SerialMemory } from "@deed/dns/verdict/history.ts";
import { type History, UNREAD } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { wantRegistry } from "#app/features/zones/registry/asking.server.ts";
import { limitBy, prepared } from "#db/client.ts";
import { attemptEvidence, attempts, claims, verifications } from "#db/schema.ts";
import { type LeasedRun, type ReadResult, writeRead } from "./outcome.server.ts";
import { earlierRead, storedSummary } from "./stored-evidence.server.ts";
import {
  type ClaimRow,
  type ClaimRows,
  READ_TIMEOUT_MS,
  type VerificationRow,
} from "./transition.ts";

/**
 * Reads a challenge; null if the read failed, timed out or was cut off, whatever the reason, and AddressFull if it has
 * to be made again. `about` goes into the log with a failure.
 */
export async function observe(
  ctx: Context,
  question: ChallengeQuestion,
  about: object,
  signal: AbortSignal,
): Promise<Observation | AddressFull | null> {
  const overrun = new AbortController();
  const abort = () => overrun.abort();
  const timer = setTimeout(abort, READ_TIMEOUT_MS);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await ctx.reader.readChallenge(question, overrun.signal);
  } catch (error) {
    if (error instanceof AddressFull) return error;
    if (!signal.aborted) ctx.log.error({ err: error, ...about }, "DNS read failed");
    return null;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

const serialsInZone = prepared((db) =>
  db
    .select({ serials: verifications.serials })
    .from(verifications)
    .where(
      and(
        eq(verifications.accountId, sql.placeholder("accountId")),
        eq(verifications.zone, sql.placeholder("zone")),
        isNotNull(verifications.serials),
      ),
    )
    .orderBy(desc(verifications.createdAt))
    .limit(limitBy(20))
    .prepare(),
);

const memoryOf = (serials: string | null): SerialMemory | null => serials && JSON.parse(serials);

type Remembered = "firstSerial" | "partialSince" | "resolversDue" | "secondReadAt" | "serials";

/**
 * What earlier reads of the claim and the account's other claims showed. Never looks up another account's tokens, nor
 * names a domain of another reference: what is said of a claim may be shown to whom it is for.
 */
export const historyOf = (
  { db, settings, random }: Pick<Context, "db" | "settings" | "random">,
  { accountId, domainId }: Pick<ClaimRow, "accountId" | "domainId">,
  earlier: Pick<VerificationRow, Remembered> = { ...UNREAD, serials: null },
): History => ({
  firstSerial: earlier.firstSerial,
  partialSince: earlier.partialSince,
  resolversDue: earlier.resolversDue,
  secondReadAt: earlier.secondReadAt,
  chance: random(),
  serials: memoryOf(earlier.serials),
  otherSerials: (zone) =>
    serialsInZone(db)
      .all({ accountId, zone })
      .flatMap(({ serials }) => memoryOf(serials) ?? []),
  // Lazy: needed only if another record exists at the name, which is rare.
  get endedTokens() {
    return db
      .select({ token: claims.token, endedAt: sql<number>`${claims.endedAt}` })
      .from(claims)
      .where(and(eq(claims.domainId, domainId), isNotNull(claims.endedAt)))
      .orderBy(desc(claims.createdAt), desc(claims.id))
      .limit(100)
      .all();
  },
  domainOf: (token) =>
    db
      .select({ name: claims.name })
      .from(claims)
      .where(
        and(
          eq(claims.token, token),
          eq(claims.accountId, accountId),
          ne(claims.domainId, domainId),
          sql`${claims.reference} = (select reference from domains where id = ${domainId})`,
        ),
      )
      .get()?.name ?? null,
  tokenPrefix: settings.tokenPrefix,
});

const oldestReads = prepared((db) =>
  db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(claims)
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .innerJoin(
      attemptEvidence,
      eq(
        attemptEvidence.attemptId,
        sql`(select a.id from ${attempts} a join ${attemptEvidence} e on e.attempt_id = a.id where a.verification_id = ${verifications.id} and json_array_length(e.evidence, '$.servers') > 0 order by a.at, a.id limit 1)`,
      ),
    )
    .where(eq(claims.domainId, sql.placeholder("domainId")))
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(limitBy(3))
    .prepare(),
);

/** Nameservers delegated at the first reads of a name's three newest claims, the newest claim first. */
export const formerNameservers = (
  { db }: Pick<Context, "db">,
  { domainId }: Pick<ClaimRow, "domainId">,
): string[] =>
  oldestReads(db)
    .all({ domainId })
    .flatMap((row) => storedSummary(row).servers.map(({ host }) => host));

/** Warns about what only the operator can fix. */
function warnOperator(ctx: Context, { limit, servers, domain, witnesses }: Observation): void {
  // Without a valid certificate, anyone on the uplink could be answering for the witness.
  for (const { name, address, result } of witnesses ?? [])
    if (result === "untrusted")
      ctx.log.warn({ witness: name, address }, "a witness's certificate is invalid");
  if (limit === "tcp")
    ctx.log.warn({ domain }, "this server cannot open TCP connections to port 53");
  else if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    ctx.log.warn(
      { domain },
      "this server has no IPv6, and the zone's nameservers have only IPv6 addresses",
    );
}

type Judgement = Pick<ReadResult, "decision" | "evidence" | "seen" | "chain" | "progress">;

const FAILED_HERE: Judgement = {
  decision: { outcome: "unresolvable" },
  evidence: null,
  seen: null,
  chain: null,
  progress: {},
};

/** Judges an observation. A failure to judge counts as a failure on this side, never as a proof. */
function judge(
  ctx: Context,
  { claim, verification }: ClaimRows,
  observation: Observation,
): Judgement {
  try {
    const history = historyOf(ctx, claim, verification);
    const evidence = evidenceOf(observation);
    const decision = decide(observation, history);
    return {
      decision,
      evidence: JSON.stringify(evidence),
      seen: seenBy(decision, evidence),
      chain: observation.chain,
      progress: progressOf(observation, history),
    };
  } catch (error) {
    ctx.log.error({ err: error, verificationId: verification.id }, "DNS read could not be judged");
    return FAILED_HERE;
  }
}

/** Writes the outcome of a read, and returns the rows as they are then; null if they are gone. */
export const recordRead = (
  ctx: Context,
  run: LeasedRun,
  read: ReadResult,
): Promise<ClaimRows | null> => commit(ctx, (tx, ctx) => writeRead(ctx, tx, run, read));

/**
 * One read of a leased verification, from the question to the committed outcome: the rows then. Returns null and writes
 * nothing if `signal` cut it off or the time it ended is not known, and AddressFull, with nothing written, if it has to
 * be made again. `forced` is called more than once, because a forced run may join while the read is under way.
 */
export async function runCheck(
  ctx: Context,
  run: LeasedRun,
  signal: AbortSignal,
  forced: () => boolean,
): Promise<ClaimRows | AddressFull | null> {
  const startedAt = ctx.clock();
  const { claim, verification } = run;
  const question = {
    domain: claim.name,
    label: claim.challengeLabel,
    token: claim.token,
    formerNameservers: () => formerNameservers(ctx, claim),
    isAwaited: forced,
    before: () => (forced() ? null : earlierRead(ctx.db, verification.seen)),
  };
  const observation = await observe(ctx, question, { verificationId: verification.id }, signal);
  if (observation instanceof AddressFull) return observation;
  const endedAt = ctx.clock();
  if ((!observation && signal.aborted) || !isTimeKnown(ctx)) return null;
  if (observation) warnOperator(ctx, observation);
  const judgement = observation ? judge(ctx, run, observation) : FAILED_HERE;
  const after = await recordRead(ctx, run, { ...judgement, startedAt, endedAt, forced: forced() });
  const zone = judgement.progress.zone ?? verification.zone;
  wantRegistry(ctx, { name: claim.name, zone }, judgement.decision);
  ctx.onRead?.(judgement.decision);
  return after;
}
