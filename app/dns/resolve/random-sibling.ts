import { parentOf, under } from "../names.ts";
import { randomBelow } from "../wire/random.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/**
 * A sibling of `name` that nobody has created: its first label replaced by random letters. If it has records, a
 * wildcard matches it. Not longer than `name` if its first label has at least 16 octets; null if the sibling cannot be
 * queried.
 */
export function randomSibling(name: string): string | null {
  let label = "_";
  for (let count = 0; count < 15; count += 1) label += ALPHABET[randomBelow(ALPHABET.length)] ?? "";
  return under(label, parentOf(name));
}
