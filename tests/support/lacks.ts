import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { findChromium } from "./chromium.ts";
import { isRoot } from "./command.ts";
import { lacksIn, notePassedOver } from "./passed-over.ts";

const thisFile = () => expect.getState().testPath ?? "";

/** Like notePassedOver, for Vitest's tests. */
export const passOver = (want: string): true => notePassedOver(thisFile(), want);

/** Whether to skip tests that call these programs. In CI they are not skipped, and fail without them. */
export const lacks = (...programs: string[]): boolean => lacksIn(thisFile(), programs);

/** Whether to skip tests of the second verifier. */
export const lacksPython = (): boolean =>
  spawnSync("/usr/bin/python3", ["-c", "import cryptography"]).status !== 0 &&
  !process.env.CI &&
  passOver("/usr/bin/python3 with cryptography");

/** Whether to skip tests that only root can prepare. */
export const lacksRoot = (): boolean => !isRoot && !process.env.CI && passOver("root");

const NOBODY = { uid: 65534, gid: 65534 };

/** Whether to skip tests that run the command as another user, who cannot enter this Node's folder. */
export const lacksSharedNode = (): boolean =>
  isRoot &&
  spawnSync(process.execPath, ["--version"], NOBODY).status !== 0 &&
  passOver("a Node that other users may run");

export const lacksChromium = (): boolean =>
  !process.env.CI && findChromium() === null && passOver("Chromium");
