import { summaryOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence, EvidenceSummary } from "#app/dns/verdict/observation.ts";
import { nameserverCount } from "#app/dns/verdict/publication-status.ts";

/** A row of attempt_evidence: JSON of an Evidence, or of its summary once trimmed. */
export type StoredEvidence = { evidence: string; trimmed: boolean };

/** Nameserver counts from a full Evidence, as stored with the proof; null if the read saw no delegation. */
export const nameserversIn = (evidence: string): string | null => {
  const count = nameserverCount(JSON.parse(evidence) as Evidence);
  return count && JSON.stringify(count);
};

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));
