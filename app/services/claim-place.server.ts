import { and, eq, sql } from "drizzle-orm";
import type { Provider } from "#app/dns/diagnosis.ts";
import type { Place } from "#app/dns/panels.ts";
import { prepared } from "#db/client.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import type { Context } from "./context.server.ts";
import { DeedError } from "./errors.server.ts";

const placed = prepared((db) =>
  db
    .select({
      label: claims.challengeLabel,
      domain: claims.name,
      token: claims.token,
      domainId: claims.domainId,
      archived: domains.archived,
      zone: verifications.zone,
      provider: verifications.provider,
    })
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(
        eq(claims.id, sql.placeholder("claim")),
        eq(claims.accountId, sql.placeholder("account")),
      ),
    )
    .prepare(),
);

/**
 * Where a claim's record is edited, as far as its reads have told, and its domain.
 * Throws claim_not_found.
 */
export function placeOfClaim(
  ctx: Context,
  accountId: string,
  claimId: string,
): { place: Place; domainId: string; archived: boolean } {
  const row = placed(ctx.db).get({ claim: claimId, account: accountId });
  if (!row) throw new DeedError("claim_not_found");
  const { domainId, archived, provider, ...rest } = row;
  return {
    place: { ...rest, provider: (provider as Provider | null) ?? "other" },
    domainId,
    archived,
  };
}
