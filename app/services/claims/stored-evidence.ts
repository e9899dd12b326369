import { summaryOf } from "#app/dns/verdict/evidence.ts";
import type { Evidence, EvidenceSummary } from "#app/dns/verdict/observation.ts";
import { nameserverCount } from "#app/dns/verdict/publication-status.ts";

/** A row of attempt_evidence: JSON of an Evidence, or once trimmed of its summary. */
export type StoredEvidence = { evidence: string; trimmed: boolean };

export const storedEvidence = ({ evidence }: StoredEvidence): Evidence | EvidenceSummary =>
  JSON.parse(evidence);

/** What the nameservers said, out of an evidence in full, as it is kept with the proof. */
export const nameserversIn = (evidence: string): string | null => {
  const count = nameserverCount(JSON.parse(evidence) as Evidence);
  return count && JSON.stringify(count);
};

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));
