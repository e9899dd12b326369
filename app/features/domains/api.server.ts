import express from "express";
import * as z from "zod";
import { defineEndpoint, fieldReader, reply } from "#app/api/endpoint.server.ts";
import { NameInput, Reference } from "#app/api/inputs.ts";
import { object } from "#app/core/resources.ts";
import { domainById } from "../claims/holds.server.ts";
import { domainsCsv } from "./csv.server.ts";
import * as domains from "./domains.server.ts";
import { AddedDomain, Domain, DomainList } from "./resources.ts";

const domainDefaults = { group: "Domains", session: true, byKey: "domains:write" } as const;
const domainBase = { ...domainDefaults, errors: ["domain_not_found"] } as const;

/** Reads the filters and the position of a page of domains. Throws invalid_request. */
export const readDomainQuery = fieldReader("query", domains.DomainFields) as (
  query: URLSearchParams,
) => z.output<typeof domains.DomainFields>;

export const domainEndpoints = {
  createDomain: defineEndpoint("POST /api/domains", {
    ...domainDefaults,
    summary: "Find or create a domain",
    description:
      "The same name on the same account returns the same domain: 201 if it was created, 200 if it was found. With a `reference`, each reference has its own domain of that name, with its own claims, tokens and proofs. `normalisations` says what was done to the name. An account can have a limited number of domains (100,000 unless the operator set `LIMIT_DOMAINS`); one more is 409 `too_many_domains`.",
    body: domains.Identity.extend({ domain: NameInput }),
    response: { 200: AddedDomain, 201: AddedDomain },
    links: { getDomain: "id" },
    errors: ["invalid_domain", "too_many_domains"],
    async handler({ app, caller, body }) {
      const added = await domains.addDomain(app, caller.accountId, body.domain, body);
      const { domain, normalisations } = added;
      return reply(added.created ? 201 : 200, { ...domain, normalisations });
    },
  }),
  browseDomains: defineEndpoint("GET /api/domains", {
    ...domainDefaults,
    summary: "List domains, newest first",
    description:
      "Archived domains are left out unless `archived` asks for them; `name` finds the domains of that name, one for each reference, archived or not. Each domain has the diagnosis or wait of its current claim. `counts` covers the whole account, whatever the filters. Pass `nextCursor` back as `cursor`; it is null on the last page. With `Accept: text/csv` the answer is a CSV of all that the filters find: name, reference, state, proved at, holds, watch, registration expires.",
    byKey: "domains:read",
    query: domains.DomainFields,
    response: { 200: DomainList },
    hasCsv: true,
    caching: "no-store, no-transform",
    errors: ["invalid_domain"],
    async handler({ app, caller, query, request }) {
      const asked = { headers: Object.fromEntries(request.headers) } as express.Request;
      const isCsv = express.request.accepts.call(asked, "json", "csv") === "csv";
      if (!isCsv) return domains.listDomains(app, caller.accountId, query);
      return (await domainsCsv(app, caller.accountId, query)) as never;
    },
  }),
  getDomain: defineEndpoint("GET /api/domains/:id", {
    ...domainBase,
    summary: "Read a domain",
    byKey: "domains:read",
    response: { 200: Domain },
    handler: ({ app, caller, params }) => domains.readDomain(app, caller.accountId, params.id),
  }),
  archiveDomain: defineEndpoint("POST /api/domains/:id/archive", {
    ...domainBase,
    summary: "Archive a domain",
    description:
      "Ends an open claim and revokes every public link of the domain. Links do not come back; proofs keep their dates. Idempotent.",
    response: { 200: Domain },
    handler: ({ app, caller, params }) => domains.archiveDomain(app, caller.accountId, params.id),
  }),
  unarchiveDomain: defineEndpoint("POST /api/domains/:id/unarchive", {
    ...domainBase,
    summary: "Take a domain out of the archive",
    description: "With all its claims. Opens no claim and restores no link. Idempotent.",
    response: { 200: Domain },
    isAddition: true,
    isThere: ({ db }, _, { params }) =>
      domainById(db).get({ id: String(params?.id) })?.archived === false,
    handler: ({ app, caller, params }) => domains.unarchiveDomain(app, caller.accountId, params.id),
  }),
  deleteDomain: defineEndpoint("DELETE /api/domains/:id", {
    ...domainBase,
    summary: "Erase a domain",
    description:
      "Its claims, verifications and notices are erased with it. Its proof links stop working.",
    response: { 204: null },
    handler: ({ app, caller, params }) => domains.deleteDomain(app, caller.accountId, params.id),
  }),
  deleteDomainsOfReference: defineEndpoint("DELETE /api/domains", {
    ...domainDefaults,
    summary: "Erase all domains of a reference",
    description:
      "For a customer who leaves. Erases every domain of the reference, archived or not, as `DELETE /api/domains/<id>` does, with an event for each. `deleted` says how many. A call that was cut off can be repeated.",
    query: z.strictObject({ reference: Reference }),
    response: { 200: object("ErasedReference", { deleted: z.int() }) },
    handler: async ({ app, caller, query }) => ({
      deleted: await domains.deleteReference(app, caller.accountId, query.reference),
    }),
  }),
};
