import { summaryOf } from "#app/dns/evidence.ts";
import type { Evidence, EvidenceSummary } from "#app/dns/observation.ts";

/** A row of attempt_evidence: JSON of an Evidence, or once trimmed of its summary. */
export type StoredEvidence = { evidence: string; trimmed: boolean };

export const storedEvidence = ({ evidence }: StoredEvidence): Evidence | EvidenceSummary =>
  JSON.parse(evidence);

export const storedSummary = ({ evidence, trimmed }: StoredEvidence): EvidenceSummary =>
  trimmed ? JSON.parse(evidence) : summaryOf(JSON.parse(evidence));
