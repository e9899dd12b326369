import type { Diagnosis } from "../verdict/diagnosis.ts";
import type { Explanation, Paste } from "./explanation.ts";
import type { RecordLocation } from "./providers.ts";
import { explainRecord } from "./sentences-record.ts";
import { explainZone } from "./sentences-zone.ts";

export type Sentences = Pick<Explanation, "cause" | "fix">;

/** Explains a diagnosis in the vocabulary of the panel in which the zone is edited. */
export function explain(diagnosis: Diagnosis, place: RecordLocation): Explanation {
  switch (diagnosis.code) {
    case "not_published":
    case "negative_cache":
    case "servfail":
    case "lame_delegation":
      return explainZone(diagnosis, place);
    default:
      return explainRecord(diagnosis, place);
  }
}

/** `cause` and `fix` of a diagnosis for API, screens and mails: plain text, no markup. */
export function sentencesFor(diagnosis: Diagnosis, place: RecordLocation): Sentences {
  const { cause, fix } = explain(diagnosis, place);
  return { cause, fix };
}

/** What the fix asks to paste, for copy buttons; empty if nothing. */
export const pastesFor = (diagnosis: Diagnosis, place: RecordLocation): Paste[] =>
  explain(diagnosis, place).pastes;
