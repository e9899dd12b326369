import { counted } from "@deed/dns/words/wording.ts";
import { and, count, desc, eq, gt, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { Cursor, Id, PageSize, Reference } from "#app/api/inputs.ts";
import { limitsFor, maskEmail } from "#app/core/accounts/accounts.server.ts";
import { requireKnownTime } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { iso } from "#app/core/time.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { accounts, claims, verifications } from "#db/schema.ts";
import { makeToken } from "../receipts/token.server.ts";
import {
  type ClaimListing,
  getClaim,
  getDomain,
  openClaimOfDomain,
  pageOfClaims,
  toClaim,
} from "./claim-rows.server.ts";
import { expireOverdueOfAccount } from "./expiry.server.ts";
import { endClaim, rowsOfClaim, updateDomainStatus } from "./outcome.server.ts";
import type { Claim, ClaimDetail, ClaimList, Coexistence } from "./resources.ts";
import { nextNotice, WINDOW_MS } from "./transition.ts";
import { toOutstanding } from "./verifications.server.ts";
import { type WatchProof, watchColumns } from "./watch.ts";

export const newestOtherProof = prepared((db) =>
  db
    .select({ email: accounts.email, provedAt: sql<number>`${claims.endedAt}` })
    .from(claims)
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(
      and(
        eq(claims.name, sql.placeholder("name")),
        sql`${claims.state} = 'proved'`,
        ne(claims.accountId, sql.placeholder("accountId")),
      ),
    )
    .orderBy(desc(claims.endedAt))
    .limit(1),
);

/** Tells whether another account has proved the name. Only an account that has also proved it sees the masked address. */
function coexistence(db: Db | Tx, { claim }: ClaimListing): Coexistence | null {
  const other = newestOtherProof(db).get(claim);
  if (!other) return null;
  if (claim.state !== "proved") return { type: "unnamed" };
  return { type: "named", maskedEmail: maskEmail(other.email), provedAt: iso(other.provedAt) };
}

const toClaimDetail = (db: Db | Tx, row: ClaimListing): ClaimDetail => ({
  ...toClaim(row),
  coexistence: coexistence(db, row),
});

type DomainRow = ReturnType<typeof getDomain>;

/** Opens a claim on a domain that is not archived and has no open claim. Throws too_many_claims, unavailable. */
export function insertClaim(ctx: TxContext, tx: Tx, domain: DomainRow, watch?: WatchProof) {
  checkOpenClaims(ctx, tx, domain.accountId);
  requireKnownTime(ctx);
  const now = ctx.clock();
  const readAt = now + ctx.settings.firstReadAfterMs;
  const claimId = newId("clm", now);
  const verificationId = newId("ver", now);
  const { id: domainId, accountId, name, reference } = domain;
  const commonColumns = { accountId, createdAt: now };
  const { challengeLabel } = ctx.settings;
  const deadline = now + WINDOW_MS;
  tx.insert(claims)
    .values({
      ...commonColumns,
      ...{ id: claimId, domainId, name, reference },
      ...makeToken(tx, ctx, accountId, `${challengeLabel}.${name}`, now),
      challengeLabel,
      ...watchColumns(watch),
      expiresAt: deadline,
      nextNoticeAt: nextNotice(now, now),
    })
    .run();
  const wait = { waitReason: "first_check", waitUntil: readAt, nextRunAt: readAt } as const;
  const verification = { ...commonColumns, ...wait, id: verificationId, claimId, deadline };
  tx.insert(verifications).values(verification).run();
  updateDomainStatus(tx, domainId);
  writeFeedEvent(tx, accountId, "claim.opened", { claimId, verificationId, domainId }, now);
  return getClaim(tx, accountId, claimId);
}

export function countOpenClaims({ clock }: TxContext, db: Db | Tx, accountId: string) {
  const isOpen = and(sql`${claims.state} = 'pending'`, gt(claims.expiresAt, clock()));
  const isCounted = and(eq(claims.accountId, accountId), isOpen);
  return db.select({ count: count() }).from(claims).where(isCounted).get()?.count ?? 0;
}

function checkOpenClaims(ctx: TxContext, tx: Tx, accountId: string): void {
  const maxOpen = limitsFor(tx, accountId).openClaims ?? ctx.settings.openClaims;
  const openCount = countOpenClaims(ctx, tx, accountId);
  if (openCount < maxOpen) return;
  throw new DeedError("too_many_claims", {
    message: `This account has ${counted(openCount, "open claim")}, and can have ${maxOpen} at once. Cancel one that you no longer need, or ask the operator for more.`,
  });
}

/** Opens a claim. Throws domain_not_found, domain_archived, already_claimed (with `claim`), too_many_claims, unavailable. */
export async function openClaim(ctx: Context, accountId: string, id: string, watch?: WatchProof) {
  await expireOverdueOfAccount(ctx, accountId);
  return commit(ctx, (tx, ctx) => {
    const domain = getDomain(tx, accountId, id);
    if (domain.archived) throw new DeedError("domain_archived");
    const open = openClaimOfDomain(tx).get({ domainId: id });
    if (open) throw new DeedError("already_claimed", { extra: { claim: toClaimDetail(tx, open) } });
    return toClaim(insertClaim(ctx, tx, domain, watch));
  });
}

export const ClaimQuery = z.strictObject({
  domainId: Id.optional(),
  reference: Reference.optional(),
  limit: PageSize.unwrap().optional(),
  cursor: Cursor.optional(),
});
type ClaimQuery = Partial<z.output<typeof ClaimQuery>>;

/** Lists a page if there is a reference, limit or cursor, else all. Throws domain_not_found, invalid_request (cursor). */
export async function listClaims(ctx: Context, accountId: string, query: ClaimQuery) {
  const { domainId, reference, limit, cursor } = query;
  await expireOverdueOfAccount(ctx, accountId);
  const domain = domainId === undefined ? null : getDomain(ctx.db, accountId, domainId);
  const after = parseCursor(cursor, "clm");
  const isPaged = reference !== undefined || limit !== undefined || cursor !== undefined;
  const pageSize = limit ?? (isPaged ? 25 : Number.MAX_SAFE_INTEGER - 1);
  if (domain && reference !== undefined && domain.reference !== reference)
    return { claims: [], nextCursor: null };
  const list = domain ? "domain" : reference === undefined ? "account" : "reference";
  const values = { accountId, domainId, reference, ...after, limit: pageSize + 1 };
  const rows = pageOfClaims(ctx.db, list).all(values);
  const { page, nextCursor } = pageOf(rows, pageSize, ({ claim }) => claim);
  const now = ctx.clock();
  const claims = page.map((row) => ({ ...toClaim(row), ...toOutstanding(row, now) }));
  return { claims, nextCursor } satisfies ClaimList;
}

/** Reads a claim. Throws claim_not_found. */
export async function readClaim(ctx: Context, accountId: string, id: string): Promise<ClaimDetail> {
  await expireOverdueOfAccount(ctx, accountId);
  return toClaimDetail(ctx.db, getClaim(ctx.db, accountId, id));
}

/** Cancels an open claim. Throws claim_not_found, claim_ended. */
export async function cancelClaim(ctx: Context, accountId: string, id: string): Promise<Claim> {
  await expireOverdueOfAccount(ctx, accountId);
  return commit(ctx, (tx, _, now) => {
    getClaim(tx, accountId, id);
    const rows = rowsOfClaim(tx).get({ id });
    if (!rows || now >= rows.claim.expiresAt || !endClaim(tx, rows, "canceled", now))
      throw new DeedError("claim_ended");
    return toClaim(getClaim(tx, accountId, id));
  });
}
