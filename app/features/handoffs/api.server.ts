import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { AnyQuery, readableText } from "#app/api/inputs.ts";
import { noteWaitingAtHandoff, sharedRecord } from "./handoff-screen.server.ts";
import { createHandoff, liveOfClaim, revokeHandoff } from "./handoffs.server.ts";
import { Handoff, RevokedHandoff, SharedRecord } from "./resources.ts";

const group = "Hand-offs";
const handoffDefaults = { group, session: true, byKey: "domains:write" } as const;

export const MAX_SHOWN = 100;
export const MAX_RETURN_URL = 1_000;

export const HandoffOptions = z.strictObject({
  showAddress: z.boolean().optional().meta({
    description:
      "Whether the page shows the account's full address. A new page masks it unless this is true",
  }),
  title: readableText(MAX_SHOWN)
    .nullable()
    .optional()
    .meta({ description: "The heading of the page; null for none" }),
  requestedFor: readableText(MAX_SHOWN).nullable().optional().meta({
    description: "The customer's name, as they know it; null for none",
  }),
  returnUrl: z.string().min(1).max(MAX_RETURN_URL).nullable().optional().meta({
    description:
      "A URL that the page links back to, on a domain that the account has proved or below one; null for none",
  }),
});

export const handoffEndpoints = {
  createHandoffLink: defineEndpoint("POST /api/claims/:id/handoff", {
    ...handoffDefaults,
    summary: "Create a hand-off link",
    description:
      "Issues a page that needs no account: the record to add, its state, and a button that checks DNS now. A second call returns the same page; after a revocation, the page gets a new slug. It answers 410 once the claim has ended. A field that is left out stays as it is.",
    body: HandoffOptions,
    response: { 201: Handoff },
    links: { getHandoff: "slug" },
    errors: ["claim_not_found", "claim_ended", "origin_not_registered"],
    isThere: ({ db }, _, { params, body }) =>
      Object.keys(Object(body)).length === 0 && !!liveOfClaim(db, String(params?.id)),
    handler: ({ app, caller, params, body }) =>
      createHandoff(app, caller.accountId, params.id, body),
  }),
  revokeHandoffLink: defineEndpoint("POST /api/claims/:id/handoff/revoke", {
    ...handoffDefaults,
    summary: "Revoke a hand-off link",
    description: "Its slug stops working for good. The claim stays open.",
    response: { 200: RevokedHandoff },
    errors: ["claim_not_found", "claim_ended", "handoff_not_found"],
    handler: ({ app, caller, params }) => revokeHandoff(app, caller.accountId, params.id),
  }),
  getHandoff: defineEndpoint("GET /api/handoffs/:slug", {
    group,
    summary: "Read what a hand-off page shows",
    description:
      "Public like the page, with the same budget: the record to add, its state, and who asks. Once the page has ended the answer is 410, and `ended` says how.",
    session: false,
    budget: "proofs",
    query: AnyQuery,
    response: { 200: SharedRecord },
    errors: ["handoff_not_found", "handoff_ended"],
    handler: ({ app, params }) => sharedRecord(app, params.slug),
  }),
  sayWaitingAtHandoff: defineEndpoint("POST /api/handoffs/:slug/waiting", {
    group,
    summary: "Say that somebody is waiting at a hand-off page",
    description:
      "The page calls this once a minute while it is in view. It does for the page's claim what `POST /api/claims/{id}/waiting` does.",
    session: false,
    byKey: "ignored",
    budget: "proofs",
    response: { 204: null },
    errors: ["handoff_not_found", "handoff_ended"],
    handler: ({ app, params }) => noteWaitingAtHandoff(app, params.slug),
  }),
};
