import { isVisible } from "./visible-text.ts";

/** The longest reference, in characters (code points). */
export const MAX_REFERENCE = 200;

/** What a reference may be, for messages. */
export const REFERENCE_RULE = `1 to ${MAX_REFERENCE} visible characters, without a space at either end`;

/**
 * Whether the text may be a reference: an account's own id of whom a domain is for. It is kept and compared exactly,
 * octet for octet; nothing is trimmed or normalised.
 */
export const isReference = (text: string): boolean =>
  text !== "" &&
  // A code point has at most two UTF-16 units.
  text.length <= 2 * MAX_REFERENCE &&
  Array.from(text).length <= MAX_REFERENCE &&
  text.trim() === text &&
  isVisible(text);
