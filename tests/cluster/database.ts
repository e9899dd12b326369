import Database from "better-sqlite3";

function read<T>(path: string, query: (db: Database.Database) => T): T {
  const db = new Database(path, { readonly: true, timeout: 2_000 });
  try {
    return query(db);
  } finally {
    db.close();
  }
}

/** Every domain name in a copy of the database. */
export const namesIn = (path: string): Set<string> =>
  read(path, (db) => new Set(db.prepare("select name from domains").pluck().all() as string[]));

export const integrityOf = (path: string): string =>
  read(path, (db) => String(db.pragma("integrity_check", { simple: true })));

export const countIn = (path: string, sql: string): number =>
  read(path, (db) => Number(db.prepare(sql).pluck().get()));
