import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { prepared } from "./client.ts";

const placeholders = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));

/** Inserts a row of `table`, prepared once; columns not named take their defaults. */
export const preparedInsert = <
  T extends SQLiteTable,
  K extends keyof T["$inferInsert"] & keyof T["$inferSelect"] & string,
>(
  table: T,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const values = placeholders(columns) as T["$inferInsert"];
    const statement = db.insert(table).values(values).prepare();
    return (row: Pick<T["$inferSelect"], K>) => statement.run(row);
  });

/**
 * Updates the rows of `table` that `where` picks by its placeholder "id", prepared once for each set of
 * columns it is called with. Columns that are undefined stay as they are.
 */
export const preparedUpdate = <T extends SQLiteTable>(table: T, where: SQL | undefined) =>
  prepared((db) => {
    const build = (columns: readonly string[]) => {
      const set = placeholders(columns) as Partial<T["$inferInsert"]>;
      return db.update(table).set(set).where(where).prepare();
    };
    const made = new Map<string, ReturnType<typeof build>>();
    return (id: string, changes: Partial<T["$inferSelect"]>) => {
      const columns = Object.entries(changes).flatMap(([k, v]) => (v === undefined ? [] : [k]));
      const key = columns.join();
      const statement = made.get(key) ?? build(columns);
      made.set(key, statement);
      return statement.run({ ...changes, id });
    };
  });
