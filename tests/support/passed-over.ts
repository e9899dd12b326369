import { appendFileSync, mkdirSync } from "node:fs";
import { relative } from "node:path";
import { findSoftware } from "../lab/software.ts";

const REPORTS = ".cache/reports";

/** Notes that tests of this file are skipped, here and in the last lines of `npm test`. Returns true. */
export function notePassedOver(path: string, want: string): true {
  console.warn(`passed over, for want of ${want}`);
  mkdirSync(REPORTS, { recursive: true });
  const file = relative(process.cwd(), path);
  appendFileSync(`${REPORTS}/passed-over.txt`, `${file}: for want of ${want}\n`);
  return true;
}

/** Whether to skip tests of this file that call these programs. In CI they are not skipped, and fail without them. */
export function lacksIn(path: string, programs: readonly string[]): boolean {
  const { missing } = findSoftware(programs);
  return missing.length > 0 && !process.env.CI && notePassedOver(path, missing.join(", "));
}
