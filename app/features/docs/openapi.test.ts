import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ERRORS } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { errorsOf, openApiDocument, pathTemplate } from "./openapi.server.ts";

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })),
  requestBody: z.looseObject({}).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string().min(1) })),
});

const SETTINGS = { baseUrl: "https://deed.example", docsUrl: "https://deed.example/docs" };
const description = JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, SETTINGS)));
const operations = Object.entries<Record<string, unknown>>(description.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: Operation.parse(operation),
    })),
);

const everyRef = (value: unknown): string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" ? [String(inner)] : everyRef(inner),
  );
};

const Discriminator = z.object({
  propertyName: z.string(),
  mapping: z.record(z.string(), z.string()),
});
type Variant = { $ref?: string; type?: string };
type Union = { name: string; variants: Variant[]; discriminator: unknown };

/** Every union in the document, by the name it appears under. */
function everyUnion(value: unknown, name = ""): Union[] {
  if (typeof value !== "object" || value === null) return [];
  const { oneOf, anyOf, discriminator } = value as Record<string, unknown>;
  const variants = (oneOf ?? anyOf) as Variant[] | undefined;
  const inner = Object.entries(value).flatMap(([key, one]) => everyUnion(one, key));
  return variants ? [{ name, variants, discriminator }, ...inner] : inner;
}

describe("the description", () => {
  it("is made once: it is costly, and anybody may ask", () => {
    expect(openApiDocument(ENDPOINTS, SETTINGS)).toBe(openApiDocument(ENDPOINTS, SETTINGS));
  });

  it("describes exactly the endpoints of the table", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      ENDPOINTS.map(({ method, path }) => `${method} ${pathTemplate(path)}`).sort(),
    );
  });

  it("covers every JSON route: one file handles all calls under /api", () => {
    const routes = readdirSync("app/routes").filter((file) => file.startsWith("api"));
    expect(routes).toEqual(["api.$.ts"]);
  });

  it("contains every schema it refers to", () => {
    const refs = everyRef(description);
    expect(refs.length).toBeGreaterThan(20);
    const held = Object.keys(description.components.schemas);
    const missing = refs.filter((ref) => !held.includes(ref.replace("#/components/schemas/", "")));
    expect(missing).toEqual([]);
  });

  it("gives every operation a unique id", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(ENDPOINTS.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint })))(
    "of $name has its parameters, answers, errors and session",
    ({ endpoint }) => {
      const found = operations.find(
        ({ name }) => name === `${endpoint.method} ${pathTemplate(endpoint.path)}`,
      );
      const { operation } = found ?? { operation: Operation.parse(null) };
      const names = (place: string) =>
        operation.parameters.filter((one) => one.in === place).map(({ name }) => name);
      expect(names("path")).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
      expect(names("path")).toEqual(Object.keys(endpoint.params?.shape ?? {}));
      expect(names("query")).toEqual(Object.keys(endpoint.query?.shape ?? {}));
      const statuses = new Set([
        ...Object.keys(endpoint.response),
        ...errorsOf(endpoint).map((code) => String(ERRORS[code][0])),
      ]);
      expect(new Set(Object.keys(operation.responses))).toEqual(statuses);
      expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined);
      const session = { true: [{ session: [] }], false: [], optional: [{}, { session: [] }] };
      const { byKey } = endpoint;
      const key = byKey === "never" || byKey === "ignored" ? [] : [{ key: [byKey] }];
      const nobody = key.length > 0 && endpoint.session === false ? [{}] : [];
      expect(operation.security).toEqual([...nobody, ...session[`${endpoint.session}`], ...key]);
    },
  );

  it("lists the error codes of an endpoint", () => {
    const cancel = description.paths["/api/claims/{id}/cancel"].post;
    const schema = cancel.responses["409"].content["application/json"].schema;
    expect(schema).toEqual({ $ref: "#/components/schemas/ClaimEndedError" });
    const errorIn = (name: string) => description.components.schemas[name].properties.error;
    expect(errorIn("ClaimEndedError").properties.code.enum).toEqual(["claim_ended"]);
    const { properties } = errorIn("AlreadyClaimedOrTooManyClaimsOrDomainArchivedError");
    expect(properties.code.enum).toEqual(["already_claimed", "too_many_claims", "domain_archived"]);
    expect(properties.claim).toMatchObject({ $ref: "#/components/schemas/ClaimDetail" });
  });

  it("has the schema of every resource, closed to unknown fields", () => {
    const { schemas } = description.components;
    const names = ["Domain", "ListedDomain", "Claim", "Verification", "Attempt", "ProofLink"];
    for (const name of names) {
      expect(schemas[name]).toMatchObject({ type: "object", additionalProperties: false });
      expect(schemas[name].required).toEqual(Object.keys(schemas[name].properties));
    }
    expect(schemas.Diagnosis.oneOf ?? schemas.Diagnosis.anyOf).toHaveLength(13);
  });

  it("names every variant of a union and its discriminator", () => {
    const unions = everyUnion(description);
    expect(unions.length).toBeGreaterThan(20);
    for (const { variants, discriminator } of unions) {
      const named = variants.filter(({ type }) => type !== "null");
      if (named.length === 1) {
        // A nullable field: the object in it must be a named schema too.
        expect(named[0]).not.toHaveProperty("properties");
        continue;
      }
      const { propertyName, mapping } = Discriminator.parse(discriminator);
      expect(variants.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
      for (const [value, ref] of Object.entries(mapping)) {
        const variant = description.components.schemas[ref.replace("#/components/schemas/", "")];
        expect(variant.properties[propertyName].const).toBe(value);
        expect(variant.required).toContain(propertyName);
      }
    }
    const tagged = unions.filter(({ discriminator }) => discriminator);
    const names = tagged.map(({ name }) => name).sort();
    expect(names.join(" ")).toBe(
      "AbsentAnswer Coexistence Diagnosis Elsewhere Recency ResolverAnswer ResolverFault ZoneFrame",
    );
  });

  it("declares the default of a zone's provider", () => {
    const { provider } = description.components.schemas.DelegationFrame.properties;
    expect(provider).toMatchObject({ default: "cloudflare" });
    expect(provider.enum).toContain("other");
  });

  it("describes /api/zones as a stream of two named events", () => {
    const { content } = description.paths["/api/zones/{name}"].get.responses["200"];
    const events = Object.keys(content["text/event-stream"]["x-events"]);
    expect(events).toEqual(["delegation", "publishing"]);
  });
});
