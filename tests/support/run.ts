/**
 * What a run of tests starts ends with it, however the run ends: its temporary directory is a folder of its own, in
 * which each process that it starts is noted, and end-run.mjs, which outlives it, ends those and removes the folder. The
 * first process that imports this owns the run; the processes it starts share it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { channel, subscribe } from "node:diagnostics_channel";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NOTES = ".processes";

function begin(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "deed-run-"));
  mkdirSync(join(folder, NOTES));
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
      keeper.once("exit", () => resolve());
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

export const endRun = async (): Promise<void> => end?.();

/** For Vitest, whose workers are to note their processes too. */
export const THIS_FILE = import.meta.filename;
