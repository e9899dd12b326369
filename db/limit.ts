import { type Placeholder, sql } from "drizzle-orm";

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
