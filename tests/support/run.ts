/**
 * What a run of tests starts ends with it, however the run ends: its temporary directory is a folder of its own, in
 * which each process that it starts is noted, and end-run.mjs, which outlives it, ends those and removes the folder. The
 * first process that imports this owns the run; the processes it starts share it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { channel, subscribe } from "node:diagnostics_channel";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NOTES = ".processes";
/** In the folder: what keeps a process, and those it starts, on this machine (fenced.ts). */
export const FENCE = "loopback-only.cjs";
/** What our tools leave where TMPDIR does not reach them. Other runs have folders of their own. */
const OURS =
  /^(?:deed-(?!run-)|tsx-|playwright|vitest|node-|\.?(?:org\.|com\.)?(?:chromium|google))/;

/** Returns what ends the run, and says what is left of it. */
function begin(): () => Promise<string[]> {
  const outside = tmpdir();
  const before = new Set(readdirSync(outside));
  const folder = mkdtempSync(join(tmpdir(), "deed-run-"));
  mkdirSync(join(folder, NOTES));
  copyFileSync(join(import.meta.dirname, FENCE), join(folder, FENCE));
  // Some tests start the product in it as another user.
  chmodSync(folder, 0o755);
  const keeper = spawn(process.execPath, [join(import.meta.dirname, "end-run.mjs"), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  keeper.unref();
  (keeper.stdin as Socket).unref();
  process.env.TMPDIR = folder;
  return () =>
    new Promise((resolve) => {
      keeper.ref();
      keeper.once("exit", () => {
        const isLeft = (name: string) =>
          join(outside, name) === folder || (OURS.test(name) && !before.has(name));
        resolve(readdirSync(outside).filter(isLeft));
      });
      keeper.stdin.end();
    });
}

const end = existsSync(join(tmpdir(), NOTES)) ? null : begin();

// Vitest evaluates this again for each file.
if (!channel("child_process").hasSubscribers)
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      const note = join(tmpdir(), NOTES, String(child.pid));
      writeFileSync(note, "");
      child.once("exit", () => rmSync(note, { force: true }));
    });
  });

/** What the run left in the temporary folder. */
export const endRun = async (): Promise<string[]> => (await end?.()) ?? [];

/** For Vitest, whose workers are to note their processes too. */
export const THIS_FILE = import.meta.filename;
