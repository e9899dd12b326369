import type { EarlierRead } from "@deed/dns/resolve/reader.ts";
import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { type EvidenceSummary, type ReadDigest, summaryOf } from "@deed/dns/verdict/evidence.ts";
import { type History, NO_READS } from "@deed/dns/verdict/history.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { iso } from "#app/core/time.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { attemptEvidence, attempts, claims, verifications } from "#db/schema.ts";
import type { ClaimRow, VerificationRow } from "./transition.ts";

/** A row of attempt_evidence: `evidence` is the JSON of an Evidence, or of its summary once trimmed. */
type StoredEvidence = { evidence: string; trimmed: boolean };

const storedEvidence = { evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed };

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));

/** What reads saw since the verdict last changed. `reads` has the oldest first, each with the attempt of its evidence. */
type Memory = Omit<ReadDigest, "facts" | "answers"> & {
  reads: { facts: string; attemptId: string }[];
  /** The servers' last answers, and the attempt whose evidence has them; null if the next read must search again. */
  last: { answers: string; attemptId: string } | null;
};

const MAX_READS = 8;

const EMPTY_MEMORY: Memory = {
  verdict: null,
  reads: [],
  last: null,
  addresses: [],
  held: [],
  tried: [],
  known: null,
  outside: undefined,
};

/** Returns what earlier reads saw. `seen` is a Memory as JSON; from older versions, it lacks some fields. */
export const memoryOf = (seen: string | null): Memory => ({
  ...EMPTY_MEMORY,
  ...(seen && JSON.parse(seen)),
});

/** Finds the attempt since the last change of verdict that saw the same as `seen`, and makes the next Memory as JSON. */
export function repeatOf(before: string | null, seen: ReadDigest | null, id: string) {
  if (!seen) return { sameAs: null, seen: before };
  const memory = memoryOf(before);
  const { facts, answers, addresses, outside = memory.outside, ...newFields } = seen;
  const verdict = newFields.verdict ?? memory.verdict;
  const earlierReads = verdict === memory.verdict ? memory.reads : [];
  const sameRead = earlierReads.find((read) => read.facts === facts);
  const attemptId = sameRead?.attemptId ?? id;
  const reads = sameRead ? earlierReads : [...earlierReads, { facts, attemptId }].slice(-MAX_READS);
  // A read that failed on this side changes nothing.
  const last = answers === null ? null : { answers, attemptId };
  const nextMemory = {
    ...{ ...memory, ...newFields, verdict, reads, outside },
    ...(newFields.verdict !== null && { last, addresses }),
  };
  return { sameAs: sameRead?.attemptId ?? null, seen: JSON.stringify(nextMemory satisfies Memory) };
}

const diagnosis = sql<string | null>`ifnull(attempts.diagnosis,
  (select o.diagnosis from attempts o where o.id = attempts.same_as))`;

/** Lists the attempts of a verification, newest first. */
export const attemptsOf = (db: Db, verificationId: string) => {
  const { id, trigger, outcome, latencyMs, at } = attempts;
  return db
    .select({ id, trigger, outcome, latencyMs, at, diagnosis })
    .from(attempts)
    .where(eq(attempts.verificationId, verificationId))
    .orderBy(desc(at), desc(id))
    .all()
    .map(({ at, diagnosis, ...read }) => {
      const found: Diagnosis | null = diagnosis && JSON.parse(diagnosis);
      return { ...read, at: iso(at), diagnosis: found };
    });
};

export const evidenceOfAttempt = sql<string>`ifnull(attempts.same_as, attempts.id)`;

/** Returns what the proving read saw; null if the claim is not proved. */
export function provingEvidence(db: Db | Tx, claimId: string): EvidenceSummary | null {
  const row = db
    .select(storedEvidence)
    .from(verifications)
    .innerJoin(attempts, eq(attempts.verificationId, verifications.id))
    .innerJoin(attemptEvidence, eq(attemptEvidence.attemptId, attempts.id))
    .where(and(eq(verifications.claimId, claimId), sql`${attempts.outcome} = 'found'`))
    .get();
  return row ? storedSummary(row) : null;
}

const hasId = eq(attemptEvidence.attemptId, sql.placeholder("id"));
const evidenceById = prepared((db) => db.select(storedEvidence).from(attemptEvidence).where(hasId));

/** Returns what the last read saw, by its verification's `seen`; null if part of that was trimmed. */
export function earlierRead(db: Db, seen: string | null): EarlierRead | null {
  const { last } = memoryOf(seen);
  const row = last && evidenceById(db).get({ id: last.attemptId });
  if (!row || row.trimmed) return null;
  const findings: Evidence = JSON.parse(row.evidence);
  const isCut = findings.misplaced.some(({ value }) => value.endsWith("…"));
  return isCut ? null : { answers: last.answers, findings };
}

/** Returns the history of a claim, without other accounts' tokens and other references' domains: strangers may see a diagnosis. */
export const historyOf = (
  { db, settings, random }: Pick<Context, "db" | "settings" | "random">,
  { accountId, domainId }: Pick<ClaimRow, "accountId" | "domainId">,
  earlier: Pick<VerificationRow, keyof typeof NO_READS & keyof VerificationRow> = NO_READS,
): History => ({
  ...earlier,
  chance: random(),
  // A getter, because tokens are only needed if another record is at the name, which is rare.
  get endedTokens() {
    return db
      .select({ token: claims.token, endedAt: sql<number>`${claims.endedAt}`, state: claims.state })
      .from(claims)
      .where(and(eq(claims.domainId, domainId), isNotNull(claims.endedAt)))
      .orderBy(desc(claims.createdAt), desc(claims.id))
      .limit(100)
      .all()
      .map(({ state, ...ended }) => ({ ...ended, proved: state === "proved" }));
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

const firstEvidence = prepared((db) =>
  db
    .select(storedEvidence)
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
    .limit(3),
);

/** Returns the nameservers delegated at the first reads of a domain's three newest claims, newest claim first. */
export const formerNameservers = (db: Db, domainId: string) =>
  firstEvidence(db)
    .all({ domainId })
    .flatMap((row) => storedSummary(row).servers.map(({ host }) => host));
