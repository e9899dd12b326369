import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { prepared } from "./client.ts";

/**
 * Updates of the rows of `table` that `where` picks by its placeholder "id", prepared once for each set of
 * columns they are called with. Columns that are undefined stay as they are.
 */
export const preparedUpdate = <T extends SQLiteTable>(table: T, where: SQL | undefined) =>
  prepared((db) => {
    const build = (columns: readonly string[]) => {
      const set = Object.fromEntries(columns.map((name) => [name, sql`${sql.placeholder(name)}`]));
      return db
        .update(table)
        .set(set as Partial<T["$inferInsert"]>)
        .where(where)
        .prepare();
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
