import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Tx } from "./client.ts";

/**
 * Prepares queries once per database: an unprepared drizzle query costs ten times as much. `build` is called at the
 * first use with each database.
 */
export const prepared =
  <T>(build: (db: Db) => T) =>
  (handle: Db | Tx): T => {
    // A transaction runs on the only connection.
    const db = handle as Db;
    db.$prepared ??= new Map();
    if (!db.$prepared.has(build)) db.$prepared.set(build, build(db));
    return db.$prepared.get(build) as T;
  };

/**
 * The limit of a prepared query: a number, or the name of its placeholder. With a plain bound limit, SQLite plans by
 * its value and recompiles the query on every run.
 */
export const limitBy = (limit: number | string): Placeholder => {
  const count =
    typeof limit === "number"
      ? sql.raw(String(limit))
      : sql`cast(${sql.placeholder(limit)} as integer)`;
  return count as unknown as Placeholder;
};

type Column<T extends SQLiteTable> = keyof T["$inferInsert"] & keyof T["$inferSelect"] & string;

const placeholders = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));

/** A prepared insert into `table`. Columns not named take their defaults. */
export const preparedInsert = <T extends SQLiteTable, K extends Column<T>>(
  table: T,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const query = db
      .insert(table)
      .values(placeholders(columns) as T["$inferInsert"])
      .prepare();
    return (row: Pick<T["$inferSelect"], K>) => query.run(row);
  });

/** A prepared update of these columns, in the rows of `table` that `where` selects by its placeholder "id". */
export const preparedUpdate = <T extends SQLiteTable, K extends Column<T>>(
  table: T,
  where: SQL | undefined,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const set = placeholders(columns) as Partial<T["$inferInsert"]>;
    const query = db.update(table).set(set).where(where).prepare();
    return (row: Pick<T["$inferSelect"], K> & { id: string }) => query.run(row);
  });
