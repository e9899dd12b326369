import type { EarlierRead } from "@deed/dns/resolve/reader.ts";
import { type Seen, summaryOf } from "@deed/dns/verdict/evidence.ts";
import type { Evidence, EvidenceSummary } from "@deed/dns/verdict/observation.ts";
import { and, eq, sql } from "drizzle-orm";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";

/** A row of attempt_evidence: JSON of an Evidence, or of its summary once trimmed. */
type StoredEvidence = { evidence: string; trimmed: boolean };

/** Evidence as stored with its attempt, before it is trimmed. */
export const fullEvidence = (evidence: string): Evidence => JSON.parse(evidence);

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));

/** What reads saw since the verdict last changed, and the attempts that have their evidence, oldest first. */
type Memory = {
  verdict: string | null;
  reads: { facts: string; attemptId: string }[];
  /** What the servers answered last, and the attempt that has the evidence; null if the next read must search anew. */
  last: { answers: string; attemptId: string } | null;
  /** Addresses of the nameservers. */
  addresses: string[];
};

/** Enough for servers that answer now and then. */
const MOST_READS = 8;

/** What is stored of a read: the attempt whose evidence it shares, and the memory for the next read. */
type Repeat = { sameAs: string | null; seen: string | null };

const NOTHING: Memory = { verdict: null, reads: [], last: null, addresses: [] };

/** `seen`: JSON of a Memory, which may lack what older versions did not keep. */
const memoryOf = (seen: string | null): Memory => ({ ...NOTHING, ...(seen && JSON.parse(seen)) });

/** What the read before saw, as the next one needs it. */
export const lastSeen = (seen: string | null): Pick<Memory, "last" | "addresses"> => memoryOf(seen);

/**
 * Finds the read that saw the same since the verdict last changed. `before`: JSON of a Memory. `seen`: null if nothing
 * was seen. Without such a read, attempt `id` keeps its own evidence.
 */
export function repeatOf(before: string | null, seen: Seen | null, id: string): Repeat {
  if (!seen) return { sameAs: null, seen: before };
  const memory = memoryOf(before);
  const verdict = seen.verdict ?? memory.verdict;
  const known = verdict === memory.verdict ? memory.reads : [];
  const same = known.find(({ facts }) => facts === seen.facts);
  const attemptId = same?.attemptId ?? id;
  const reads = same ? known : [...known, { facts: seen.facts, attemptId }].slice(-MOST_READS);
  const { answers, addresses } = seen;
  // A failure on our side changes nothing.
  const last = answers === null ? null : { answers, attemptId };
  const kept = { ...memory, verdict, reads, ...(seen.verdict !== null && { last, addresses }) };
  return { sameAs: same?.attemptId ?? null, seen: JSON.stringify(kept satisfies Memory) };
}

/** In a query of attempts: the diagnosis, which may be that of the attempt that saw the same. */
export const diagnosisOfAttempt = sql<string | null>`ifnull(attempts.diagnosis,
  (select o.diagnosis from attempts o where o.id = attempts.same_as))`;

/** In a query of attempts: the attempt that has the evidence. */
export const evidenceOfAttempt = sql<string>`ifnull(attempts.same_as, attempts.id)`;

/** What the read saw that proved a claim; null if the claim is not proved. */
export function foundEvidence(db: Db | Tx, claimId: string): EvidenceSummary | null {
  const row = db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(verifications)
    .innerJoin(attempts, eq(attempts.verificationId, verifications.id))
    .innerJoin(attemptEvidence, eq(attemptEvidence.attemptId, attempts.id))
    .where(and(eq(verifications.claimId, claimId), eq(attempts.outcome, "found")))
    .get();
  return row ? storedSummary(row) : null;
}

const evidenceOfId = prepared((db) =>
  db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(attemptEvidence)
    .where(eq(attemptEvidence.attemptId, sql.placeholder("id")))
    .prepare(),
);

/** What the read before saw, by the `seen` of its verification; null if that is not known in full. */
export function earlierRead(db: Db, seen: string | null): EarlierRead | null {
  const { last } = lastSeen(seen);
  const row = last && evidenceOfId(db).get({ id: last.attemptId });
  if (!row || row.trimmed) return null;
  const findings = fullEvidence(row.evidence);
  const isCut = findings.misplaced.some(({ value }) => value.endsWith("…"));
  return isCut ? null : { answers: last.answers, findings };
}
