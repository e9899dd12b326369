import { and, eq, sql } from "drizzle-orm";
import type { EvidenceSummary } from "#app/dns/verdict/observation.ts";
import type { Db, Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { attemptEvidence, attempts, verifications } from "#db/schema.ts";
import { storedSummary } from "./stored-evidence.ts";

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
