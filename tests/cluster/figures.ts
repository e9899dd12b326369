import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const FILE = ".cache/reports/cluster-figures.json";

function known(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {};
  }
}

/** Prints a measured figure and stores it with the others of the run. */
export function figure(name: string, value: string | number): void {
  console.log(`figure  ${name}: ${value}`);
  mkdirSync(".cache/reports", { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ ...known(), [name]: String(value) }, null, 2)}\n`);
}

/** The value below which `share` of the sorted numbers lie. */
export function quantile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Median, p99 and maximum, in the given unit. */
export const spread = (numbers: number[], unit: string): string =>
  [
    `median ${quantile(numbers, 0.5).toFixed(1)} ${unit}`,
    `p99 ${quantile(numbers, 0.99).toFixed(1)} ${unit}`,
    `most ${Math.max(...numbers).toFixed(1)} ${unit}`,
    `of ${numbers.length}`,
  ].join(", ");

/** A size that a long run raises: `CLUSTER_<NAME>=50`. */
export const sizeOf = (name: string, usual: number): number =>
  Number(process.env[`CLUSTER_${name}`] ?? usual);
