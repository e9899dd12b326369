import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { findChromium } from "./chromium.ts";
import { isRoot } from "./command.ts";
import { lacksIn, notePassedOver } from "./passed-over.ts";

const thisFile = () => expect.getState().testPath ?? "";

/** As notePassedOver, for tests of Vitest. */
export const passOver = (want: string): true => notePassedOver(thisFile(), want);

/** Whether the tests that call these programs are to be passed over. In CI they are not, and fail without them. */
export const lacks = (...programs: string[]): boolean => lacksIn(thisFile(), programs);

/** Whether tests of the second verifier are to be passed over. */
export const lacksPython = (): boolean =>
  spawnSync("/usr/bin/python3", ["-c", "import cryptography"]).status !== 0 &&
  !process.env.CI &&
  passOver("/usr/bin/python3 with cryptography");

/** Whether tests that only root can prepare are to be passed over. */
export const lacksRoot = (): boolean => !isRoot && !process.env.CI && passOver("root");

const NOBODY = { uid: 65534, gid: 65534 };

/** Whether tests that run the command as another user are to be passed over: this Node is in a folder closed to it. */
export const lacksSharedNode = (): boolean =>
  isRoot &&
  spawnSync(process.execPath, ["--version"], NOBODY).status !== 0 &&
  passOver("a Node that other users may run");

export const lacksChromium = (): boolean =>
  !process.env.CI && findChromium() === null && passOver("Chromium");
