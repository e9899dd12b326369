import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { prepared, preparedInsert } from "#db/queries.ts";
import { claims, domains, type NOTICE_KINDS, noticeMails, notices } from "#db/schema.ts";
import { newId } from "../ids.server.ts";
import { DAY } from "../time.ts";
import { writeFeedEvent } from "./feed.server.ts";
import { mailedPeople } from "./mailed-people.server.ts";

export type NoticeKind = (typeof NOTICE_KINDS)[number];

type Subject = { id: string; accountId: string; domainId: string };

const domainById = prepared((db) =>
  db
    .select({ archived: domains.archived })
    .from(domains)
    .where(eq(domains.id, sql.placeholder("domainId")))
    .prepare(),
);

const recentNotice = prepared((db) =>
  db
    .select({ id: notices.id })
    .from(notices)
    .where(
      and(
        eq(notices.claimId, sql.placeholder("claimId")),
        eq(notices.kind, sql.placeholder("kind")),
        gt(notices.createdAt, sql.placeholder("since")),
      ),
    )
    .prepare(),
);

const insertNotice = preparedInsert(
  notices,
  "id",
  "kind",
  "accountId",
  "domainId",
  "claimId",
  "createdAt",
);
const insertMail = preparedInsert(noticeMails, "noticeId", "personId", "dueAt");

const otherProofs = prepared((db) =>
  db
    .select({ id: claims.id, accountId: claims.accountId, domainId: claims.domainId })
    .from(claims)
    .where(
      and(
        eq(claims.name, sql.placeholder("name")),
        eq(claims.state, sql.raw("'proved'")),
        ne(claims.accountId, sql.placeholder("accountId")),
      ),
    )
    .orderBy(desc(claims.endedAt))
    .prepare(),
);

/**
 * Creates a notice for an account: a row, a feed event and, except for `expired`, a mail that is due to each of its
 * people who wants mails. Does nothing if
 * the same notice was created within a day or the domain is archived.
 */
export function createNotice(tx: Tx, kind: NoticeKind, claim: Subject, now: number): void {
  const { id: claimId, accountId, domainId } = claim;
  if (domainById(tx).get({ domainId })?.archived !== false) return;
  if (recentNotice(tx).get({ claimId, kind, since: now - DAY })) return;
  const id = newId("ntc", now);
  insertNotice(tx)({ id, kind, accountId, domainId, claimId, createdAt: now });
  const readers = kind === "expired" ? [] : mailedPeople(tx).all({ accountId });
  for (const { id: personId } of readers) insertMail(tx)({ noticeId: id, personId, dueAt: now });
  writeFeedEvent(tx, accountId, "notice.created", { noticeId: id, domainId, claimId }, now);
}

/** Notifies every other account that has proved the name, on the newest of its proofs. */
export function notifyOtherHolders(
  tx: Tx,
  proved: { accountId: string; name: string },
  now: number,
): void {
  const others = otherProofs(tx).all({ name: proved.name, accountId: proved.accountId });
  const notified = new Set<string>();
  for (const other of others) {
    if (notified.has(other.accountId)) continue;
    notified.add(other.accountId);
    createNotice(tx, "coexistence", other, now);
  }
}
