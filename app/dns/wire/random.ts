import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(4096);
let used = pool.length;

/** A byte from the system's generator, pooled because one system call per byte costs a microsecond. */
export function randomByte(): number {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  pool[used] = 0;
  used += 1;
  return byte;
}

/** 16 random bits. */
export function randomWord(): number {
  return (randomByte() << 8) | randomByte();
}

/** An unbiased integer from 0 to `limit` - 1, for limits up to 65,536. */
export function randomBelow(limit: number): number {
  const fair = 65_536 - (65_536 % limit);
  let word = randomWord();
  while (word >= fair) word = randomWord();
  return word % limit;
}

/** A copy in random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: randomWord() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
