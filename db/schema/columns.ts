import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, integer, text } from "drizzle-orm/sqlite-core";

/** Instants are stored as integer milliseconds since the epoch, UTC. */
export const instant = (name: string) => integer(name);

export const flag = (name: string) => integer(name, { mode: "boolean" });

export const oneOf = (column: AnySQLiteColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;

/** Checks that each column has one of its values. Each check is named for its table and the property. */
export const enums = (table: string, columns: Record<string, AnySQLiteColumn>) =>
  Object.entries(columns).map(([name, column]) => {
    const inList = oneOf(column, column.enumValues ?? []);
    return check(`${table}_${name}`, column.notNull ? inList : sql`${column} is null or ${inList}`);
  });

/** The id of the row that owns this one; both are deleted together. */
export const ownerId = (name: string, owner: () => AnySQLiteColumn) =>
  text(name).notNull().references(owner, { onDelete: "cascade" });

export const bothOrNeither = (name: string, first: AnySQLiteColumn, second: AnySQLiteColumn) =>
  check(name, sql`(${first} is null) = (${second} is null)`);
