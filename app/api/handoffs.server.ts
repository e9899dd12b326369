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
  summary: "Create a hand-off link",
  description:
    "Issues a page that needs no account: the record to add, its state, and a button that checks DNS now. Asking twice returns the same page; after a revocation it gets a new slug. It answers 410 once the claim has ended.",
  session: true,
  byKey: "domains:write",
  params,
  body: z.strictObject({
    showAddress: z.boolean().optional().meta({
      description:
        "Whether the page shows the account's address whole. A new page does not unless this is true",
    }),
  }),
  response: { 201: Handoff },
  errors: ["claim_not_found", "claim_ended"],
  handler: async ({ app, caller, params, body }) =>
    reply(201, await createHandoff(app, caller.accountId, params.id, body.showAddress)),
});

export const revokeHandoffLink = defineEndpoint({
  method: "POST",
  path: "/api/claims/:id/handoff/revoke",
  group,
  summary: "Revoke a hand-off link",
  description: "Its slug stops working and never works again. The claim stays open.",
  session: true,
  byKey: "domains:write",
  params,
  response: { 200: RevokedHandoff },
  errors: ["claim_not_found", "claim_ended", "handoff_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, await revokeHandoff(app, caller.accountId, params.id)),
});

export const handoffEndpoints = [createHandoffLink, revokeHandoffLink];
