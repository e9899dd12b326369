import { eq } from "drizzle-orm";
import * as z from "zod";
import { Cursor, NameInput, PageSize, Reference } from "#app/api/inputs.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { cursorAfter, pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { claimableName, normaliseName } from "#app/core/names/domain-name.ts";
import type { Normalisation } from "#app/core/normalisations.ts";
import { type Domain, type DomainList, ListedDomain } from "#app/features/domains/resources.ts";
import { markErased } from "#db/erase.ts";
import { domains, webhookMessages } from "#db/schema.ts";
import { ownDomain } from "../claims/claim-rows.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import {
  anyReference,
  countsOfAccount,
  type DomainStatus,
  isIndexed,
  type ListedRow,
  listedById,
  listedByIdentity,
  listedMatches,
  listedPageByName,
  listedPageOfName,
  listedPages,
  listedPagesOfReference,
  searchAmongAll,
  searchAmongName,
  searchAmongReference,
  searchMatch,
  toDomain,
  toListedDomain,
} from "./domain-rows.server.ts";

/** What a list of domains is asked with. */
export const DomainFields = z.strictObject({
  name: NameInput.optional(),
  keepWww: z.boolean().optional().meta({ description: "Keep the `www.` of `name`" }),
  reference: Reference.optional(),
  q: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .meta({ description: "Any part of a name, in ASCII or Unicode, archived or not" }),
  status: ListedDomain.shape.status.optional(),
  archived: z
    .boolean()
    .optional()
    .meta({ description: "true lists the archived domains; false (the default) the others" }),
  limit: PageSize,
  cursor: Cursor.optional(),
});

/**
 * `sort` is the order of the list without a name, search or reference: by name, or by state (`STATE_ORDER`) from
 * `status` on; newest first otherwise. Without `archived`, a search (`q`) finds archived domains too.
 */
export type DomainQuery = Partial<z.output<typeof DomainFields>> & {
  sort?: "name" | "state" | undefined;
};

/** The states in the order a list sorted by them shows them. */
const STATE_ORDER = ["pending", "unclaimed", "expired", "canceled", "proved"] as const;
const NO_COUNTS = { unclaimed: 0, pending: 0, proved: 0, expired: 0, canceled: 0, archived: 0 };

/**
 * Finds or creates the domain. `reference` is part of its identity, empty for none; `keepWww` keeps the www of
 * "www.acme.com". Throws invalid_domain.
 */
export async function addDomain(
  ctx: Context,
  accountId: string,
  input: string,
  { reference = "", keepWww }: Pick<DomainQuery, "reference" | "keepWww"> = {},
): Promise<{ domain: Domain; normalisations: Normalisation[]; created: boolean }> {
  const { challengeLabel } = ctx.settings;
  const { ascii, unicode, normalisations } = claimableName(input, challengeLabel, keepWww);
  return commit(ctx, (tx, ctx) => {
    const found = listedByIdentity(tx).get({ accountId, name: ascii, reference });
    if (found) return { domain: toDomain(found.domain), normalisations, created: false };
    const now = ctx.clock();
    const names = { name: ascii, unicodeName: unicode, reference };
    const row = tx
      .insert(domains)
      .values({ id: newId("dom", now), accountId, ...names, createdAt: now })
      .returning()
      .get();
    writeFeedEvent(tx, accountId, "domain.created", { domainId: row.id }, now);
    return { domain: toDomain(row), normalisations, created: true };
  });
}

/** A query as the rows are asked for it: the name and the part of one as they are stored, and the place in the list. */
function lookupOf(ctx: Context, accountId: string, query: DomainQuery) {
  const { name, keepWww, reference, q, status = null, archived, sort } = query;
  const ascii =
    name === undefined
      ? undefined
      : normaliseName(name, ctx.settings.challengeLabel, keepWww).ascii;
  const { createdAt, id: afterId } = parseCursor(query.cursor);
  return {
    accountId,
    name: ascii,
    reference,
    q: q === undefined ? null : q.trim().toLowerCase().normalize("NFC"),
    status,
    archived: archived === undefined ? null : Number(archived),
    sort,
    createdAt,
    afterId,
  };
}
type Lookup = ReturnType<typeof lookupOf>;

