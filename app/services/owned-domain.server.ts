import { and, eq, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { domains } from "#db/schema.ts";

/** One domain of an account. */
export const domainOfAccount = prepared((db) =>
  db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.id, sql.placeholder("id")),
        eq(domains.accountId, sql.placeholder("accountId")),
      ),
    )
    .prepare(),
);
