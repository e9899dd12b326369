import type { Diagnosis, HeldAnswer } from "../verdict/diagnosis.ts";
import type { Explanation } from "./explanation.ts";
import { zoneOf } from "./place-words.ts";
import type { RecordLocation } from "./providers.ts";
import { explainLameDelegation } from "./sentences-nameservers.ts";
import { explainNotPublished } from "./sentences-published.ts";
import { explainServfail } from "./sentences-servfail.ts";
import { durationInWords } from "./wording.ts";

type Of<C extends Diagnosis["code"]> = Extract<Diagnosis, { code: C }>;
type ZoneDiagnosis = Of<"not_published" | "negative_cache" | "servfail" | "lame_delegation">;

const HELD_WORDS: Record<HeldAnswer, string> = {
  nothing: "remember that it was not there",
  earlier_token: "hold the token of an earlier claim that stood there before",
  other_values: "hold what stood there before",
};

/** Explains what is wrong with the zone rather than the record. */
export function explainZone(diagnosis: ZoneDiagnosis, place: RecordLocation): Explanation {
  switch (diagnosis.code) {
    case "not_published":
      return explainNotPublished(diagnosis, place);
    case "servfail":
      return explainServfail(diagnosis.observed, place);
    case "lame_delegation":
      return explainLameDelegation(diagnosis, place);
    case "negative_cache":
      return {
        cause: `Every nameserver of ${zoneOf(place)} that answers has the record, but public resolvers still ${HELD_WORDS[diagnosis.observed.held ?? "nothing"]}.`,
        fix: `Leave the record as it is for ${durationInWords(diagnosis.observed.secondsRemaining)}, until resolvers ask again.`,
        pastes: [],
      };
  }
}