/** Rows state by state: first those of `from` below the place, then all of the states that follow it. */
function byState(
  { db }: Context,
  from: DomainStatus | null,
  place: Omit<Lookup, "archived"> & { archived: number; limit: number },
) {
  const rows: ListedRow[] = [];
  const { createdAt, id: afterId } = parseCursor(undefined);
  for (const status of STATE_ORDER.slice(from ? STATE_ORDER.indexOf(from) : 0)) {
    const start = status === (from ?? STATE_ORDER[0]) ? place : { ...place, createdAt, afterId };
    const limit = place.limit - rows.length;
    if (limit > 0) rows.push(...listedPages.ofStatus(db).all({ ...start, status, limit }));
  }
  return rows;
}

/** The search that looks at a bounded number of names, if the query needs one. */
function searchOf({ name, reference, q, status }: Lookup) {
  if (name !== undefined)
    return reference === undefined && (q !== null || status !== null) ? searchAmongName : null;
  if (q === null) return null;
  if (reference !== undefined) return searchAmongReference;
  return isIndexed(q) ? null : searchAmongAll;
}

function rowsOf(ctx: Context, lookup: Lookup, limit: number): ListedRow[] {
  const { db } = ctx;
  const { accountId, name, reference, q, status, sort } = lookup;
  const asked = { ...lookup, limit };
  const search = searchOf(lookup);
  if (search) return search.rows(db).all(asked);
  if (name !== undefined && reference !== undefined)
    return listedByIdentity(db)
      .all(asked)
      .filter(({ domain }) => status === null || domain.status === status)
      .filter(({ domain }) => q === null || domain.name.includes(q));
  if (name !== undefined) return listedPageOfName(db).all(asked);
  if (q !== null) return listedMatches(db).all({ ...asked, match: searchMatch(accountId, q) });
  const place = { ...asked, archived: asked.archived ?? 0 };
  if (reference === undefined && sort === "name" && status === null)
    return listedPageByName(db).all(place);
  if (reference === undefined && sort === "state") return byState(ctx, status, place);
  const pages = reference === undefined ? listedPages : listedPagesOfReference;
  return status === null ? pages.any(db).all(place) : pages.ofStatus(db).all(place);
}

/** Newest first without a `sort`. Throws invalid_request on an invalid cursor, invalid_domain on an invalid name. */
export async function listDomains(ctx: Context, accountId: string, query: DomainQuery) {
  await expireOverdueOfAccount(ctx, accountId);
  const limit = query.limit ?? 25;
  const lookup = lookupOf(ctx, accountId, query);
  const rows = rowsOf(ctx, lookup, limit + 1).map((row) => ({ ...row.domain, row }));
  const { page, nextCursor } = pageOf(rows, limit);
  // Where a bounded search left off without filling its page.
  const last = nextCursor === null ? searchOf(lookup)?.last(ctx.db).get(lookup) : undefined;
  const now = ctx.clock();
  return {
    domains: page.map(({ row }) => toListedDomain(row, now)),
    counts: countsOfAccount(ctx.db).get({ accountId }) ?? NO_COUNTS,
    nextCursor: last ? cursorAfter(last) : nextCursor,
  } satisfies DomainList;
}

/** Whether any domain of the account has a reference. */
export const hasReferences = ({ db }: Context, accountId: string): boolean =>
  anyReference(db).get({ accountId }) !== undefined;

/** Throws domain_not_found. */
export const readDomain = (ctx: Context, accountId: string, id: string): Domain =>
  toDomain(ownDomain(ctx.db, accountId, id));

/** The domain as the list shows it, for screens. Throws domain_not_found. */
export async function readListedDomain(ctx: Context, accountId: string, id: string) {
  await expireOverdueOfAccount(ctx, accountId);
  const row = listedById(ctx.db).get({ accountId, id });
  if (!row) throw new DeedError("domain_not_found");
  return toListedDomain(row, ctx.clock());
}

/** Erases the domain and everything that belongs to it. Throws domain_not_found. */
export async function deleteDomain(ctx: Context, accountId: string, id: string): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    ownDomain(tx, accountId, id);
    tx.delete(domains).where(eq(domains.id, id)).run();
    tx.delete(webhookMessages).where(eq(webhookMessages.domainId, id)).run();
    markErased(tx);
    writeFeedEvent(tx, accountId, "domain.deleted", { domainId: id }, ctx.clock());
  });
}

export { archiveDomain, domainDeletionImpact, unarchiveDomain } from "./archive.server.ts";
