/**
 * Everything that a test run starts ends with it, however it ends: its temporary directory is its own folder, which records
 * each started process, and end-run.mjs, which outlives the run, ends those and removes the folder. The first process that
 * imports this owns the run; the processes it starts share it.
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
/** In the folder: keeps a process, and those it starts, on this machine (fenced.ts). */
export const FENCE = "loopback-only.cjs";
/** Files that our tools leave outside TMPDIR. Other runs have their own folders. */
const OURS =
  /^(?:deed-(?!run-)|tsx-|playwright|vitest|node-|\.?(?:org\.|com\.)?(?:chromium|google))/;

/** Returns a function that ends the run, and returns what is left of it. */
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

/** For Vitest, whose workers must record their processes too. */
export const THIS_FILE = import.meta.filename;
