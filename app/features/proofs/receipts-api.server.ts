import { createHash } from "node:crypto";
import * as z from "zod";
import { type Call, defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { AnyQuery, Id } from "#app/api/inputs.ts";
import type { ErrorCode } from "#app/core/errors.server.ts";
import { Evidence, Opening, Receipt } from "#app/features/proofs/resources.ts";
import { readEvidence, readOwnReceipt, readReceipt } from "./receipts.server.ts";

const group = "Receipts";
const ofClaim = {
  group,
  session: true,
  byKey: "domains:read",
  params: z.strictObject({ id: Id }),
  errors: ["claim_not_found", "claim_not_proved", "receipt_not_found"] as ErrorCode[],
} as const;

/** Names the file that a browser saves. A domain name in A-label form needs no quoting. */
const asFile = ({ headers }: Pick<Call, "headers">, name: string) =>
  headers.set("Content-Disposition", `attachment; filename="${name}"`);

/** Whether the client has this answer already; tags it either way. */
function hasAlready({ request, headers }: Pick<Call, "request" | "headers">, content: unknown) {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  headers.set("ETag", `"${digest}"`);
  return request.headers.get("If-None-Match")?.includes(`"${digest}"`) ?? false;
}

export const showReceipt = defineEndpoint({
  method: "GET",
  path: "/api/proofs/:slug/receipt",
  group,
  summary: "Download the receipt of a published proof",
  description:
    "Public. A file that anyone can check alone, offline and years later: a signed statement and, where the zone is signed, the DNSSEC chain from the root to the token. `log` is always null. Proofs made before version 0.2.0 have no receipt.",
  session: false,
  params: z.strictObject({ slug: Id }),
  query: AnyQuery,
  requestHeaders: { "If-None-Match": "The `ETag` of an earlier answer" },
  response: { 200: Receipt, 304: null },
  errors: ["proof_not_found", "proof_revoked", "receipt_not_found", "rate_limited"],
  budget: "proofs",
  caching: "no-cache, no-transform",
  handler: ({ app, params, ...call }) => {
    const { content, fileStem } = readReceipt(app, params.slug);
    if (hasAlready(call, content)) return reply(304, null);
    asFile(call, `${fileStem}.deed.json`);
    return reply(200, content);
  },
});

export const showOwnReceipt = defineEndpoint({
  ...ofClaim,
  method: "GET",
  path: "/api/claims/:id/receipt",
  summary: "Download the receipt of a proved claim",
  description: "For its holder, whether the proof is published or not.",
  response: { 200: Receipt },
  handler: ({ app, caller, params, ...call }) => {
    const { receipt, fileStem } = readOwnReceipt(app, caller.accountId, params.id);
    asFile(call, `${fileStem}.deed.json`);
    return reply(200, receipt);
  },
});

export const showOpening = defineEndpoint({
  ...ofClaim,
  method: "GET",
  path: "/api/claims/:id/opening",
  summary: "Read what opens the holder's address in a receipt",
  description:
    "For the holder alone. With `opening`, the address and the receipt, a reader of the holder's choice can check that the address held the proof. Without it, nobody can test addresses.",
  response: { 200: Opening },
  handler: ({ app, caller, params }) => {
    const { opening } = readOwnReceipt(app, caller.accountId, params.id);
    return reply(200, { opening });
  },
});

export const showEvidence = defineEndpoint({
  ...ofClaim,
  method: "GET",
  path: "/api/claims/:id/evidence",
  summary: "Download the evidence behind a receipt",
  description:
    "Everything that the read which proved the claim saw. Its octets are canonical JSON (RFC 8785), and their SHA-256 is `evidenceSha256` of the receipt's statement.",
  response: { 200: Evidence },
  handler: ({ app, caller, params, ...call }) => {
    const { content, fileStem } = readEvidence(app, caller.accountId, params.id);
    asFile(call, `${fileStem}.evidence.json`);
    // Its members are sorted, so that it is written again octet for octet.
    return reply(200, JSON.parse(content) as Record<string, unknown>);
  },
});

export const receiptEndpoints = [showReceipt, showOwnReceipt, showOpening, showEvidence];
