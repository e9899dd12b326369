import { constants, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { isBusy } from "./client.ts";
import { RefusedDatabase } from "./migrate.ts";
import { createPrivate, giveToFolderOwner } from "./ownership.ts";

/** Another process uses the database. It may end, so a later try may succeed. */
export class DatabaseInUse extends RefusedDatabase {}

/**
 * Reserves the database for this process until it ends, by an exclusive transaction on an empty file next to it. Waits
 * `waitMs` for another process, then throws a DatabaseInUse that names it. `warn`: called if files cannot be locked.
 */
export async function reserveDatabase(
  path: string,
  waitMs: number,
  warn: (message: string) => void,
) {
  const file = `${existsSync(path) ? realpathSync(path) : path}-in-use`;
  const noteFile = `${file}.txt`;
  createPrivate(file, constants.O_CREAT | constants.O_NOFOLLOW);
  const lock = new Database(file, { timeout: 0 });
  for (const giveUpAt = performance.now() + waitMs; !lock.inTransaction; ) {
    try {
      lock.exec("begin exclusive");
    } catch (error) {
      if (!isBusy(error)) return warn(`${file} cannot be locked, so nothing stops a second Deed`);
      const holder = existsSync(noteFile) ? readFileSync(noteFile, "utf8") : "another process";
      if (performance.now() > giveUpAt)
        throw new DatabaseInUse(`${path} is in use by ${holder}: stop it first`);
      await sleep(100);
    }
  }
  // SQLite releases the lock when nothing refers to it.
  process.once("exit", () => lock.close());
  rmSync(noteFile, { force: true });
  const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`;
  writeFileSync(noteFile, text, { flag: "wx", mode: 0o600 });
  giveToFolderOwner(noteFile);
}
