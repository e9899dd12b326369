/** Characters a value or name is shown with at most. */
export const VISIBLE_LENGTH = 255;

// \p{C}: control, format (bidi and zero-width among them), surrogate, private and unassigned code points.
// The rest render as nothing or as a gap that looks like a plain space.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/u;

/** Most text by far: nothing in it needs a look. */
const PLAIN = /^[ -~]*$/;

const spell = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Text somebody else wrote, fit to be shown, logged and mailed: control, bidi, zero-width and blank characters as
 * `\u{202e}`, at most `limit` UTF-16 units, an ellipsis standing for the rest. Its own output comes back unchanged.
 */
export function escapeUntrusted(text: string, limit = VISIBLE_LENGTH): string {
  if (text.length <= limit && PLAIN.test(text)) return text;
  let shown = "";
  let kept = 0;
  for (const character of text) {
    const piece = INVISIBLE.test(character) ? spell(character) : character;
    if (shown.length + piece.length > limit) return `${shown.slice(0, kept)}…`;
    shown += piece;
    // What still leaves room for the ellipsis.
    if (shown.length < limit) kept = shown.length;
  }
  return shown;
}
