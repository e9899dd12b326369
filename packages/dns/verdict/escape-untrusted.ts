/** In UTF-16 units. */
export const VISIBLE_LENGTH = 255;

/** Control, format (also bidi and zero-width), surrogate, private and unassigned code points, and blank ones. */
export const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}]/u;

/** UNSEEN, and spaces that look like the plain space. */
const INVISIBLE = new RegExp(`${UNSEEN.source}|(?! )\\p{Zs}`, "u");

const PLAIN = /^[ -~]*$/;

const spell = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Makes text safe to show, log and mail: escapes UNSEEN (`\u{202e}`), ends at `limit` units with "…". Idempotent. */
export function escapeUntrusted(text: string, limit = VISIBLE_LENGTH): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  let shown = "";
  let kept = 0;
  for (const character of text) {
    const piece = INVISIBLE.test(character) ? spell(character) : character;
    if (shown.length + piece.length > limit) return `${shown.slice(0, kept)}…`;
    shown += piece;
    // The longest piece that leaves room for the ellipsis.
    if (shown.length < limit) kept = shown.length;
  }
  return shown;
}

const STEERING_CHARACTERS = new RegExp(`(?!\\n)(?:${INVISIBLE.source})`, "gu");
const PLAIN_LINES = /^[\n -~]*$/;

const spellAsJson = (character: string) =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** For terminals: keeps line breaks, and escapes as JSON does (`\u202e`), so that JSON stays the same. Idempotent. */
export const escapePrinted = (text: string): string =>
  PLAIN_LINES.test(text) ? text : text.replace(STEERING_CHARACTERS, spellAsJson);

/** Escapes every string in a plain JSON value. `kept`: which items of the list `key` to keep. */
export function escapeAll<T>(
  value: T,
  kept = (items: unknown[], _key: string) => items,
  limit = VISIBLE_LENGTH,
  key = "",
): T {
  if (typeof value === "string") return escapeUntrusted(value, limit) as T;
  if (Array.isArray(value)) return kept(value, key).map((one) => escapeAll(one, kept, limit)) as T;
  if (value === null || typeof value !== "object") return value;
  const escaped = ([name, one]: [string, unknown]) => [name, escapeAll(one, kept, limit, name)];
  return Object.fromEntries(Object.entries(value).map(escaped)) as T;
}
