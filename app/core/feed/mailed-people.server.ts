import { and, eq, isNull, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { accounts, people } from "#db/schema.ts";

/** `{ id, email }` of the account's people who want mails; nobody if it is disabled. Takes `{ accountId }`. */
export const mailedPeople = prepared((db) =>
  db
    .select({ id: people.id, email: people.email })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(
      and(
        eq(people.accountId, sql.placeholder("accountId")),
        eq(people.mailEnabled, sql.raw("1")),
        isNull(accounts.disabledAt),
      ),
    )
    .prepare(),
);
