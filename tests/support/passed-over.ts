import { appendFileSync, mkdirSync } from "node:fs";
import { relative } from "node:path";
import { findSoftware } from "../lab/software.ts";

const REPORTS = ".cache/reports";

/** Says that tests of this file are passed over, here and in the last lines of `npm test`. Returns true. */
export function notePassedOver(path: string, want: string): true {
  console.warn(`passed over, for want of ${want}`);
  mkdirSync(REPORTS, { recursive: true });
  const file = relative(process.cwd(), path);
  appendFileSync(`${REPORTS}/passed-over.txt`, `${file}: for want of ${want}\n`);
  return true;
}

/** Whether tests of this file that call these programs are to be passed over. In CI they are not, and fail without. */
export function lacksIn(path: string, programs: readonly string[]): boolean {
  const { missing } = findSoftware(programs);
  return missing.length > 0 && !process.env.CI && notePassedOver(path, missing.join(", "));
}
