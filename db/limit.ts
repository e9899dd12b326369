import { type Placeholder, sql } from "drizzle-orm";

/**
 * The limit of a prepared query: a number, or the name of the placeholder that holds it. Where a limit is bound as it
 * is, SQLite looks at its value to plan, and compiles the query anew every time it is run.
 */
export const limitBy = (limit: number | string): Placeholder => {
  const count =
    typeof limit === "number"
      ? sql.raw(String(limit))
      : sql`cast(${sql.placeholder(limit)} as integer)`;
  return count as unknown as Placeholder;
};
