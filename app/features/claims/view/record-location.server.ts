import type { Provider } from "@deed/dns/verdict/diagnosis.ts";
import type { RecordLocation } from "@deed/dns/words/providers.ts";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { findZoneOf, type KnownZone } from "#app/features/zones/zones.server.ts";
import { prepared } from "#db/queries.ts";
import { claims, domains, verifications } from "#db/schema.ts";

const placed = prepared((db) =>
  db
    .select({
      label: claims.challengeLabel,
      domain: claims.name,
      token: claims.token,
      domainId: claims.domainId,
      state: claims.state,
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

/** Longest a screen waits to learn the zone of a name when no read of its claim has found it yet. */
const PATIENCE_MS = 1_500;

/**
 * Where a claim's record is edited, and its domain. If no read of an open claim has found the zone yet, reads the zone
 * through the shared cache, so that even the first screen uses the panel's vocabulary. Throws claim_not_found.
 */
export async function recordLocationOf(
  ctx: Context,
  accountId: string,
  claimId: string,
): Promise<{
  place: RecordLocation;
  domainId: string;
  archived: boolean;
  /** The zone as read for this, if no read of the claim has found it. */
  known: KnownZone | null;
}> {
  const row = placed(ctx.db).get({ claim: claimId, account: accountId });
  if (!row) throw new DeedError("claim_not_found");
  const { domainId, archived, state, zone, provider, ...rest } = row;
  const known =
    zone === null && state === "pending"
      ? await findZoneOf(ctx, accountId, rest.domain, AbortSignal.timeout(PATIENCE_MS))
      : null;
  const place: RecordLocation = {
    ...rest,
    zone: zone ?? known?.zone ?? null,
    provider: (provider as Provider | null) ?? known?.provider ?? "other",
  };
  return { place, domainId, archived, known };
}
