import type { Corruption, ObservedByCode } from "../verdict/diagnosis.ts";
import type { Explanation } from "./explanation.ts";
import { addRecord, nameOf, replaceValue } from "./fixes.ts";
import type { RecordLocation } from "./providers.ts";
import { listed } from "./wording.ts";

const DAMAGE_WORDS: Record<Corruption, string> = {
  quoted: "quotation marks or escape characters",
  whitespace: "spaces or line breaks",
  prefix: "text in front of the token",
  suffix: "text behind the token",
  case: "capital letters",
  truncated: "a part of the token missing",
};

/** Words for a value at the right name that is not the token as it was given. */
export function explainValue(
  observed: ObservedByCode["value_formatted"],
  place: RecordLocation,
): Explanation {
  const { value, damage, pieces, others } = observed;
  if (pieces !== undefined)
    return addRecord(
      place,
      `The token is split over ${pieces} TXT values at ${nameOf(place)}, and it counts only in one piece.`,
      `remove its pieces${others ? ", leave the other values as they are," : ""} and add one TXT record`,
    );
  return replaceValue(
    place,
    `The record stands at the right name, but its value has ${listed(corruptionWords(value, damage, place.token))}.`,
    others,
  );
}

/** What stands in the way in a value, as it is shown. Spaces that are only between words around the token are no trouble of their own. */
export function corruptionWords(
  value: string,
  damage: readonly Corruption[],
  token: string,
): string[] {
  const isAround = damage.includes("prefix") || damage.includes("suffix");
  const hasOwnGaps = !isAround || value !== value.trim() || !value.includes(token);
  return damage
    .filter((kind) => kind !== "whitespace" || hasOwnGaps)
    .map((kind) => (kind === "quoted" ? quotedWords(value) : DAMAGE_WORDS[kind]));
}

/** What a value was quoted with, as it is shown: `\u{…}` is a character made visible. */
function quotedWords(value: string): string {
  const marks = value.replace(/\\u\{[0-9a-f]+\}/g, "");
  if (!marks.includes("\\")) return "quotation marks";
  return /["'`]/.test(marks) ? DAMAGE_WORDS.quoted : "backslashes";
}
