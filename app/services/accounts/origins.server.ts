import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { accountOrigins } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context, Settings } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { logAccountEvent } from "./account-events.server.ts";
import type { Person } from "./accounts.server.ts";
import { originText } from "./origin-text.ts";

/** Origins of one account; a trigger has the same number. */
export const MAX_ORIGINS = 20;

/** The origins an account has registered, in alphabetical order. */
export const originsOfAccount = prepared((db) =>
  db
    .select({ origin: accountOrigins.origin })
    .from(accountOrigins)
    .where(eq(accountOrigins.accountId, sql.placeholder("accountId")))
    .orderBy(asc(accountOrigins.origin))
    .prepare(),
);

/** Whether applications on this machine count, over plain http: a service that has no https itself is a lab. */
export const allowsLocal = ({ baseUrl }: Pick<Settings, "baseUrl">): boolean =>
  baseUrl.startsWith("http:");

export const listOrigins = (ctx: Pick<Context, "db">, accountId: string): string[] =>
  originsOfAccount(ctx.db)
    .all({ accountId })
    .map(({ origin }) => origin);

function originsOf(texts: readonly string[], settings: Settings): string[] {
  const origins = texts.map((text) => {
    const origin = originText(text, allowsLocal(settings));
    if (origin === null)
      throw new DeedError("invalid_request", {
        message: `${JSON.stringify(text.slice(0, 64))} is not an origin such as https://app.example.com.`,
      });
    return origin;
  });
  return [...new Set(origins)].sort();
}

/**
 * Makes these the origins of the acting person's account: those left out no longer embed or receive anything. Returns
 * them as they are kept. Throws invalid_request.
 */
export async function setOrigins(
  ctx: Context,
  { accountId, email }: Person,
  texts: readonly string[],
): Promise<string[]> {
  const wanted = originsOf(texts, ctx.settings);
  return commit(ctx, (tx, ctx) => {
    const before = originsOfAccount(tx)
      .all({ accountId })
      .map(({ origin }) => origin);
    const removed = before.filter((origin) => !wanted.includes(origin));
    const added = wanted.filter((origin) => !before.includes(origin));
    const now = ctx.clock();
    if (removed.length > 0)
      tx.delete(accountOrigins)
        .where(
          and(eq(accountOrigins.accountId, accountId), inArray(accountOrigins.origin, removed)),
        )
        .run();
    for (const origin of removed)
      logAccountEvent(tx, accountId, "origin_removed", now, { email, subject: origin });
    for (const origin of added) {
      tx.insert(accountOrigins).values({ accountId, origin }).run();
      logAccountEvent(tx, accountId, "origin_registered", now, { email, subject: origin });
    }
    return wanted;
  });
}
