import type { Diagnosis } from "../verdict/diagnosis.ts";
import type { Explanation, Paste } from "./explanation.ts";
import type { RecordLocation } from "./providers.ts";
import { explainRecord } from "./sentences-record.ts";
import { explainZone } from "./sentences-zone.ts";

export type Sentences = Pick<Explanation, "cause" | "fix">;

/** The words for a diagnosis, in the vocabulary of the panel the zone is edited in. */
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

/** `cause` and `fix` of a diagnosis, as API, screens and mails show them: plain text, no markup. */
export function sentencesFor(diagnosis: Diagnosis, place: RecordLocation): Sentences {
  const { cause, fix } = explain(diagnosis, place);
  return { cause, fix };
}

/** What the fix asks to paste, for copy buttons; empty where it asks for nothing to be pasted. */
export const pastesFor = (diagnosis: Diagnosis, place: RecordLocation): Paste[] =>
  explain(diagnosis, place).pastes;
