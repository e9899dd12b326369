import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Id, NameInput } from "#app/api/inputs.ts";
import { limitsFor } from "#app/core/accounts/accounts.server.ts";
import { WatchProof } from "#app/features/claims/watch.ts";
import { Identity } from "#app/features/domains/domains.server.ts";
import { HandoffOptions } from "#app/features/handoffs/api.server.ts";
import { ensureByName, findByName } from "./by-name.server.ts";
import { DomainAndClaim } from "./resources.ts";

const byNameDefaults = {
  group: "Domains",
  session: true,
  params: z.strictObject({ name: NameInput }),
  errors: ["invalid_domain", "domain_archived", "domain_not_found", "claim_not_found"],
} as const;

export const proveDomain = defineEndpoint("PUT /api/domains/by-name/:name", {
  ...byNameDefaults,
  summary: "Prove a domain",
  description:
    "Finds or creates the domain and its claim, and answers with the record, the diagnosis or wait, and the newest proof (`domain.lastProvedAt`). An existing open claim or proof stays as it is, so a repeated call changes nothing: 201 if something was created, otherwise 200. `holds` says whether you may rely on the domain. To open another claim after one that was proved, expired or canceled, send its id as `again`. With `watch`, the record is watched once it is proved. With `handoff`, the answer has a page to send to whoever edits the zone.",
  byKey: "domains:write",
  body: Identity.extend({
    handoff: HandoffOptions.optional().meta({
      description: "Creates a hand-off page; may be `{}`",
    }),
    watch: WatchProof,
    again: Id.optional().meta({ description: "The ended claim after which to open a new one" }),
  }),
  response: { 200: DomainAndClaim, 201: DomainAndClaim },
  links: { getDomain: "domain/id", getClaim: "claim/id", getVerification: "claim/verificationId" },
  errors: [
    ...byNameDefaults.errors,
    "too_many_domains",
    "too_many_claims",
    "claim_ended",
    "origin_not_registered",
  ],
  async handler({ app, caller, params, body }) {
    const result = await ensureByName(app, caller.accountId, { ...params, ...body });
    if (result.isPageNew && !result.isNew)
      app.limiter.tryConsume({ additions: caller.accountId }, limitsFor(app.db, caller.accountId));
    return reply(result.isNew ? 201 : 200, result.answer);
  },
});

export const findDomain = defineEndpoint("GET /api/domains/by-name/:name", {
  ...byNameDefaults,
  summary: "Find a domain by its name, with its claim",
  description:
    "The same answer as `PUT`, but nothing is created: 404 if there is no domain or no claim.",
  byKey: "domains:read",
  query: Identity,
  response: { 200: DomainAndClaim },
  handler: ({ app, caller, params, query }) =>
    findByName(app, caller.accountId, { ...params, ...query }),
});
