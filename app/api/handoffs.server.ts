import * as z from "zod";
import { createHandoff, revokeHandoff } from "#app/services/handoffs/handoffs.server.ts";
import { Handoff, RevokedHandoff } from "#app/services/resources.ts";
import { defineEndpoint, reply } from "./endpoint.server.ts";
import { Id } from "./inputs.ts";

const group = "Hand-offs";
const params = z.strictObject({ id: Id });

export const createHandoffLink = defineEndpoint({
  method: "POST",
  path: "/api/claims/:id/handoff",
  group,
  summary: "Hand a claim to whoever edits the zone",
  description:
    "Issues a page that needs no account: the record to create, how it stands, and a button that reads DNS now. Asking twice returns the same page; after a revocation it gets a new slug. It answers 410 once the claim has ended.",
  session: true,
  params,
  response: { 201: Handoff },
  errors: ["claim_not_found", "claim_ended"],
  handler: async ({ app, session, params }) =>
    reply(201, await createHandoff(app, session.accountId, params.id)),
});

export const revokeHandoffLink = defineEndpoint({
  method: "POST",
  path: "/api/claims/:id/handoff/revoke",
  group,
  summary: "Take a hand-off back",
  description: "Its slug opens nothing any more, for good. The claim goes on.",
  session: true,
  params,
  response: { 200: RevokedHandoff },
  errors: ["claim_not_found", "claim_ended", "handoff_not_found"],
  handler: async ({ app, session, params }) =>
    reply(200, await revokeHandoff(app, session.accountId, params.id)),
});

export const handoffEndpoints = [createHandoffLink, revokeHandoffLink];
