import type { Diagnosis, HeldAnswer } from "../verdict/diagnosis.ts";
import type { Advice, Explanation, Paste } from "./fixes.ts";
import type { RecordLocation } from "./providers.ts";
import { explainLameDelegation } from "./sentences-nameservers.ts";
import { explainNotPublished } from "./sentences-published.ts";
import { explainRecord } from "./sentences-record.ts";
import { explainServfail } from "./sentences-servfail.ts";
import { durationInWords, zoneOf } from "./wording.ts";

export type Sentences = Pick<Explanation, "cause" | "fix">;

const HELD_WORDS: Record<HeldAnswer, string> = {
  nothing: 'still have "not found" cached',
  earlier_token: "still have the value of an earlier claim cached",
  other_values: "still have the old value cached",
};

/** Explains a diagnosis in the vocabulary of the panel in which the zone is edited. */
export const explain = (diagnosis: Diagnosis, place: RecordLocation): Explanation => ({
  pastes: [],
  ...adviceOn(diagnosis, place),
});

function adviceOn(diagnosis: Diagnosis, place: RecordLocation): Advice {
  switch (diagnosis.code) {
    case "not_published":
      return explainNotPublished(diagnosis, place);
    case "servfail":
      return explainServfail(diagnosis.observed, place);
    case "lame_delegation":
      return explainLameDelegation(diagnosis, place);
    case "negative_cache":
      return {
        cause: `Every nameserver of ${zoneOf(place)} that answers has the record. Public resolvers ${HELD_WORDS[diagnosis.observed.held ?? "nothing"]}.`,
        fix: `Leave the record as it is for ${durationInWords(diagnosis.observed.secondsRemaining)}, until the cached answer expires.`,
      };
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
