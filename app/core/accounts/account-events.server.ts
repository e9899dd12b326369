import { and, desc, eq, notInArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { type ACCOUNT_EVENTS, accountEvents, domains } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import { iso } from "../time.ts";

export type AccountEventKind = (typeof ACCOUNT_EVENTS)[number];

/** Rows kept per account and kind. A limit per kind keeps one kind from pushing out another. */
export const EVENTS_OF_A_KIND = 50;

/** Optional details: whose event it is, its browser, the domain of a proof link or hand-off, an API key's name or a webhook's host. */
type Details = { email?: string; userAgent?: string; domainId?: string; subject?: string };

/** Adds an event to the account's log, in the transaction that causes it. `at`: epoch milliseconds. */
export function logAccountEvent(
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

/** When the oldest of the account's newest `count` events of a kind was, in epoch milliseconds; null if it has fewer. */
export function oldestOfNewest(
  tx: Tx,
  accountId: string,
  kind: AccountEventKind,
  count: number,
): number | null {
  const row = tx
    .select({ at: accountEvents.at })
    .from(accountEvents)
    .where(and(eq(accountEvents.accountId, accountId), eq(accountEvents.kind, kind)))
    .orderBy(desc(accountEvents.id))
    .limit(1)
    .offset(count - 1)
    .get();
  return row?.at ?? null;
}

/** One line of the log. */
export type AccountLogEntry = ReturnType<typeof accountLog>["events"][number];

/** The newest `count` lines of the account's log, newest first, and how many older lines there are. */
export function accountLog({ db }: Pick<Context, "db">, accountId: string, count: number) {
  const { id, name, unicodeName, reference } = domains;
  const all = db
    .select({
      id: accountEvents.id,
      kind: accountEvents.kind,
      /** Null if it is not known who acted. */
      email: accountEvents.email,
      /** Empty if the event records no browser. */
      userAgent: accountEvents.userAgent,
      /** Null if it concerns none, or once the domain is erased; `reference` is empty for none. */
      domain: { id, name, unicodeName, reference },
      /** Name of the API key or host of the webhook concerned; otherwise null. */
      subject: accountEvents.subject,
      at: accountEvents.at,
    })
    .from(accountEvents)
    .leftJoin(domains, eq(domains.id, accountEvents.domainId))
    .where(eq(accountEvents.accountId, accountId))
    .orderBy(desc(accountEvents.id))
    .all()
    .map((row) => ({ ...row, at: iso(row.at) }));
  return { events: all.slice(0, count), more: Math.max(0, all.length - count) };
}
