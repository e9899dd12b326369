import type { Corruption, ObservedByCode } from "../verdict/diagnosis.ts";
import { type Advice, addRecord, nameOf, replaceValue } from "./fixes.ts";
import type { RecordLocation } from "./providers.ts";
import { joinList } from "./wording.ts";

const DAMAGE_WORDS: Record<Corruption, string> = {
  quoted: "quotation marks or escape characters",
  whitespace: "spaces or line breaks",
  prefix: "extra text at the start",
  suffix: "extra text at the end",
  case: "capital letters",
  truncated: "a part missing",
};

/** Explains a value at the right name that is not exactly the token. */
export function explainValue(
  observed: ObservedByCode["value_formatted"],
  place: RecordLocation,
): Advice {
  const { value, damage, pieces, others } = observed;
  if (pieces !== undefined)
    return addRecord(
      place,
      `The value is split into ${pieces} TXT records at ${nameOf(place)}. It must be in one.`,
      `remove the pieces${others ? ", keep the other values," : ""} and add one TXT record`,
    );
  return replaceValue(
    place,
    `The name is right, but the value has ${joinList(corruptionWords(value, damage, place.token))}.`,
    others,
  );
}

/** Names the damage in a value as shown. Omits white space if it only separates the token from words around it. */
function corruptionWords(value: string, damage: readonly Corruption[], token: string): string[] {
  const isAround = damage.includes("prefix") || damage.includes("suffix");
  const hasOwnGaps = !isAround || value !== value.trim() || !value.includes(token);
  return damage
    .filter((kind) => kind !== "whitespace" || hasOwnGaps)
    .map((kind) => (kind === "quoted" ? quotedWords(value) : DAMAGE_WORDS[kind]));
}

/** What a value was quoted with, judged by its escaped form, in which `\u{…}` stands for one character. */
function quotedWords(value: string): string {
  const marks = value.replace(/\\u\{[0-9a-f]+\}/g, "");
  if (!marks.includes("\\")) return "quotation marks";
  return /["'`]/.test(marks) ? DAMAGE_WORDS.quoted : "backslashes";
}
