import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { relative } from "node:path";
import { expect } from "vitest";
import { findSoftware } from "../lab/software.ts";
import { findChromium } from "./chromium.ts";

const REPORTS = ".cache/reports";

/** Says that tests of this file are passed over, here and in the last lines of `npm test`. Returns true. */
export function passOver(want: string): true {
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  console.warn(`passed over, for want of ${want}`);
  mkdirSync(REPORTS, { recursive: true });
  appendFileSync(`${REPORTS}/passed-over.txt`, `${file}: for want of ${want}\n`);
  return true;
}

/** Whether the tests that call these programs are to be passed over. In CI they are not, and fail without them. */
export function lacks(...programs: string[]): boolean {
  const { missing } = findSoftware(programs);
  return missing.length > 0 && !process.env.CI && passOver(missing.join(", "));
}

const NOBODY = { uid: 65534, gid: 65534 };

/** Whether tests that run the command as another user are to be passed over: this Node is in a folder closed to it. */
export const lacksSharedNode = (): boolean =>
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["--version"], NOBODY).status !== 0 &&
  passOver("a Node that other users may run");

export const lacksChromium = (): boolean =>
  !process.env.CI && findChromium() === null && passOver("Chromium");
