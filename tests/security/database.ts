import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll } from "vitest";
import type { Service } from "../support/service.ts";

/**
 * A folder for the database of a file's tests, in memory where there is such a disk: none of them asks
 * what outlives the machine, and each of some thousand writes would wait for a sync. Gone after the tests.
 */
export function databaseFolder(): string {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "deed-db-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The variables of a service whose database lies in that folder. */
export const databaseIn = (folder: string) => ({ DATABASE_PATH: join(folder, "deed.db") });

/** The service's database, opened beside it. */
export function openBeside(service: Pick<Service, "dataDir">): Database.Database {
  return new Database(join(service.dataDir, "deed.db"), { timeout: 5_000 });
}

/** A digest of every row of every table: the same as long as nothing was written. */
export function fingerprint(db: Database.Database): string {
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all();
  const hash = createHash("sha256");
  for (const table of tables) {
    for (const row of db.prepare(`select * from "${table}"`).raw().all())
      hash.update(JSON.stringify([table, row]));
  }
  return hash.digest("hex");
}

/** Moves every scheduled read past the test's end. */
export const holdReads = (db: Database.Database): void => {
  db.exec("update verifications set next_run_at = deadline - 1 where next_run_at is not null");
};
