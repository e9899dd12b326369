import type { Database, Statement } from "better-sqlite3";
import { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

/**
 * For a plain `?`, SQLite plans by the bound value, and compiles the query again at every run: five times the work. So a
 * query must write out the value of a partial index: `state = 'pending'`.
 */
const dialect = new SQLiteSyncDialect();
dialect.escapeParam = () => "+?";

const MAX_STATEMENTS = 1_000;

/**
 * The parts of a connection that drizzle uses, with each statement prepared once: drizzle would prepare a query again
 * whenever it is built. `raw()` changes a statement for good, so it returns another one.
 */
function withStatementCache(sqlite: Database): Database {
  const statements = new Map<string, Statement>();
  const prepare = (text: string) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = sqlite.prepare(text);
      const raw = statement.reader ? sqlite.prepare(text).raw() : statement;
      statement.raw = () => raw;
      if (statements.size === MAX_STATEMENTS) statements.clear();
      statements.set(text, statement);
    }
    return statement;
  };
  return { prepare, transaction: sqlite.transaction.bind(sqlite) } as Database;
}

export function createDrizzle(sqlite: Database) {
  type NoSchema = Record<string, never>;
  const client = withStatementCache(sqlite);
  const session = new BetterSQLiteSession<NoSchema, NoSchema>(client, dialect, undefined);
  const db = new BetterSQLite3Database("sync", dialect, session, undefined);
  return Object.assign(db, { $client: sqlite });
}
