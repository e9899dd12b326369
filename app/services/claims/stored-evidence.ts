import { summaryOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence, EvidenceSummary } from "#app/dns/verdict/observation.ts";
import { nameserverCount } from "#app/dns/verdict/publication-status.ts";

/** A row of attempt_evidence: JSON of an Evidence, or of its summary once trimmed. */
export type StoredEvidence = { evidence: string; trimmed: boolean };

/** Evidence as stored with its attempt, before it is trimmed. */
export const fullEvidence = (evidence: string): Evidence => JSON.parse(evidence);

/** Nameserver counts from a full Evidence, as stored with the proof; null if the read saw no delegation. */
export const nameserversIn = (evidence: Evidence): string | null => {
  const count = nameserverCount(evidence);
  return count && JSON.stringify(count);
};

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));
