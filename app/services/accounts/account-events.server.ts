import { and, desc, eq, notInArray, sql } from "drizzle-orm";
import { prepared, type Tx } from "#db/client.ts";
import { type ACCOUNT_EVENTS, accountEvents, domains } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import { iso } from "../time.ts";

export type AccountEventKind = (typeof ACCOUNT_EVENTS)[number];

/** Rows of one kind that an account keeps: so many of one do not push out another. */
export const EVENTS_OF_A_KIND = 50;

/** Further facts of an event: the browser it happened in, the domain whose link it was. */
type Details = { userAgent?: string; domainId?: string };

/** Writes an event into the account's log, in the transaction that makes it happen. `at`: epoch milliseconds. */
export function noteAccountEvent(
  tx: Tx,
  accountId: string,
  kind: AccountEventKind,
  at: number,
  details: Details = {},
): void {
  const ofKind = and(eq(accountEvents.accountId, accountId), eq(accountEvents.kind, kind));
  tx.insert(accountEvents)
    .values({ accountId, kind, at, ...details })
    .run();
  const newest = tx
    .select({ id: accountEvents.id })
    .from(accountEvents)
    .where(ofKind)
    .orderBy(desc(accountEvents.id))
    .limit(EVENTS_OF_A_KIND);
  tx.delete(accountEvents)
    .where(and(ofKind, notInArray(accountEvents.id, newest)))
    .run();
}

const newestFirst = prepared((db) =>
  db
    .select({
      id: accountEvents.id,
      kind: accountEvents.kind,
      userAgent: accountEvents.userAgent,
      domain: { id: domains.id, name: domains.name, unicodeName: domains.unicodeName },
      at: accountEvents.at,
    })
    .from(accountEvents)
    .leftJoin(domains, eq(domains.id, accountEvents.domainId))
    .where(eq(accountEvents.accountId, sql.placeholder("accountId")))
    .orderBy(desc(accountEvents.id))
    .prepare(),
);

/** One line of the log. `userAgent` is empty where no browser is told of; `domain` null likewise, and once erased. */
export type AccountEvent = {
  id: number;
  kind: AccountEventKind;
  userAgent: string;
  domain: { id: string; name: string; unicodeName: string } | null;
  at: string;
};

/** The newest `count` lines of the account's log, newest first, and how many there are beyond them. */
export function accountLog(
  ctx: Pick<Context, "db">,
  accountId: string,
  count: number,
): { events: AccountEvent[]; more: number } {
  const all = newestFirst(ctx.db)
    .all({ accountId })
    .map((row) => ({ ...row, at: iso(row.at) }));
  return { events: all.slice(0, count), more: Math.max(0, all.length - count) };
}
