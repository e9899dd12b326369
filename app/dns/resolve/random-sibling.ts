import { parentOf, under } from "../names.ts";
import { randomBelow } from "../wire/random.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/**
 * A sibling of `name` nobody has created: its first label replaced by random letters.
 * What answers there is a wildcard. Never longer than the name, from 16 octets of first label up.
 */
export function randomSibling(name: string): string | null {
  let label = "_";
  for (let count = 0; count < 15; count += 1) label += ALPHABET[randomBelow(ALPHABET.length)] ?? "";
  return under(label, parentOf(name));
}
