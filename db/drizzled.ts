import type { Database, Statement } from "better-sqlite3";
import { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

/**
 * SQLite plans by the value of a plain bound `?`, and compiles the query anew at every run for it: five times its work.
 * So a query names the value that a partial index is for: `state = 'pending'`.
 */
const dialect = new SQLiteSyncDialect();
dialect.escapeParam = () => "+?";

const MOST_KEPT = 1_000;

/**
 * What drizzle uses of a connection, with each statement prepared once: for a query that it builds anew it would prepare
 * it anew. `raw()` changes a statement for good, so what it returns is another.
 */
function keepingStatements(sqlite: Database): Database {
  const kept = new Map<string, Statement>();
  const prepare = (text: string) => {
    let statement = kept.get(text);
    if (!statement) {
      statement = sqlite.prepare(text);
      const raw = statement.reader ? sqlite.prepare(text).raw() : statement;
      statement.raw = () => raw;
      if (kept.size === MOST_KEPT) kept.clear();
      kept.set(text, statement);
    }
    return statement;
  };
  return { prepare, transaction: sqlite.transaction.bind(sqlite) } as Database;
}

export function drizzled(sqlite: Database) {
  type None = Record<string, never>;
  const client = keepingStatements(sqlite);
  const session = new BetterSQLiteSession<None, None>(client, dialect, undefined);
  const db = new BetterSQLite3Database("sync", dialect, session, undefined);
  return Object.assign(db, { $client: sqlite });
}
