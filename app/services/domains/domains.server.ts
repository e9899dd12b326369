import { eq } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import { domains, webhookMessages } from "#db/schema.ts";
import { domainOfAccount } from "../claims/claim-rows.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { cursorAfter, pageOf, parseCursor } from "../cursor.ts";
import { DeedError } from "../errors.server.ts";
import { writeFeedEvent } from "../feed/feed.server.ts";
import { newId } from "../ids.server.ts";
import { claimableName, normaliseName } from "../names/domain-name.ts";
import type { Domain, DomainList, ListedDomain } from "../resources.ts";
import {
  countsOfAccount,
  type DomainStatus,
  isIndexed,
  lastLookedAt,
  listedAmongNext,
  listedById,
  listedByName,
  listedMatches,
  listedPage,
  listedPageByName,
  listedPageOfStatus,
  searchMatch,
  toDomain,
  toListedDomain,
} from "./domain-rows.server.ts";

export type DomainQuery = {
  name?: string | undefined;
  /** Any part of a name, as people type it. Archived domains too, unless `archived` says which. */
  q?: string | undefined;
  status?: DomainStatus | undefined;
  archived?: boolean | undefined;
  /** The order of the list without a search: by name, or by state (`STATE_ORDER`) from `status` on; newest first otherwise. */
  sort?: "name" | "state" | undefined;
  /** 1 to 100. */
  limit?: number | undefined;
  cursor?: string | undefined;
};

const DEFAULT_LIMIT = 25;
/** The states in the order a list sorted by them shows them. */
const STATE_ORDER: readonly DomainStatus[] = [
  "pending",
  "unclaimed",
  "expired",
  "canceled",
  "proved",
];
const NO_COUNTS = { unclaimed: 0, pending: 0, proved: 0, expired: 0, canceled: 0, archived: 0 };

/** Throws domain_not_found. */
function domainRow(db: Db | Tx, accountId: string, id: string) {
  const row = domainOfAccount(db).get({ id, accountId });
  if (!row) throw new DeedError("domain_not_found");
  return row;
}

/** Finds or creates the domain. Throws invalid_domain. */
export async function addDomain(
  ctx: Context,
  accountId: string,
  input: string,
): Promise<{ domain: Domain; created: boolean }> {
  const name = claimableName(input, ctx.settings.challengeLabel);
  return commit(ctx, (tx, ctx) => {
    const found = listedByName(tx).get({ accountId, name: name.ascii });
    if (found) return { domain: toDomain(found.domain), created: false };
    const now = ctx.clock();
    const row = tx
      .insert(domains)
      .values({
        id: newId("dom", now),
        accountId,
        name: name.ascii,
        unicodeName: name.unicode,
        createdAt: now,
      })
      .returning()
      .get();
    writeFeedEvent(tx, accountId, "domain.created", { domainId: row.id }, now);
    return { domain: toDomain(row), created: true };
  });
}

/** The typed part of a name in the form names are stored in. */
const partOf = (typed: string): string => typed.trim().toLowerCase().normalize("NFC");

type Place = {
  accountId: string;
  archived: number;
  createdAt: number;
  afterId: string;
  limit: number;
};

/** Rows state by state: first those of `from` below the place, then all of the states that follow it. */
function byState({ db }: Context, from: DomainStatus | undefined, place: Place) {
  const rows: ReturnType<ReturnType<typeof listedPageOfStatus>["all"]> = [];
  const { createdAt, id: afterId } = parseCursor(undefined);
  for (const status of STATE_ORDER.slice(from ? STATE_ORDER.indexOf(from) : 0)) {
    const start = status === (from ?? STATE_ORDER[0]) ? place : { ...place, createdAt, afterId };
    const limit = place.limit - rows.length;
    if (limit > 0) rows.push(...listedPageOfStatus(db).all({ ...start, status, limit }));
  }
  return rows;
}

function rowsOf(ctx: Context, accountId: string, query: DomainQuery, limit: number) {
  const { createdAt, id: afterId } = parseCursor(query.cursor);
  if (query.name !== undefined) {
    const name = normaliseName(query.name, ctx.settings.challengeLabel).ascii;
    return listedByName(ctx.db)
      .all({ accountId, name })
      .filter(({ domain }) => query.status === undefined || domain.status === query.status)
      .filter(({ domain }) => query.q === undefined || domain.name.includes(partOf(query.q)));
  }
  if (query.q !== undefined) {
    const q = partOf(query.q);
    const archived = query.archived === undefined ? null : Number(query.archived);
    const status = query.status ?? null;
    const search = { accountId, q, archived, status, createdAt, afterId, limit };
    return isIndexed(q)
      ? listedMatches(ctx.db).all({ ...search, match: searchMatch(accountId, q) })
      : listedAmongNext(ctx.db).all(search);
  }
  const place = { accountId, archived: query.archived ? 1 : 0, createdAt, afterId, limit };
  if (query.sort === "name" && query.status === undefined)
    return listedPageByName(ctx.db).all(place);
  if (query.sort === "state") return byState(ctx, query.status, place);
  return query.status === undefined
    ? listedPage(ctx.db).all(place)
    : listedPageOfStatus(ctx.db).all({ ...place, status: query.status });
}

/** Where a search for a short text left off without filling its page; null once it has looked at all names. */
function leftOff({ db }: Context, accountId: string, query: DomainQuery): string | null {
  if (query.q === undefined || query.name !== undefined || isIndexed(partOf(query.q))) return null;
  const { createdAt, id: afterId } = parseCursor(query.cursor);
  const archived = query.archived === undefined ? null : Number(query.archived);
  const last = lastLookedAt(db).get({ accountId, archived, createdAt, afterId });
  return last ? cursorAfter(last) : null;
}

/** Newest first without a `sort`. Throws invalid_request on an invalid cursor, invalid_domain on an invalid name. */
export async function listDomains(
  ctx: Context,
  accountId: string,
  query: DomainQuery,
): Promise<DomainList> {
  await expireOverdueOfAccount(ctx, accountId);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = rowsOf(ctx, accountId, query, limit + 1).map((row) => ({ ...row.domain, row }));
  const { page, nextCursor } = pageOf(rows, limit);
  return {
    domains: page.map(({ row }) => toListedDomain(row)),
    counts: countsOfAccount(ctx.db).get({ accountId }) ?? NO_COUNTS,
    nextCursor: nextCursor ?? leftOff(ctx, accountId, query),
  };
}

/** Throws domain_not_found. */
export const readDomain = (ctx: Context, accountId: string, id: string): Domain =>
  toDomain(domainRow(ctx.db, accountId, id));

/** The domain as the list shows it, for screens. Throws domain_not_found. */
export async function readListedDomain(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<ListedDomain> {
  await expireOverdueOfAccount(ctx, accountId);
  const row = listedById(ctx.db).get({ accountId, id });
  if (!row) throw new DeedError("domain_not_found");
  return toListedDomain(row);
}

/** Erases the domain and everything that belongs to it. Throws domain_not_found. */
export async function deleteDomain(ctx: Context, accountId: string, id: string): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    domainRow(tx, accountId, id);
    tx.delete(domains).where(eq(domains.id, id)).run();
    tx.delete(webhookMessages).where(eq(webhookMessages.domainId, id)).run();
    markErased(tx);
    writeFeedEvent(tx, accountId, "domain.deleted", { domainId: id }, ctx.clock());
  });
}

export { archiveDomain, unarchiveDomain } from "./archive.server.ts";
export { domainDeletionImpact } from "./deletion-impact.server.ts";
