import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { prepared } from "./client.ts";
import { compiled } from "./compiled.ts";

const placeholders = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));

/** An insert into `table`, prepared once. Columns not named take their defaults. */
export const preparedInsert = <
  T extends SQLiteTable,
  K extends keyof T["$inferInsert"] & keyof T["$inferSelect"] & string,
>(
  table: T,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const values = placeholders(columns) as T["$inferInsert"];
    const { statement, bind } = compiled(db, db.insert(table).values(values));
    return (row: Pick<T["$inferSelect"], K>) => statement.run(bind(row));
  });

/**
 * An update of the rows of `table` that `where` selects by its placeholder "id", prepared once per set of columns.
 * Columns that are undefined stay unchanged.
 */
export const preparedUpdate = <T extends SQLiteTable>(table: T, where: SQL | undefined) =>
  prepared((db) => {
    const build = (columns: readonly string[]) => {
      const set = placeholders(columns) as Partial<T["$inferInsert"]>;
      return compiled(db, db.update(table).set(set).where(where));
    };
    const made = new Map<string, ReturnType<typeof build>>();
    return (id: string, changes: Partial<T["$inferSelect"]>) => {
      const columns = Object.entries(changes).flatMap(([k, v]) => (v === undefined ? [] : [k]));
      const key = columns.join();
      const update = made.get(key) ?? build(columns);
      made.set(key, update);
      return update.statement.run(update.bind({ ...changes, id }));
    };
  });
