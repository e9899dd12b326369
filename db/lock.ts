import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { isBusy } from "./client.ts";
import { RefusedDatabase } from "./migrate.ts";
import { giveToFolderOwner } from "./ownership.ts";

const POLL_MS = 100;

const holderIn = (note: string): string =>
  existsSync(note) ? readFileSync(note, "utf8") : "another process";

/**
 * Takes the database for this process until it ends, by an exclusive transaction on an empty file beside it. Waits so
 * long for another process, then throws a RefusedDatabase that names it. `warn`: called where files cannot be locked.
 */
export async function takeDatabase(path: string, waitMs: number, warn: (message: string) => void) {
  const file = `${existsSync(path) ? realpathSync(path) : path}-in-use`;
  const note = `${file}.txt`;
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  closeSync(openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600));
  giveToFolderOwner(file);
  const lock = new Database(file, { timeout: 0 });
  const giveUpAt = performance.now() + waitMs;
  for (let isOurs = false; !isOurs; ) {
    try {
      lock.exec("begin exclusive");
      isOurs = true;
    } catch (error) {
      if (!isBusy(error)) return warn(`${file} cannot be locked, so nothing stops a second Deed`);
      if (performance.now() < giveUpAt) await sleep(POLL_MS);
      else throw new RefusedDatabase(`${path} is in use by ${holderIn(note)}`);
    }
  }
  // SQLite gives the lock back when nothing refers to it.
  process.once("exit", () => lock.close());
  rmSync(note, { force: true });
  const since = new Date().toISOString();
  const text = `process ${process.pid} on ${hostname()} since ${since}`;
  writeFileSync(note, text, { flag: "wx", mode: 0o600 });
  giveToFolderOwner(note);
}
