import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Cursor, NameInput, PageSize, Reference } from "#app/api/inputs.ts";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { cursorAfter, pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { claimableName, normaliseName } from "#app/core/names/domain-name.ts";
import type { Db, Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import { claims, domains, WATCH_STATES, webhookMessages } from "#db/schema.ts";
import { getDomain, openClaimOfDomain } from "../claims/claim-rows.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import { notifyHolds } from "../claims/holds.server.ts";
import { endClaim, rowsOfClaim } from "../claims/outcome.server.ts";
import { revokeLinksOfDomain } from "../proofs/proofs.server.ts";
import { endWatchesOf } from "../watching/watches.server.ts";
import {
  anyWithReference,
  countsOf,
  type DomainRow,
  domainByIdentity,
  type ListFilter,
  listedById,
  listedPage,
  searchEnd,
  toDomain,
  toListedDomain,
} from "./domain-rows.server.ts";
import { type Domain, type DomainList, ListedDomain } from "./resources.ts";

export const Identity = z.strictObject({
  reference: Reference.optional(),
  keepWww: z
    .boolean()
    .optional()
    .meta({ description: "Keep the `www.` of `www.acme.com`, which is removed otherwise" }),
});
export type Identity = z.output<typeof Identity>;

export const DomainFields = Identity.extend({
  name: NameInput.optional(),
  q: z.string().min(1).max(253).optional().meta({
    description:
      "Any part of a name, in ASCII or Unicode. Without `archived`, archived domains are found too",
  }),
  status: ListedDomain.shape.status.optional(),
  holds: z.boolean().optional().meta({ description: "Whether the domains can be relied on" }),
  watch: z
    .enum([...WATCH_STATES, "none"])
    .optional()
    .meta({ description: "The state of the watch; `none` for domains without a watch" }),
  archived: z
    .boolean()
    .optional()
    .meta({ description: "true lists the archived domains; false (the default) the others" }),
  limit: PageSize,
  cursor: Cursor.optional(),
});

/** The query of a list. Only pages can sort by name, ask for the page before `cursor`, and leave out domains by id. */
export type DomainQuery = Partial<z.output<typeof DomainFields>> & {
  sort?: "name" | undefined;
  isBackward?: boolean;
  except?: readonly string[];
};

const NO_TEST = "A test key can add only the names of test mode, such as proved.test.";
/** Finds or creates a domain. `work` runs in the same transaction. Throws invalid_domain, too_many_domains. */
export async function addDomain<T>(
  ctx: Context,
  accountId: string,
  input: string,
  { reference = "", keepWww }: Identity = {},
  work?: (ctx: TxContext, tx: Tx, domain: DomainRow) => T,
) {
  const { challengeLabel } = ctx.settings;
  const { ascii, unicode, normalisations } = claimableName(input, challengeLabel, keepWww);
  if (ctx.test?.isName(ascii) === false)
    throw new DeedError("invalid_domain", { message: NO_TEST });
  return commit(ctx, (tx, ctx, now) => {
    const found = domainByIdentity(tx).get({ accountId, name: ascii, reference });
    const names = { name: ascii, unicodeName: unicode, reference };
    const newRow = { id: newId("dom", now), accountId, ...names, createdAt: now };
    const limit = limitsFor(tx, accountId).domains ?? ctx.settings.domains;
    if (!found && countDomains(tx, accountId) >= limit) throw new DeedError("too_many_domains");
    const row = found ?? tx.insert(domains).values(newRow).returning().get();
    if (!found) writeFeedEvent(tx, accountId, "domain.created", { domainId: row.id }, now);
    return { domain: toDomain(row), normalisations, created: !found, result: work?.(ctx, tx, row) };
  });
}

/** Counts an account's domains, archived ones too. */
export function countDomains(db: Db | Tx, accountId: string): number {
  const { accountId: _, ...counts } = countsOf(db).get({ accountId }) ?? {};
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

/** Makes the row filter of a query, with its position in the list. Throws what `domainPage` throws. */
function filterOf(ctx: Context, accountId: string, query: DomainQuery): ListFilter {
  const { name, keepWww, cursor, except, sort, isBackward = false } = query;
  const { reference = null, status = null, holds = null, watch = null } = query;
  const q = query.q?.trim().toLowerCase().normalize("NFC") ?? null;
  const archived = query.archived ?? (q === null ? false : null);
  return {
    accountId,
    ...parseCursor(cursor, "dom"),
    ...(name === undefined
      ? { name: null, archived }
      : { name: normaliseName(name, ctx.settings.challengeLabel, keepWww).ascii, archived: null }),
    ...{ reference, q, status, holds, watch, isBackward },
    except: except?.join() || null,
    byName: sort === "name" && name === undefined,
  };
}

/** Reads a page of the list, as rows. Throws invalid_request on an invalid cursor, invalid_domain on an invalid name. */
export async function domainPage(ctx: Context, accountId: string, query: DomainQuery) {
  await expireOverdueOfAccount(ctx, accountId);
  const { limit = 25, isBackward } = query;
  const filter = filterOf(ctx, accountId, query);
  const rows = listedPage(ctx.db, filter, limit + 1);
  const { page, nextCursor } = pageOf(rows, limit, ({ domain }) => domain);
  // A bounded search may have stopped here before its page was full.
  const lastSearched = nextCursor === null ? searchEnd(ctx.db, filter) : undefined;
  const { accountId: _, ...counts } = countsOf(ctx.db).get({ accountId }) ?? {
    accountId,
    ...{ unclaimed: 0, pending: 0, proved: 0, expired: 0, canceled: 0, archived: 0 },
  };
  return {
    rows: isBackward ? page.toReversed() : page,
    counts,
    nextCursor: lastSearched ? cursorAfter(lastSearched) : nextCursor,
  };
}

/** Reads a page of the list. Throws what `domainPage` throws. */
export async function listDomains(ctx: Context, accountId: string, query: DomainQuery) {
  const { rows, ...page } = await domainPage(ctx, accountId, query);
  const now = ctx.clock();
  const domains = rows.map((row) => toListedDomain(row, now));
  return { domains, ...page } satisfies DomainList;
}

export const hasReferences = ({ db }: Context, accountId: string): boolean =>
  anyWithReference(db).get({ accountId }) !== undefined;

/** Reads a domain. Throws domain_not_found. */
export const readDomain = (ctx: Context, accountId: string, id: string): Domain =>
  toDomain(getDomain(ctx.db, accountId, id));

/** Reads a domain as in the list, for pages. Throws domain_not_found. */
export async function readListedDomain(ctx: Context, accountId: string, id: string) {
  await expireOverdueOfAccount(ctx, accountId);
  const row = listedById(ctx.db).get({ id, accountId });
  return toListedDomain(orThrow(row, "domain_not_found"), ctx.clock());
}

/** Deletes a domain with everything that belongs to it. Throws domain_not_found. */
export const deleteDomain = (ctx: Context, accountId: string, id: string) =>
  commit(ctx, (tx, ctx) => {
    getDomain(tx, accountId, id);
    erase(tx, ctx, accountId, id);
  });

function erase(tx: Tx, ctx: TxContext, accountId: string, id: string): void {
  const isThisDomain = and(eq(domains.id, id), eq(domains.accountId, accountId));
  if (tx.delete(domains).where(isThisDomain).run().changes === 0) return;
  tx.delete(webhookMessages).where(eq(webhookMessages.domainId, id)).run();
  markErased(tx);
  writeFeedEvent(tx, accountId, "domain.deleted", { domainId: id }, ctx.clock());
}

/** The number of domains erased in one transaction: few, so that other writes need not wait. */
const ERASED_AT_ONCE = 50;

/** Erases all domains of a reference, also archived ones, in steps. Returns how many. */
export async function deleteReference(ctx: Context, accountId: string, reference: string) {
  const isOfReference = and(eq(domains.accountId, accountId), eq(domains.reference, reference));
  for (let deleted = 0; ; await new Promise((resolve) => setImmediate(resolve))) {
    const query = ctx.db.select({ id: domains.id }).from(domains).where(isOfReference);
    const found = query.limit(ERASED_AT_ONCE).all();
    await commit(ctx, (tx, ctx) => {
      for (const { id } of found) erase(tx, ctx, accountId, id);
    });
    deleted += found.length;
    if (found.length < ERASED_AT_ONCE) return deleted;
  }
}

function setArchived(tx: Tx, { id, accountId }: DomainRow, archived: boolean, now: number): Domain {
  notifyHolds(tx, id, now, () => {
    tx.update(domains).set({ archived }).where(eq(domains.id, id)).run();
    const type = archived ? "domain.archived" : "domain.unarchived";
    writeFeedEvent(tx, accountId, type, { domainId: id }, now);
  });
  return toDomain(getDomain(tx, accountId, id));
}

/** Archives a domain, and ends its open claim, watches and links for good. Idempotent. Throws domain_not_found. */
export async function archiveDomain(ctx: Context, accountId: string, id: string): Promise<Domain> {
  await expireOverdueOfAccount(ctx, accountId);
  return commit(ctx, (tx, _, now) => {
    const domain = getDomain(tx, accountId, id);
    if (domain.archived) return toDomain(domain);
    const current = openClaimOfDomain(tx).get({ domainId: id });
    const pair = current && rowsOfClaim(tx).get({ id: current.claim.id });
    if (pair) endClaim(tx, pair, "canceled", now);
    endWatchesOf(tx, eq(claims.domainId, id));
    revokeLinksOfDomain(tx, id, now);
    return setArchived(tx, domain, true, now);
  });
}

export const unarchiveDomain = (ctx: Context, accountId: string, id: string) =>
  commit(ctx, (tx, _, now) => {
    const domain = getDomain(tx, accountId, id);
    return domain.archived ? setArchived(tx, domain, false, now) : toDomain(domain);
  });

/** Tells the confirmation pages how much archiving or deleting a domain would end. Throws domain_not_found. */
export function domainDeletionImpact({ db, clock }: Context, accountId: string, id: string) {
  const domain = toDomain(getDomain(db, accountId, id));
  const impact = db.get<Record<"claims" | "openClaims" | "liveLinks" | "notices", number>>(sql`
    select count(*) as claims,
      count(*) filter (where state = 'pending' and expires_at > ${clock()}) as openClaims,
      (select count(*) from proof_links join claims on claims.id = claim_id
        where domain_id = ${id} and revoked_at is null) as liveLinks,
      (select count(*) from notices where domain_id = ${id}) as notices
    from claims where domain_id = ${id}`);
  return { domain, impact };
}
