import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import type { Db } from "./client.ts";
import { packageFile } from "./package-file.ts";

/** Thrown before anything was changed. `message`: one line with the path and what to do. */
export class RefusedDatabase extends Error {}

/** The start may block the event loop this long while another process migrates. */
const BUSY_TIMEOUT_MS = 60_000;

type Entry = { tag: string; when: number };
const migrationsIn = (folder: string): Entry[] =>
  JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8")).entries;

export const newestSchema = () => migrationsIn(packageFile("db/migrations")).length - 1;

/** `number` is null for an empty database. Throws a RefusedDatabase if it is newer than this version, or not Deed's. */
export function schemaOf(sqlite: Database.Database, folder = packageFile("db/migrations")) {
  const migrations = migrationsIn(folder);
  const readColumn = (query: string) => sqlite.prepare(query).pluck().all();
  const tables = readColumn("select name from sqlite_master where name not like 'sqlite_%'");
  const applied = tables.includes("__drizzle_migrations")
    ? readColumn("select created_at from __drizzle_migrations").map(Number)
    : [];
  const isEmpty = tables.every((name) => name === "__drizzle_migrations");
  if (!isEmpty && !applied.includes(migrations[0]?.when ?? 0))
    throw new RefusedDatabase(`${sqlite.name} belongs to another program`);
  const newest = migrations.length - 1;
  if (applied.some((when) => !migrations.some((entry) => entry.when === when)))
    throw new RefusedDatabase(
      `${sqlite.name} has schema ${applied.length - 1}, and this version of Deed knows schema ${newest} at most: install the newer version, or restore the backup from before the upgrade`,
    );
  const pending = migrations.filter(({ when }) => !applied.includes(when));
  return { number: applied.length > 0 ? applied.length - 1 : null, newest, pending };
}

/** `from` and `to` are schema numbers, `from` null for a new database. */
export type Migration = { from: number | null; to: number; applied: string[]; tookMs: number };

/** Applies all missing migrations or none; null if none is missing. Waits for another process. Throws a RefusedDatabase. */
export function migrateDatabase({ $client: sqlite }: Db, folder = packageFile("db/migrations")) {
  if (schemaOf(sqlite, folder).pending.length === 0) return null;
  const startedAt = performance.now();
  const timeout = sqlite.pragma("busy_timeout", { simple: true });
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // This pragma only works outside a transaction. A migration that rebuilds a table checks the references itself.
  sqlite.pragma("foreign_keys = OFF");
  try {
    return sqlite
      .transaction(() => {
        const { number, newest, pending } = schemaOf(sqlite, folder);
        if (pending.length === 0) return null;
        sqlite.exec(
          "create table if not exists __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
        );
        for (const entry of pending) applyMigration(sqlite, folder, entry);
        const tookMs = Math.round(performance.now() - startedAt);
        return { from: number, to: newest, applied: pending.map(({ tag }) => tag), tookMs };
      })
      .immediate();
  } finally {
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma(`busy_timeout = ${timeout}`);
  }
}

function applyMigration(sqlite: Database.Database, folder: string, { tag, when }: Entry): void {
  const statements = readFileSync(`${folder}/${tag}.sql`, "utf8");
  const hash = createHash("sha256").update(statements).digest("hex");
  try {
    sqlite.exec(statements);
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code === "SQLITE_ERROR")) throw error;
    throw new RefusedDatabase(
      `${sqlite.name} is not as Deed left it, so migration ${tag} was undone (${error.message}): restore a backup`,
    );
  }
  sqlite
    .prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)")
    .run(hash, when);
}
