import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Id, NameInput, Reference } from "#app/api/inputs.ts";
import type { ErrorCode } from "#app/core/errors.server.ts";
import { HandoffOptions } from "#app/features/handoffs/api.server.ts";
import { ensureByName, findByName } from "./by-name.server.ts";
import { DomainAndClaim } from "./resources.ts";

const identity = {
  reference: Reference.optional(),
  keepWww: z.boolean().optional().meta({ description: "Keep the `www.` of the name" }),
};
const ofName = {
  path: "/api/domains/by-name/:name",
  group: "Domains",
  session: true,
  params: z.strictObject({ name: NameInput }),
} as const;
const errors: ErrorCode[] = ["invalid_domain", "domain_archived", "claim_not_found"];

export const proveDomain = defineEndpoint({
  ...ofName,
  method: "PUT",
  summary: "Prove a domain",
  description:
    "Finds or creates the domain and its claim, and answers all that there is to show: the record, the diagnosis or wait, the newest proof (`domain.lastProvedAt`). An open claim or a proof is answered as it is, so the same call again changes nothing: 201 if it made something, 200 if not. After an expired or canceled claim, `again` with its id opens another. With `handoff`, the answer has a page to send to whoever edits the zone.",
  byKey: "domains:write",
  body: z.strictObject({
    ...identity,
    handoff: HandoffOptions.optional().meta({
      description: "Makes the hand-off page of the open claim, or changes it; `{}` is enough",
    }),
    again: Id.optional().meta({
      description:
        "The id of the expired or canceled claim after which to open another; does so once",
    }),
  }),
  response: { 200: DomainAndClaim, 201: DomainAndClaim },
  links: { getDomain: "domain/id", getClaim: "claim/id", getVerification: "claim/verificationId" },
  errors: [...errors, "too_many_claims", "origin_not_registered"],
  async handler({ app, caller, params, body }) {
    const { isNew, answer } = await ensureByName(app, caller.accountId, { ...params, ...body });
    return reply(isNew ? 201 : 200, answer);
  },
});

export const showByName = defineEndpoint({
  ...ofName,
  method: "GET",
  summary: "Find a domain by its name, with its claim",
  description: "As `PUT` answers it. Nothing is made: 404 where there is no domain, or no claim.",
  byKey: "domains:read",
  query: z.strictObject(identity),
  response: { 200: DomainAndClaim },
  errors: [...errors, "domain_not_found"],
  handler: async ({ app, caller, params, query }) =>
    reply(200, await findByName(app, caller.accountId, { ...params, ...query })),
});

export const byNameEndpoints = { proveDomain, findDomain: showByName };
