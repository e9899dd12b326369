import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const FOLDER = ".cache/reports";

/** Prints a measured figure. With `file`, also stores it there, with the others of the run. */
export function printFigure(name: string, value: string | number, file: string | null): void {
  console.log(`figure  ${name}: ${value}`);
  if (file === null) return;
  const path = `${FOLDER}/${file}`;
  mkdirSync(FOLDER, { recursive: true });
  const known = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  writeFileSync(path, `${JSON.stringify({ ...known, [name]: String(value) }, null, 2)}\n`);
}

/** The value below which `share` of the numbers are; 0 if there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export const spread = (numbers: readonly number[], unit: string): string =>
  `median ${quantile(numbers, 0.5).toFixed(1)}, p99 ${quantile(numbers, 0.99).toFixed(1)}, most ${quantile(numbers, 1).toFixed(1)} ${unit} (of ${numbers.length})`;
