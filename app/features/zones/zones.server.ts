import { type Provider, providerOf } from "@deed/dns/names.ts";
import { PANELS } from "@deed/dns/words/providers.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { normaliseName } from "#app/core/names/domain-name.ts";
import { iso } from "#app/core/time.ts";
import type { DelegationFrame, PublishingFrame } from "#app/features/zones/resources.ts";

/** The two frames of a zone's reading, and the zone that holds the name. */
export type ZoneFrames = {
  zone: string;
  delegation: DelegationFrame;
  publishing: PublishingFrame;
};

/**
 * Reads a zone for anyone, counted against `client`. Normalises the name, shares concurrent reads, and caches the
 * result for min(NS TTL, one hour). Throws invalid_domain, no_delegation, unresolvable, rate_limited; rejects when
 * `signal` aborts. The shared read stops once its last caller has left.
 */
export async function lookUpZone(
  ctx: Context,
  client: string,
  input: string,
  signal: AbortSignal,
): Promise<ZoneFrames> {
  const { ascii, unicode, normalisations, isPublicSuffix } = normaliseName(
    input,
    ctx.settings.challengeLabel,
  );
  const { reading, cached } = await ctx.zones.read(ascii, client, signal);
  if (reading.type !== "read") throw new DeedError(reading.type);
  const { zone, nameservers } = reading;
  const provider = providerOf(nameservers);
  return {
    zone,
    delegation: {
      step: "delegation",
      name: input,
      domain: { ascii, unicode, normalisations, isPublicSuffix },
      nameservers,
      provider,
      observedAt: iso(reading.at),
      cached,
    },
    publishing: {
      step: "publishing",
      publishingMinutes: PANELS[provider].publishingMinutes,
      negativeCacheTtlSeconds: reading.negativeTtl,
    },
  };
}

/** A zone and who serves it. */
export type KnownZone = { zone: string; nameservers: string[]; provider: Provider };

/**
 * The zone that holds a name, and its DNS host, from the same reads. Null if there is no answer or `signal` aborts
 * first. Throws unresolvable, rate_limited.
 */
export async function findZoneOf(ctx: Context, client: string, ascii: string, signal: AbortSignal) {
  try {
    const { reading } = await ctx.zones.read(ascii, client, signal);
    if (reading.type !== "read") return null;
    const { zone, nameservers } = reading;
    return { zone, nameservers, provider: providerOf(nameservers) };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
