import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { claims, domains, type NOTICE_KINDS, noticeMails, notices } from "#db/schema.ts";
import { mailedPeople } from "../accounts/accounts.server.ts";
import { newId } from "../ids.server.ts";
import { DAY } from "../time.ts";
import { writeFeedEvent } from "./feed.server.ts";

export type NoticeKind = (typeof NOTICE_KINDS)[number];

type Subject = { id: string; accountId: string; domainId: string };

/**
 * Creates a notice for an account: a row, a feed event and, except for `expired`, a mail that is due to each of its
 * people who wants mails. Does nothing if the same notice was created within a day or the domain is archived.
 */
export function createNotice(tx: Tx, kind: NoticeKind, claim: Subject, now: number): void {
  const { id: claimId, accountId, domainId } = claim;
  const domain = tx
    .select({ archived: domains.archived })
    .from(domains)
    .where(eq(domains.id, domainId))
    .get();
  if (domain?.archived !== false) return;
  const isSame = and(eq(notices.claimId, claimId), eq(notices.kind, kind));
  const recent = tx
    .select({ id: notices.id })
    .from(notices)
    .where(and(isSame, gt(notices.createdAt, now - DAY)))
    .get();
  if (recent) return;
  const id = newId("ntc", now);
  tx.insert(notices).values({ id, kind, accountId, domainId, claimId, createdAt: now }).run();
  for (const { id: personId } of kind === "expired" ? [] : mailedPeople(tx, accountId))
    tx.insert(noticeMails).values({ noticeId: id, personId, dueAt: now }).run();
  writeFeedEvent(tx, accountId, "notice.created", { noticeId: id, domainId, claimId }, now);
}

/** Notifies every other account that has proved the name, on the newest of its proofs. */
export function notifyOtherHolders(
  tx: Tx,
  proved: { accountId: string; name: string },
  now: number,
): void {
  const { name, state, accountId } = claims;
  const others = tx
    .select({ id: claims.id, accountId, domainId: claims.domainId })
    .from(claims)
    .where(and(eq(name, proved.name), eq(state, "proved"), ne(accountId, proved.accountId)))
    .orderBy(desc(claims.endedAt))
    .all();
  const notified = new Set<string>();
  for (const other of others) {
    if (notified.has(other.accountId)) continue;
    notified.add(other.accountId);
    createNotice(tx, "coexistence", other, now);
  }
}
