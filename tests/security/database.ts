import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, vi } from "vitest";
import type { Service } from "../support/service.ts";

/**
 * A folder for a test file's database, in memory if possible: no test depends on durability, and thousands of writes
 * would each wait for a sync. Removed after the tests.
 */
export function databaseFolder(): string {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "deed-db-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a service with its database in that folder. */
export const databaseIn = (folder: string) => ({ DATABASE_PATH: join(folder, "deed.db") });

/** Opens a second connection to the service's database. */
export function openBeside(service: Pick<Service, "dataDir">): Database.Database {
  return new Database(join(service.dataDir, "deed.db"), { timeout: 5_000 });
}

/** A digest of every row of every table; unchanged if nothing was written. */
export function fingerprint(db: Database.Database): string {
  const tables = db
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all();
  const hash = createHash("sha256");
  for (const table of tables) {
    // Without how its deliveries are answered, which the worker writes.
    const columns = table === "webhook_deliveries" ? "id, lane" : "*";
    for (const row of db.prepare(`select ${columns} from "${table}"`).raw().all())
      hash.update(JSON.stringify([table, row]));
  }
  return hash.digest("hex");
}

/** Postpones every scheduled read until after the test, and waits for what the service still has to write by itself. */
export async function settle(db: Database.Database): Promise<void> {
  db.exec("update verifications set next_run_at = deadline - 1 where next_run_at is not null");
  db.exec(
    "update watches set next_read_at = unixepoch() * 1000 + 86400000 where next_read_at is not null",
  );
  const pending = db
    .prepare(
      `select (select count(*) from verifications where run_until > unixepoch() * 1000)
        + (select count(*) from watches where run_until > unixepoch() * 1000)
        + (select count(*) from notice_mails where due_at is not null)`,
    )
    .pluck();
  await vi.waitFor(() => expect(pending.get()).toBe(0), { timeout: 20_000, interval: 20 });
}
