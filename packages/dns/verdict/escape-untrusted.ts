/** The longest text that is shown, in UTF-16 units. */
export const MAX_VISIBLE_LENGTH = 255;

/** Control, format (also bidi and zero-width), surrogate, private and unassigned code points, and blank ones. */
export const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}]/u;

/** Besides UNSEEN, this matches spaces that look like the plain space. */
const INVISIBLE_CHARACTER = new RegExp(`${UNSEEN.source}|(?! )\\p{Zs}`, "u");

const PLAIN_TEXT = /^[ -~]*$/;

const escapeCharacter = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Makes text safe to show, log and mail: escapes UNSEEN (`\u{202e}`), ends at `limit` units with "…". Idempotent. */
export function escapeUntrusted(text: string, limit = MAX_VISIBLE_LENGTH): string {
  if (text.length <= limit && PLAIN_TEXT.test(text)) return text;
  let shown = "";
  let keptLength = 0;
  for (const character of text) {
    const piece = INVISIBLE_CHARACTER.test(character) ? escapeCharacter(character) : character;
    if (shown.length + piece.length > limit) return `${shown.slice(0, keptLength)}…`;
    shown += piece;
    // This is the longest text that leaves room for the ellipsis.
    if (shown.length < limit) keptLength = shown.length;
  }
  return shown;
}

const STEERING_CHARACTERS = new RegExp(`(?!\\n)(?:${INVISIBLE_CHARACTER.source})`, "gu");
const PLAIN_LINES = /^[\n -~]*$/;

const escapeAsJson = (character: string) =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Makes text safe for terminals. Keeps line breaks, and escapes as JSON does (`\u202e`). Idempotent. */
export const escapePrinted = (text: string): string =>
  PLAIN_LINES.test(text) ? text : text.replace(STEERING_CHARACTERS, escapeAsJson);

/** Escapes every string in a plain JSON value. `keep` says which items of the list `key` stay. */
export function escapeAll<T>(
  value: T,
  keep = (items: unknown[], _key: string) => items,
  limit = MAX_VISIBLE_LENGTH,
  key = "",
): T {
  if (typeof value === "string") return escapeUntrusted(value, limit) as T;
  if (Array.isArray(value))
    return keep(value, key).map((item) => escapeAll(item, keep, limit)) as T;
  if (value === null || typeof value !== "object") return value;
  const escaped = ([name, entry]: [string, unknown]) => [name, escapeAll(entry, keep, limit, name)];
  return Object.fromEntries(Object.entries(value).map(escaped)) as T;
}
