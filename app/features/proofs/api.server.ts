import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { AnyQuery, Id } from "#app/api/inputs.ts";
import { ProofLink, PublishedProof } from "#app/features/proofs/resources.ts";
import { readProof } from "./proof-rows.server.ts";
import { listProofLinks, publishProof, revokeProofLink } from "./proofs.server.ts";

const group = "Proof links";
const ofClaim = {
  path: "/api/claims/:id/proof_links",
  group,
  session: true,
  params: z.strictObject({ id: Id }),
} as const;

export const createProofLink = defineEndpoint({
  ...ofClaim,
  method: "POST",
  summary: "Publish a proof",
  description: "Asking twice returns the same link. After a revocation it issues a new slug.",
  byKey: "domains:write",
  response: { 201: ProofLink },
  errors: ["claim_not_found", "claim_not_proved", "domain_archived"],
  handler: async ({ app, caller, params }) =>
    reply(201, await publishProof(app, caller.accountId, params.id)),
});

export const browseProofLinks = defineEndpoint({
  ...ofClaim,
  method: "GET",
  summary: "List the links of a claim, newest first",
  description: "Revoked ones included.",
  byKey: "domains:read",
  response: { 200: z.strictObject({ links: z.array(ProofLink) }) },
  errors: ["claim_not_found"],
  handler: ({ app, caller, params }) =>
    reply(200, { links: listProofLinks(app, caller.accountId, params.id) }),
});

export const revokeLink = defineEndpoint({
  method: "POST",
  path: "/api/claims/:id/proof_links/:slug/revoke",
  group,
  summary: "Revoke a proof link",
  description: "Its slug stops working and never works again. The proof keeps its date.",
  session: true,
  byKey: "domains:write",
  params: z.strictObject({ id: Id, slug: Id }),
  response: { 200: ProofLink },
  errors: ["claim_not_found", "proof_link_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, await revokeProofLink(app, caller.accountId, params.id, params.slug)),
});

export const showProof = defineEndpoint({
  method: "GET",
  path: "/api/proofs/:slug",
  group,
  summary: "Read a published proof",
  description:
    "Public, and reads no DNS. `recency` says whether a later proof of the same name exists.",
  session: false,
  params: z.strictObject({ slug: Id }),
  query: AnyQuery,
  response: { 200: PublishedProof },
  errors: ["proof_not_found", "proof_revoked", "rate_limited"],
  budget: "proofs",
  caching: "no-cache, no-transform",
  handler: ({ app, params }) => reply(200, readProof(app, params.slug)),
});

export const proofEndpoints = [createProofLink, browseProofLinks, revokeLink, showProof];
