import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isFull } from "../support/size.ts";

const FOLDER = ".cache/reports";
const FILE = `${FOLDER}/reliability-figures.json`;

/** Prints a measured figure; those of a full run are stored for tests/evidence/reliability.md. */
export function figure(name: string, value: string | number): void {
  console.log(`figure  ${name}: ${value}`);
  if (!isFull) return;
  mkdirSync(FOLDER, { recursive: true });
  const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
  writeFileSync(FILE, `${JSON.stringify({ ...known, [name]: String(value) }, null, 2)}\n`);
}

/** The value below which `share` of the numbers are; 0 if there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
