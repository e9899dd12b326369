import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { AnyQuery, NameInput } from "#app/api/inputs.ts";
import { DelegationFrame, PublishingFrame, ZoneFrame } from "#app/features/zones/resources.ts";
import { addressKey } from "#app/http/limits.server.ts";
import { formatEvent } from "#app/http/sse.server.ts";
import { lookUpZone } from "./zones.server.ts";

export const readZoneStream = defineEndpoint({
  method: "GET",
  path: "/api/zones/:name",
  group: "Zones",
  summary: "Look at a zone",
  description:
    "Public; with an API key it draws on the key's budget. A stream of two events, `delegation` then `publishing`, that ends after the second: do not reconnect. A failure is always a status with the error envelope, never an event.",
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
    const { delegation, publishing } = await lookUpZone(
      app,
      addressKey(address),
      params.name,
      closed,
    );
    return reply(
      200,
      formatEvent({ event: "delegation", data: delegation }) +
        formatEvent({ event: "publishing", data: publishing }),
    );
  },
});

export const zoneEndpoints = [readZoneStream];
