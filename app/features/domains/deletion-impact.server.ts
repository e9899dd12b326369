import { and, count, eq, gt, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { prepared } from "#db/queries.ts";
import { claims, notices, proofLinks } from "#db/schema.ts";
import { domainOfAccount } from "../claims/claim-rows.server.ts";

const domainId = sql.placeholder("domainId");

const claimsHeld = prepared((db) =>
  db.select({ count: count() }).from(claims).where(eq(claims.domainId, domainId)).prepare(),
);

const openClaimsHeld = prepared((db) =>
  db
    .select({ count: count() })
    .from(claims)
    .where(
      and(
        eq(claims.domainId, domainId),
        eq(claims.state, sql.raw("'pending'")),
        gt(claims.expiresAt, sql.placeholder("now")),
      ),
    )
    .prepare(),
);

const liveLinksHeld = prepared((db) =>
  db
    .select({ count: count() })
    .from(claims)
    .innerJoin(proofLinks, eq(proofLinks.claimId, claims.id))
    .where(and(eq(claims.domainId, domainId), isNull(proofLinks.revokedAt)))
    .prepare(),
);

const noticesHeld = prepared((db) =>
  db.select({ count: count() }).from(notices).where(eq(notices.domainId, domainId)).prepare(),
);

/** Counts of what archiving or deleting would end, for the confirmation pages. Throws domain_not_found. */
export function domainDeletionImpact(
  ctx: Context,
  accountId: string,
  id: string,
): { claims: number; openClaims: number; liveLinks: number; notices: number } {
  const { db } = ctx;
  if (!domainOfAccount(db).get({ id, accountId })) throw new DeedError("domain_not_found");
  const held = { domainId: id };
  return {
    claims: claimsHeld(db).get(held)?.count ?? 0,
    openClaims: openClaimsHeld(db).get({ ...held, now: ctx.clock() })?.count ?? 0,
    liveLinks: liveLinksHeld(db).get(held)?.count ?? 0,
    notices: noticesHeld(db).get(held)?.count ?? 0,
  };
}
