import { createHash } from "node:crypto";
import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { AnyQuery } from "#app/api/inputs.ts";
import { ProofWatch } from "../claims/watch.ts";
import * as proofs from "./proofs.server.ts";
import { readHolderReceipt, readReceipt } from "./receipts.server.ts";
import { Evidence, Opening, ProofLink, PublishedProof, Receipt } from "./resources.ts";

/** Anyone with the slug of a link may read these. */
const publishedDefaults = {
  session: false,
  query: AnyQuery,
  budget: "proofs",
  caching: "no-cache, no-transform",
} as const;
const linkDefaults = { group: "Proof links", session: true } as const;

const receiptDefaults = {
  group: "Receipts",
  session: true,
  byKey: "domains:read",
  errors: ["claim_not_found", "claim_not_proved", "receipt_not_found"],
} as const;

const asFile = (headers: Headers, name: string) =>
  headers.set("Content-Disposition", `attachment; filename="${name}"`);

export const proofEndpoints = {
  createProofLink: defineEndpoint("POST /api/claims/:id/proof_links", {
    ...linkDefaults,
    summary: "Publish a proof",
    description: "A second call returns the same link; after a revocation, it issues a new slug.",
    byKey: "domains:write",
    response: { 201: ProofLink },
    links: { getProof: "slug", getProofReceipt: "slug", getProofWatch: "slug" },
    errors: ["claim_not_found", "claim_not_proved", "domain_archived"],
    isThere: ({ db }, _, { params }) => !!proofs.liveOf(db, String(params?.id)),
    handler: ({ app, caller, params }) => proofs.publishProof(app, caller.accountId, params.id),
  }),
  browseProofLinks: defineEndpoint("GET /api/claims/:id/proof_links", {
    ...linkDefaults,
    summary: "List the links of a claim, newest first",
    description: "Revoked ones included.",
    byKey: "domains:read",
    response: { 200: z.strictObject({ links: z.array(ProofLink) }) },
    errors: ["claim_not_found"],
    handler: ({ app, caller, params }) => ({
      links: proofs.listProofLinks(app, caller.accountId, params.id),
    }),
  }),
  revokeProofLink: defineEndpoint("POST /api/claims/:id/proof_links/:slug/revoke", {
    ...linkDefaults,
    summary: "Revoke a proof link",
    description: "Its slug stops working for good. The proof keeps its date.",
    byKey: "domains:write",
    response: { 200: ProofLink },
    errors: ["claim_not_found", "proof_link_not_found"],
    handler: ({ app, caller, params }) =>
      proofs.revokeProofLink(app, caller.accountId, params.id, params.slug),
  }),
  getProof: defineEndpoint("GET /api/proofs/:slug", {
    ...publishedDefaults,
    group: "Proof links",
    summary: "Read a published proof",
    description:
      "Public, and reads no DNS. `recency` says whether a later proof of the same name exists.",
    response: { 200: PublishedProof },
    errors: ["proof_not_found", "proof_revoked", "rate_limited"],
    handler: ({ app, params }) => proofs.readProof(app, params.slug),
  }),
};
export const receiptEndpoints = {
  getProofReceipt: defineEndpoint("GET /api/proofs/:slug/receipt", {
    ...publishedDefaults,
    group: "Receipts",
    summary: "Download the receipt of a published proof",
    description:
      "Public. A file that anyone can check alone, offline and years later: a signed statement, and the DNSSEC chain from the root to the token or to the proof that the domain is not signed. Proofs made before version 0.2.0 have no receipt.",
    requestHeaders: { "If-None-Match": "The `ETag` of an earlier answer" },
    response: { 200: Receipt, 304: null },
    errors: ["proof_not_found", "proof_revoked", "receipt_not_found", "rate_limited"],
    handler: ({ app, params, request, headers }) => {
      const { content, fileStem } = readReceipt(app, params.slug);
      const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
      headers.set("ETag", `"${digest}"`);
      if (request.headers.get("If-None-Match")?.includes(`"${digest}"`)) return reply(304, null);
      asFile(headers, `${fileStem}.deed.json`);
      return reply(200, content);
    },
  }),
  getReceipt: defineEndpoint("GET /api/claims/:id/receipt", {
    ...receiptDefaults,
    summary: "Download the receipt of a proved claim",
    description: "For its holder, whether the proof is published or not.",
    response: { 200: Receipt },
    handler: ({ app, caller, params, headers }) => {
      const { receipt, fileStem } = readHolderReceipt(app, caller.accountId, params.id);
      asFile(headers, `${fileStem}.deed.json`);
      return receipt;
    },
  }),
  getOpening: defineEndpoint("GET /api/claims/:id/opening", {
    ...receiptDefaults,
    summary: "Read the ownership code of a receipt",
    description:
      "Only for the holder. With `opening`, the address and the receipt, anyone the holder chooses can check that the address held the proof. Without `opening`, nobody can test addresses.",
    response: { 200: Opening },
    handler: ({ app, caller, params }) => ({
      opening: readHolderReceipt(app, caller.accountId, params.id).opening,
    }),
  }),
  getEvidence: defineEndpoint("GET /api/claims/:id/evidence", {
    ...receiptDefaults,
    summary: "Download the evidence behind a receipt",
    description:
      "Everything that the read that proved the claim saw, as canonical JSON (RFC 8785). The SHA-256 of these octets is `evidenceSha256` in the receipt's statement.",
    response: { 200: Evidence },
    handler: ({ app, caller, params, headers }) => {
      const { evidence, fileStem } = readHolderReceipt(app, caller.accountId, params.id);
      asFile(headers, `${fileStem}.evidence.json`);
      // Its members are sorted, so writing it again gives the same octets.
      return JSON.parse(evidence) as Record<string, unknown>;
    },
  }),
};

export const getProofWatch = defineEndpoint("GET /api/proofs/:slug/watch", {
  ...publishedDefaults,
  group: "Watching",
  summary: "Whether the record of a published proof is still there",
  description:
    "Public, and reads no DNS: it says what the last daily read saw. 404 `not_watched` if its holder has stopped watching it or never started.",
  response: { 200: ProofWatch },
  errors: ["proof_not_found", "proof_revoked", "not_watched", "rate_limited"],
  handler: ({ app, params }) => proofs.readProofWatch(app, params.slug),
});
