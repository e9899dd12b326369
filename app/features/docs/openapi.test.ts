import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ERRORS } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { errorsOf } from "./error-schemas.server.ts";
import { openApiDocument, pathTemplate } from "./openapi.server.ts";

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

const mapping = z.record(z.string(), z.string());
const Discriminator = z.object({ propertyName: z.string(), mapping });
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

it("has in OpenAPI 3.0 the same operations and schemas, no webhooks, and nothing that 3.0 lacks", () => {
  const older = openApiDocument(ENDPOINTS, SETTINGS, "3.0.3");
  expect(older.openapi).toBe("3.0.3");
  expect(older).not.toHaveProperty("webhooks");
  expect(Object.keys(older.paths)).toEqual(Object.keys(description.paths));
  const { schemas } = description.components;
  const ofBoth = Object.keys(schemas).filter((name) => !name.endsWith("Message"));
  expect(new Set(Object.keys(older.components.schemas))).toEqual(new Set(ofBoth));
  const text = JSON.stringify(older);
  expect(text).toContain('"nullable":true');
  expect(text).not.toMatch(/"const":|"type":"null"|"type":\[|"\$defs"|definitions/);
});

describe("the description", () => {
  it("describes exactly the endpoints of the table, and is made once, which is costly", () => {
    expect(openApiDocument(ENDPOINTS, SETTINGS)).toBe(openApiDocument(ENDPOINTS, SETTINGS));
    const names = ENDPOINTS.map(({ method, path }) => `${method} ${pathTemplate(path)}`);
    expect(operations.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it("contains every schema it refers to", () => {
    const refs = everyRef(description);
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs)
      expect(description.components).toHaveProperty(ref.replace("#/components/", "").split("/"));
  });

  it("C2.13: has the id of the request in every answer, described once", () => {
    const answers = operations.flatMap(({ operation }) => Object.values(operation.responses));
    const [id] = answers.map(({ headers }) => (headers as Record<string, unknown>)["X-Request-Id"]);
    expect(id).toEqual({ $ref: "#/components/headers/RequestId" });
    for (const { headers } of answers) expect(headers).toMatchObject({ "X-Request-Id": id });
  });

  it("names every operation by a verb and what it is about, once", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  it("C26.17: says in a line what each operation and each message is", () => {
    const messages = Object.values<{ post: unknown }>(description.webhooks);
    expect(messages.length).toBeGreaterThan(15);
    for (const { post } of messages)
      expect(post).toMatchObject({ summary: expect.stringMatching(/^[A-Z]/) });
  });

  it.each([
    ["/api/domains", "getDomain"],
    ["/api/claims", "getClaim getVerification getDomain"],
    ["/api/claims/{id}/handoff", "getHandoff"],
    ["/api/claims/{id}/proof_links", "getProof getProofReceipt getProofWatch"],
    ["/api/webhooks", "getWebhook listDeliveries"],
  ])("links what POST %s makes to its reads: %s", (path, reads) => {
    const { links, content } = description.paths[path].post.responses["201"];
    expect(Object.keys(links).join(" ")).toBe(reads);
    const { $ref } = content["application/json"].schema;
    const { properties } = description.components.schemas[$ref.split("/").at(-1)];
    for (const [operationId, { parameters }] of Object.entries<{ parameters: object }>(links)) {
      const read = operations.find(({ operation }) => operation.operationId === operationId);
      const taken = read?.operation.parameters.filter(({ required }) => required);
      expect(Object.keys(parameters)).toEqual(taken?.map(({ name }) => name));
      for (const field of Object.values(parameters))
        expect(properties).toHaveProperty(field.replace("$response.body#/", ""));
    }
  });

  it("has no pattern beside a date-time, and no bound that is only JavaScript's", () => {
    const text = JSON.stringify(description);
    expect(text).toContain('"format":"date-time"');
    expect(text).not.toMatch(/-02-29|9007199254740991/);
  });

  it("refuses in its schemas what the service refuses", () => {
    const bodyAt = (path: string) =>
      description.paths[path].post.requestBody.content["application/json"].schema;
    const { email } = bodyAt("/api/auth/magic-link").properties;
    expect(email.minLength).toBeGreaterThan(0);
    expect("mara@acme.com").toMatch(new RegExp(email.pattern));
    expect(bodyAt("/api/auth/magic-link/verify").minProperties).toBe(1);
    expect(bodyAt("/api/people").properties.email).toEqual(email);
    const url = new RegExp(bodyAt("/api/webhooks").properties.url.pattern);
    const urls = ["https://a.example", " HTTPS://a"];
    expect(["0", ...urls].filter((one) => url.test(one))).toEqual(urls);
    const { pattern } = bodyAt("/api/keys").properties.addresses.items;
    const texts = ["a.b", "192.0.2.1", "192.0.2.0/24", "2001:db8::/32", "::"];
    expect(["", "1", ...texts].filter((one) => new RegExp(pattern).test(one))).toEqual(texts);
  });

  it.each(ENDPOINTS)("of $operationId has its parameters, answers and session", (endpoint) => {
    const { method, path, params, query, response, body, byKey } = endpoint;
    const found = operations.find(({ name }) => name === `${method} ${pathTemplate(path)}`);
    const operation = Operation.parse(found?.operation);
    const names = (place: string) =>
      operation.parameters.filter((one) => one.in === place).map(({ name }) => name);
    expect(names("path")).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    expect(names("path")).toEqual(Object.keys(params?.shape ?? {}));
    expect(names("query")).toEqual(Object.keys(query?.shape ?? {}));
    const errors = errorsOf(endpoint).map((code) => String(ERRORS[code][0]));
    const statuses = new Set([...Object.keys(response), ...errors]);
    expect(new Set(Object.keys(operation.responses))).toEqual(statuses);
    expect(operation.requestBody !== undefined).toBe(body !== undefined);
    const session = { true: [{ session: [] }], false: [], optional: [{}, { session: [] }] };
    const key = byKey === "never" || byKey === "ignored" ? [] : [{ key: [byKey] }];
    const nobody = key.length > 0 && endpoint.session === false ? [{}] : [];
    expect(operation.security).toEqual([...nobody, ...session[`${endpoint.session}`], ...key]);
  });

  it("lists the error codes of an endpoint", () => {
    const cancel = description.paths["/api/claims/{id}/cancel"].post;
    const schema = cancel.responses["409"].content["application/json"].schema;
    expect(schema).toEqual({ $ref: "#/components/schemas/ClaimEndedEnvelope" });
    const { schemas } = description.components;
    const errorIn = (name: string) => schemas[name].properties.error;
    expect(errorIn("ClaimEndedEnvelope")).toEqual({ $ref: "#/components/schemas/ClaimEndedError" });
    expect(schemas.ClaimEndedError.properties.code.const).toBe("claim_ended");
    const { properties } = errorIn("AlreadyClaimedOrTooManyClaimsOrDomainArchivedEnvelope");
    expect(properties.code.enum).toEqual(["already_claimed", "too_many_claims", "domain_archived"]);
    const { claim } = schemas.AlreadyClaimedError.properties;
    expect(claim).toMatchObject({ $ref: "#/components/schemas/ClaimDetail" });
    expect(schemas.ApiError.oneOf).toHaveLength(Object.keys(ERRORS).length);
  });

  it("has the schema of every resource, closed to unknown fields", () => {
    const { schemas } = description.components;
    const names = ["Domain", "ListedDomain", "Claim", "Verification", "Attempt", "ProofLink"];
    for (const name of names) {
      expect(schemas[name]).toMatchObject({ type: "object", additionalProperties: false });
      expect(schemas[name].required).toEqual(Object.keys(schemas[name].properties));
    }
    expect(schemas.Diagnosis.oneOf).toHaveLength(13);
    expect(schemas.Diagnosis.required).toEqual(["code", "cause", "fix", "awaits"]);
  });

  it("C2.3: names every variant of a union and its discriminator", () => {
    const unions = everyUnion(description);
    expect(unions.length).toBeGreaterThan(20);
    for (const { variants, discriminator } of unions) {
      const named = variants.filter(({ type }) => type !== "null");
      if (named.length === 1) {
        // A nullable field: the object in it must be a named schema too.
        expect(named[0]).not.toHaveProperty("properties");
        continue;
      }
      // At most two shapes, which JSON itself can tell apart.
      if (named.length === 2 && named.some(({ type }) => type === "boolean")) {
        expect(named.some(({ $ref }) => $ref)).toBe(true);
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
    const names = [...new Set(tagged.map(({ name }) => name))].sort();
    expect(names.join(" ")).toBe(
      "AbsentAnswer ApiError Coexistence Diagnosis Elsewhere Recency ResolverAnswer ResolverFault ZoneFrame error",
    );
  });

  it("has the list of domains as JSON and as CSV", () => {
    const { content } = description.paths["/api/domains"].get.responses["200"];
    expect(Object.keys(content)).toEqual(["application/json", "text/csv"]);
    expect(content["text/csv"]).toEqual({ schema: { type: "string" } });
  });

  it("describes /api/zones as a stream of two named events, with a default for the provider", () => {
    const { content } = description.paths["/api/zones/{name}"].get.responses["200"];
    const events = Object.keys(content["text/event-stream"]["x-events"]);
    expect(events).toEqual(["delegation", "publishing"]);
    const { provider } = description.components.schemas.DelegationFrame.properties;
    const all = expect.arrayContaining(["other"]);
    expect(provider).toMatchObject({ default: "cloudflare", enum: all });
  });
});
