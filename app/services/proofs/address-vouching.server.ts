import { eq, sql } from "drizzle-orm";
import { prepared } from "#db/client.ts";
import { accounts, claims, proofLinks } from "#db/schema.ts";
import type { Context } from "../context.server.ts";

/** How the address of a proof's holder is known to be theirs: a mail was answered, or a provider says so. */
export type AddressVouching = { by: "mail" } | { by: "provider"; host: string };

const ofSlug = prepared((db) =>
  db
    .select({ mailProvedAt: accounts.mailProvedAt, oidcIssuer: accounts.oidcIssuer })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

/** Of the holder of the proof that a link leads to; null where there is no such link. */
export function addressVouching(ctx: Context, slug: string): AddressVouching | null {
  const row = ofSlug(ctx.db).get({ slug });
  if (!row) return null;
  const { mailProvedAt, oidcIssuer } = row;
  return mailProvedAt === null && oidcIssuer !== null
    ? { by: "provider", host: new URL(oidcIssuer).host }
    : { by: "mail" };
}
