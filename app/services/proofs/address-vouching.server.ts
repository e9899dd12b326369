import { eq, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { accounts, claims, people, proofLinks } from "#db/schema.ts";
import type { Context } from "../context.server.ts";

/** How the holder's address was confirmed: by answering a mail, or by the identity provider. */
export type AddressVouching = { by: "mail" } | { by: "provider"; host: string };

const ofSlug = prepared((db) =>
  db
    .select({ mailProvedAt: people.mailProvedAt, oidcIssuer: people.oidcIssuer })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .innerJoin(people, eq(people.email, accounts.email))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

/** How the address of a proof link's holder was confirmed; null if there is no such link. */
export function addressVouching(ctx: Context, slug: string): AddressVouching | null {
  const row = ofSlug(ctx.db).get({ slug });
  if (!row) return null;
  const { mailProvedAt, oidcIssuer } = row;
  return mailProvedAt === null && oidcIssuer !== null
    ? { by: "provider", host: new URL(oidcIssuer).host }
    : { by: "mail" };
}
