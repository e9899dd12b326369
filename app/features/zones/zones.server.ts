import { providerOf } from "@deed/dns/names.ts";
import { PANELS } from "@deed/dns/words/providers.ts";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { AnyQuery, NameInput } from "#app/api/inputs.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { normaliseName } from "#app/core/names/domain-name.ts";
import { iso } from "#app/core/time.ts";
import { addressKey } from "#app/http/limits.server.ts";
import { formatEvent } from "#app/http/sse.server.ts";
import { DelegationFrame, PublishingFrame, ZoneFrame } from "./resources.ts";

/**
 * Reads a zone for anyone, counted against `client`: its two frames, and the name of the zone. Throws invalid_domain,
 * no_delegation, unresolvable, rate_limited; rejects when `signal` aborts.
 */
export async function lookUpZone(ctx: Context, client: string, name: string, signal: AbortSignal) {
  const { registrable: _, ...domain } = normaliseName(name, ctx.settings.challengeLabel);
  const { reading, cached } = await ctx.zones.read(domain.ascii, client, signal);
  if (reading.type !== "read") throw new DeedError(reading.type);
  const { zone, nameservers, at, negativeTtl: negativeCacheTtlSeconds } = reading;
  const provider = providerOf(nameservers);
  const { publishingMinutes } = PANELS[provider];
  const read = { nameservers, provider, observedAt: iso(at), cached };
  const delegation: DelegationFrame = { step: "delegation", name, domain, ...read };
  const publishing = { step: "publishing", publishingMinutes, negativeCacheTtlSeconds } as const;
  return { zone, delegation, publishing };
}

/** Finds the zone of a name; null if there is no answer or `signal` aborts first. Throws unresolvable, rate_limited. */
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

export const streamZone = defineEndpoint("GET /api/zones/:name", {
  group: "Zones",
  summary: "Read a zone",
  description:
    "Public; with an API key, it counts against the key's budget. A stream of two events, `delegation` then `publishing`, that ends after the second: do not reconnect. A failure is always an HTTP status with an error body, never an event.",
  session: false,
  byKey: "zones:read",
  params: z.strictObject({ name: NameInput }),
  query: AnyQuery,
  response: {
    200: { stream: { delegation: DelegationFrame, publishing: PublishingFrame }, frame: ZoneFrame },
  },
  errors: ["invalid_domain", "no_delegation", "unresolvable", "rate_limited"],
  budget: "zones",
  async handler({ app, params, connection }) {
    const { address, closed } = connection;
    const frames = await lookUpZone(app, addressKey(address), params.name, closed);
    const events = [frames.delegation, frames.publishing];
    return events.map((data) => formatEvent({ event: data.step, data })).join("");
  },
});
