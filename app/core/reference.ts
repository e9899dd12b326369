import { UNSEEN } from "@deed/dns/verdict/escape-untrusted.ts";

const TAGGED_FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** Matches an emoji or ideograph with a variation selector, also at the end of a word or before a joiner. */
const WITH_SELECTOR =
  /([\p{Extended_Pictographic}\p{Ideographic}])\p{Variation_Selector}(?!\p{Variation_Selector})/gu;

/** Matches one joiner (U+200C, U+200D) or variation selector within a word. */
const JOINER =
  /(?<=[^\s\p{Join_Control}\p{Variation_Selector}])[\p{Join_Control}\p{Variation_Selector}](?=[^\s\p{Join_Control}\p{Variation_Selector}])/gu;

/** Whether a text has no control, bidi or invisible characters, no blank except spaces, and no two joiners in a row. */
export const isVisible = (text: string): boolean =>
  !UNSEEN.test(text.replace(TAGGED_FLAG, "🏴").replace(WITH_SELECTOR, "$1").replace(JOINER, ""));

/** The longest reference, in characters (code points). */
export const MAX_REFERENCE = 200;

export const REFERENCE_RULE = `1 to ${MAX_REFERENCE} visible characters, without a space at either end`;

/** References are compared octet by octet; nothing is trimmed or normalised. */
export const isReference = (text: string): boolean =>
  text !== "" &&
  // A code point has at most two UTF-16 units.
  text.length <= 2 * MAX_REFERENCE &&
  Array.from(text).length <= MAX_REFERENCE &&
  text.trim() === text &&
  isVisible(text);
