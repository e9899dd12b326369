import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Id } from "#app/api/inputs.ts";
import { Every, ProofWatch, Watch } from "../claims/watch.ts";
import { ofPublished } from "../proofs/api.server.ts";
import { readProofWatch, readWatch, unwatchClaim, watchClaim } from "./watches.server.ts";

const group = "Watching";
const ofClaim = {
  path: "/api/claims/:id/watch",
  group,
  session: true,
  params: z.strictObject({ id: Id }),
} as const;

export const watchEndpoints = {
  startWatch: defineEndpoint({
    ...ofClaim,
    method: "PUT",
    summary: "Watch the record of a proof",
    body: z.strictObject({ every: Every.optional() }),
    adds: true,
    description:
      "Deed reads the record once a day from now on, at a time of the claim's own, or once an hour with `every: \"hour\"`: of an account's watches 500 at most, further ones daily, as `every` in the answer says. The claim, its date and its links never change by it. Asking twice changes nothing.",
    byKey: "domains:write",
    response: { 200: Watch },
    errors: ["claim_not_found", "claim_not_proved", "domain_archived"],
    handler: ({ app, caller, params, body }) =>
      watchClaim(app, caller.accountId, params.id, body.every),
  }),
  getWatch: defineEndpoint({
    ...ofClaim,
    method: "GET",
    summary: "Read what watching has shown",
    byKey: "domains:read",
    response: { 200: Watch },
    errors: ["claim_not_found", "not_watched"],
    handler: ({ app, caller, params }) => readWatch(app, caller.accountId, params.id),
  }),
  stopWatch: defineEndpoint({
    ...ofClaim,
    method: "DELETE",
    summary: "Stop watching",
    description: "The proof stays as it is. Asking twice changes nothing.",
    byKey: "domains:write",
    response: { 204: null },
    errors: ["claim_not_found"],
    handler: ({ app, caller, params }) => unwatchClaim(app, caller.accountId, params.id),
  }),
  getProofWatch: defineEndpoint({
    ...ofPublished,
    method: "GET",
    path: "/api/proofs/:slug/watch",
    group,
    summary: "Whether the record of a published proof is still there",
    description:
      "Public, and reads no DNS: it says what the last daily read saw. `not_watched` 404 if its holder does not keep it watched.",
    response: { 200: ProofWatch },
    errors: ["proof_not_found", "proof_revoked", "not_watched", "rate_limited"],
    handler: ({ app, params }) => readProofWatch(app, params.slug),
  }),
};
