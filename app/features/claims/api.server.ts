import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Id } from "#app/api/inputs.ts";
import { ClaimQuery, cancelClaim, listClaims, openClaim, readClaim } from "./claims.server.ts";
import { noteWaiting } from "./glances.server.ts";
import { Claim, ClaimDetail, ClaimList } from "./resources.ts";
import { WatchProof } from "./watch.ts";

const claimDefaults = { group: "Claims", session: true, byKey: "domains:write" } as const;

export const claimEndpoints = {
  createClaim: defineEndpoint("POST /api/claims", {
    ...claimDefaults,
    summary: "Open a claim",
    description:
      "Issues a token and the record to create, and starts the verification. Once `panel` is not null, `panel.host` is what to type into a panel; `records[0].host` is right only at a zone's apex. While a claim is open on the domain the answer is 409 `already_claimed`, and `error.claim` is that claim: no second token is issued. An account can have a limited number of open claims (200 unless the operator set `LIMIT_OPEN_CLAIMS`); one more is 409 `too_many_claims`.",
    body: z.strictObject({ domainId: Id, watch: WatchProof }),
    response: { 201: Claim },
    links: { getClaim: "id", getVerification: "verificationId", getDomain: "domainId" },
    errors: ["domain_not_found", "domain_archived", "already_claimed", "too_many_claims"],
    handler: ({ app, caller, body }) => openClaim(app, caller.accountId, body.domainId, body.watch),
  }),
  browseClaims: defineEndpoint("GET /api/claims", {
    ...claimDefaults,
    summary: "List claims, newest first",
    description:
      "Every claim of the account in every state, with its diagnosis or wait. With `limit`, `cursor` or `reference` the answer is one page, of 25 claims unless `limit` says otherwise: pass `nextCursor` back as `cursor`. Without them, the answer has all claims.",
    byKey: "domains:read",
    query: ClaimQuery,
    response: { 200: ClaimList },
    errors: ["domain_not_found"],
    handler: ({ app, caller, query }) => listClaims(app, caller.accountId, query),
  }),
  getClaim: defineEndpoint("GET /api/claims/:id", {
    ...claimDefaults,
    summary: "Read a claim",
    description:
      "`coexistence` says whether another account has proved the same name. It is null if none has. Once this claim is proved too, it says who (masked) and when.",
    byKey: "domains:read",
    response: { 200: ClaimDetail },
    errors: ["claim_not_found"],
    handler: ({ app, caller, params }) => readClaim(app, caller.accountId, params.id),
  }),
  cancelClaim: defineEndpoint("POST /api/claims/:id/cancel", {
    ...claimDefaults,
    summary: "Cancel an open claim",
    description: "Its token is no longer accepted, and its verification stops.",
    response: { 200: Claim },
    errors: ["claim_not_found", "claim_ended"],
    handler: ({ app, caller, params }) => cancelClaim(app, caller.accountId, params.id),
  }),
  sayWaiting: defineEndpoint("POST /api/claims/:id/waiting", {
    ...claimDefaults,
    summary: "Say that somebody is waiting",
    description:
      "Call this once a minute while somebody waits for the record to be found, as the pages do while they are in view. For ten minutes, Deed then asks the nameservers every two seconds whether they have the record, and reads DNS as soon as one of them has it. More calls change nothing. A claim gets at most an hour of this a day.",
    response: { 204: null },
    errors: ["claim_not_found", "claim_ended"],
    handler: ({ app, caller, params }) => noteWaiting(app, caller.accountId, params.id),
  }),
};
