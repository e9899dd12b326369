import { randomInt } from "node:crypto";

/** A copy in random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: randomInt(0x1_0000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
