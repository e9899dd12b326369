import { createHash } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Service } from "../support/service.ts";

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
