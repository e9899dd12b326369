import { and, eq, sql } from "drizzle-orm";
import type { EarlierRead } from "#app/dns/resolve/reader.ts";
import type { EvidenceSummary } from "#app/dns/verdict/observation.ts";
import type { Db, Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import { lastSeen } from "./repeats.ts";
import { fullEvidence, storedSummary } from "./stored-evidence.ts";

/** In a query of attempts: the diagnosis, which may be that of the attempt that saw the same. */
export const diagnosisOfAttempt = sql<string | null>`ifnull(attempts.diagnosis,
  (select o.diagnosis from attempts o where o.id = attempts.same_as))`;

/** In a query of attempts: the attempt that has the evidence. */
export const evidenceOfAttempt = sql<string>`ifnull(attempts.same_as, attempts.id)`;

const ofProof = prepared((db) =>
  db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(verifications)
    .innerJoin(
      attempts,
      and(eq(attempts.verificationId, verifications.id), eq(attempts.outcome, sql.raw("'found'"))),
    )
    .innerJoin(attemptEvidence, eq(attemptEvidence.attemptId, attempts.id))
    .where(eq(verifications.claimId, sql.placeholder("claimId")))
    .prepare(),
);

/** What the read saw that proved a claim; null if the claim is not proved. */
export function foundEvidence(db: Db | Tx, claimId: string): EvidenceSummary | null {
  const row = ofProof(db).get({ claimId });
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
