import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Watch, WatchInterval } from "../claims/watch.ts";
import { readWatch, unwatchClaim, watchClaim } from "./watches.server.ts";

const watchDefaults = { group: "Watching", session: true } as const;

export const watchEndpoints = {
  startWatch: defineEndpoint("PUT /api/claims/:id/watch", {
    ...watchDefaults,
    summary: "Watch the record of a proof",
    body: z.strictObject({ every: WatchInterval.optional() }),
    isAddition: true,
    description:
      'From now on, Deed reads the record once a day, or once an hour with `every: "hour"`. Of an account\'s watches, at most 500 are hourly and the others daily: `every` in the answer says which. Watching does not change the claim, its date or its links. A second call changes nothing.',
    byKey: "domains:write",
    response: { 200: Watch },
    errors: ["claim_not_found", "claim_not_proved", "domain_archived"],
    handler: ({ app, caller, params, body }) =>
      watchClaim(app, caller.accountId, params.id, body.every),
  }),
  getWatch: defineEndpoint("GET /api/claims/:id/watch", {
    ...watchDefaults,
    summary: "Read the state of a watch",
    byKey: "domains:read",
    response: { 200: Watch },
    errors: ["claim_not_found", "not_watched"],
    handler: ({ app, caller, params }) => readWatch(app, caller.accountId, params.id),
  }),
  stopWatch: defineEndpoint("DELETE /api/claims/:id/watch", {
    ...watchDefaults,
    summary: "Stop watching",
    description: "The proof stays as it is. A second call changes nothing.",
    byKey: "domains:write",
    response: { 204: null },
    errors: ["claim_not_found"],
    handler: ({ app, caller, params }) => unwatchClaim(app, caller.accountId, params.id),
  }),
};
