import { type Placeholder, sql } from "drizzle-orm";

/**
 * The limit of a prepared query. Where `limit` is bound as it is, SQLite looks at its value to plan, and compiles the
 * query anew every time it is run.
 */
export const limitBy = (name: string): Placeholder =>
  sql`cast(${sql.placeholder(name)} as integer)` as unknown as Placeholder;
