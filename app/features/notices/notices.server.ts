import { and, count, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { orThrow } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Tone } from "#app/ui/page.tsx";
import { prepared } from "#db/client.ts";
import { claims, domains, NOTICE_KINDS, notices } from "#db/schema.ts";
import { rowsOfClaim } from "../claims/outcome.server.ts";
import { toVerification } from "../claims/verifications.server.ts";
import {
  adviceText,
  pastTroubleWords,
  registrationWords,
  type Trouble,
} from "../watching/trouble.ts";
import { recordUse } from "../watching/watch-rows.server.ts";
import { isTrouble } from "../watching/watch-states.ts";
import type { Notice, NoticeList } from "./resources.ts";

export const toNotice = (row: typeof notices.$inferSelect): Notice => {
  const { id, kind, domainId, claimId, createdAt, readAt } = row;
  return { id, kind, domainId, claimId, createdAt: iso(createdAt), readAt: isoOrNull(readAt) };
};

const EXPIRY = "registration_expiring";
/** Kinds that say whether the record may be removed; a later such notice of the claim replaces the earlier one. */
const OF_RECORD = NOTICE_KINDS.filter((kind) => isTrouble(kind) || /^(proved|expired)$/.test(kind));
const isLastOf = (kinds: readonly string[]) =>
  sql<number>`${notices.id} = (select max(n.id) from notices n
    where n.claim_id = ${notices.claimId} and n.kind in ${kinds})`;

type Query = { cursor?: string | undefined; limit?: number };

/** Lists notices, newest first. `limit` is 1 to 100, by default 25. Throws invalid_request on an invalid cursor. */
export function listNotices(ctx: Context, accountId: string, { cursor, limit = 25 }: Query) {
  const { createdAt, id } = parseCursor(cursor, "ntc");
  const isAfter = sql`(${notices.createdAt}, ${notices.id}) < (${createdAt}, ${id})`;
  const rows = ctx.db
    .select()
    .from(notices)
    .where(and(eq(notices.accountId, accountId), isAfter))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit + 1)
    .all();
  const { page, nextCursor } = pageOf(rows, limit, (row) => row);
  return { notices: page.map(toNotice), nextCursor } satisfies NoticeList;
}

/** Marks a notice as read; a second call keeps the first date. Throws notice_not_found. */
export const markNoticeRead = (ctx: Context, accountId: string, id: string) =>
  commit(ctx, (tx, _, readAt) => {
    const isThisNotice = and(eq(notices.id, id), eq(notices.accountId, accountId));
    const row = orThrow(tx.select().from(notices).where(isThisNotice).get(), "notice_not_found");
    if (row.readAt !== null) return toNotice(row);
    tx.update(notices).set({ readAt }).where(isThisNotice).run();
    return toNotice({ ...row, readAt });
  });

/** Marks every notice up to `until` (epoch milliseconds) as read; notices already read keep their date. */
export const markNoticesRead = (ctx: Context, accountId: string, until: number) =>
  commit(ctx, (tx, _, now) => {
    const isOfAccount = eq(notices.accountId, accountId);
    const isUnread = and(isOfAccount, isNull(notices.readAt), lte(notices.createdAt, until));
    tx.update(notices).set({ readAt: now }).where(isUnread).run();
  });

const isUnread = and(eq(notices.accountId, sql.placeholder("accountId")), isNull(notices.readAt));
const unreadCount = prepared((db) => db.select({ count: count() }).from(notices).where(isUnread));

export const unreadNotices = ({ db }: Context, accountId: string): number =>
  unreadCount(db).get({ accountId })?.count ?? 0;

type Words = { tone: Tone; says: string };

const KINDS: Record<Exclude<Notice["kind"], Trouble>, Words> = {
  proved: { tone: "proved", says: " was proved" },
  nudge: { tone: "waiting", says: " is not proved yet" },
  expiring: { tone: "needs", says: " has less than a day left" },
  expired: { tone: "ended", says: " was not proved in seven days" },
  coexistence: { tone: "ended", says: " was also proved by another account" },
};

/** The words of a notice about an open claim, once the claim has ended. */
const ENDED: Partial<Record<Notice["kind"], Words>> = {
  nudge: { tone: "ended", says: " had not been proved yet" },
  expiring: { tone: "ended", says: " had less than a day left" },
};

/** Returns the words after the domain's name. `trouble` is the current trouble, null once it is over. */
export const noticeWords = (kind: Notice["kind"], trouble: Words | null): Words =>
  isTrouble(kind) ? (trouble ?? pastTroubleWords(kind)) : KINDS[kind];

export type NamedNotice = ReturnType<typeof withNames>[number];

/** Adds the domains' names, and in the last notice of a claim `next`: what to do now, or whether to remove the record. */
export function withNames(ctx: Context, accountId: string, page: readonly Notice[]) {
  const noticeColumns = {
    domain: domains.name,
    unicodeDomain: domains.unicodeName,
    reference: sql<string | null>`nullif(${domains.reference}, '')`,
    claimState: claims.state,
    isLast: isLastOf(OF_RECORD),
    /** A notice about a registration does not say where the record is. */
    isLastState: isLastOf(OF_RECORD.filter((kind) => kind !== EXPIRY)),
    isLastOpen: isLastOf(Object.keys(ENDED)),
  };
  return page.flatMap((notice) => {
    const { id, kind, claimId } = notice;
    const isThisNotice = and(eq(notices.id, id), eq(domains.accountId, accountId));
    const row = ctx.db
      .select(noticeColumns)
      .from(notices)
      .innerJoin(domains, eq(domains.id, notices.domainId))
      .innerJoin(claims, eq(claims.id, notices.claimId))
      .where(isThisNotice)
      .get();
    if (!row) return [];
    const { claimState, isLast, isLastState, isLastOpen, ...names } = row;
    const rows = claimState === "pending" && isLastOpen && rowsOfClaim(ctx.db).get({ id: claimId });
    const open = rows ? toVerification(ctx.db, rows, ctx.clock()) : null;
    const use = isLast || isLastState || kind === EXPIRY ? recordUse(ctx, claimId) : null;
    const state = isLastState && use?.trouble?.kind !== EXPIRY ? use?.trouble : null;
    // If the registration was renewed, its notice is deleted.
    const words = (kind === EXPIRY ? registrationWords(use?.watch, ctx.clock()) : state) ?? null;
    const { tone, says } = (claimState !== "pending" && ENDED[kind]) || noticeWords(kind, words);
    const fix = open?.registry?.fix ?? open?.diagnosis?.fix;
    const next = fix ?? words?.toDo.map(adviceText).join(" ") ?? ((isLast && use?.fate) || null);
    return [{ ...notice, ...names, tone, says, next }];
  });
}
