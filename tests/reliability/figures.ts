import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const FILE = ".cache/reports/reliability-figures.json";

/** `npm run reliability` uses the full sizes; `npm test` runs the short ones. */
export const isFull = process.env.RELIABILITY === "full";

/** A number of rounds, rows or milliseconds: `full` in a full run, otherwise `short`. */
export const sized = (short: number, full: number): number => (isFull ? full : short);

function known(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {};
  }
}

/** Prints a measured figure; those of a full run are stored for docs/reliability.md. */
export function figure(name: string, value: string | number): void {
  console.log(`figure  ${name}: ${value}`);
  if (!isFull) return;
  mkdirSync(".cache/reports", { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ ...known(), [name]: String(value) }, null, 2)}\n`);
}

/** The value below which `share` of the numbers lie; 0 if there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Median, p99 and maximum, in the given unit. */
export const spread = (numbers: readonly number[], unit: string): string =>
  `median ${quantile(numbers, 0.5).toFixed(1)}, p99 ${quantile(numbers, 0.99).toFixed(1)}, most ${quantile(numbers, 1).toFixed(1)} ${unit} (of ${numbers.length})`;

/** Seeded numbers in [0, 1), so that a failing run can be repeated (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
