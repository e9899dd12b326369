import { pascalCase } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import {
  type Endpoint,
  isScope,
  type NamedEndpoint,
  type ResponseContent,
} from "#app/api/endpoint.server.ts";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { EVENT_MEANINGS, type WebhookEvent } from "#app/features/webhooks/events.ts";
import { MESSAGES } from "#app/features/webhooks/messages.server.ts";
import { anyOf, CODES, errorSchemaByCode, errorsOf } from "./error-schemas.server.ts";
import { type Addresses, examplesAt } from "./examples.server.ts";

type Json = Record<string, unknown>;

/** The versions of OpenAPI: 3.1, and 3.0 without webhooks, for generators that cannot read 3.1. */
export type Dialect = "3.1.0" | "3.0.3";

const refTo = (id: string) => `#/components/schemas/${id}`;

/** Adds a tagged union's discriminator, and the fields of all variants, so that readers see them for any variant. */
function addDiscriminator({ def }: z.core.$ZodTypes["_zod"], jsonSchema: Json) {
  if (!(def.type === "union" && "discriminator" in def)) return;
  const propertyName = String(def.discriminator);
  const variants = def.options as z.ZodObject[];
  const mapping = variants.map((variant) => {
    const { id } = z.globalRegistry.get(variant) ?? {};
    const [value] = variant.shape[propertyName]?._zod.values ?? [];
    if (!id || value === undefined) throw new Error(`a variant by ${propertyName} has no name`);
    return [String(value), refTo(id)] as const;
  });
  jsonSchema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
  const sharedFields = Object.entries(variants[0]?.shape ?? {}).filter(([name, field]) =>
    variants.every(({ shape }) => shape[name] === field),
  );
  if (sharedFields.length === 0) return;
  const tagField = { [propertyName]: z.enum(mapping.map(([value]) => value)) };
  const { properties, required } = z.toJSONSchema(
    z.object({ ...tagField, ...Object.fromEntries(sharedFields) }),
  );
  Object.assign(jsonSchema, { type: "object", properties, required });
}

/** Leaves out what generators cannot read: the leap-year pattern beside `date-time`, and JavaScript's number bounds. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }) {
  addDiscriminator(zodSchema._zod, jsonSchema);
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema.nullable && jsonSchema.allOf) jsonSchema.type = "object";
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum !== Number.MAX_SAFE_INTEGER) return;
  delete jsonSchema.maximum;
  jsonSchema.format = "int64";
}

const linked = <T>(schema: T): T =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "id" && typeof value === "string" ? undefined : value,
    ).replace(/"#\/(?:\$defs|definitions)\//g, '"#/components/schemas/'),
  );

/** Converts schemas to OpenAPI: schemas with an id become components and references. */
function componentsOf(dialect: Dialect, endpoints: readonly NamedEndpoint[], settings: Addresses) {
  const schemas: Record<string, unknown> = {};
  const target = dialect === "3.0.3" ? "openapi-3.0" : "draft-2020-12";
  const convert = (schema: z.ZodType, io: "input" | "output" = "output"): Json => {
    const converted = z.toJSONSchema(schema, { io, target, override });
    const { $schema: _, $defs, definitions, ...rest } = converted;
    for (const [id, part] of Object.entries($defs ?? definitions ?? {})) schemas[id] = linked(part);
    return linked(rest);
  };
  const jsonContent = (schema: z.ZodType) => ({
    content: { "application/json": { schema: convert(schema) } },
  });
  return { schemas, convert, jsonContent, endpoints, examples: examplesAt(settings) };
}
type Components = ReturnType<typeof componentsOf>;

const text = { type: "string" } as const;
const textHeader = (name: string, required: boolean) =>
  ({ name, in: "header", required, schema: text }) as const;

/** Turns `/api/claims/:id` into `/api/claims/{id}`. */
export const pathTemplate = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

function parameters(endpoint: Endpoint): Json[] {
  const fields = (location: "path" | "query", schema: z.ZodObject | undefined) => {
    if (!schema) return [];
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: location,
      required: location === "path" || required.includes(name),
      schema: property,
    }));
  };
  const headers = Object.entries(endpoint.requestHeaders).map(([name, description]) => ({
    ...textHeader(name, false),
    description,
  }));
  return [...fields("path", endpoint.params), ...fields("query", endpoint.query), ...headers];
}

function contentResponse({ convert, jsonContent }: Components, content: ResponseContent): Json {
  if (content === null) return { description: "No content" };
  if ("redirect" in content)
    return { description: "Elsewhere", headers: { Location: { required: true, schema: text } } };
  if ("stream" in content) {
    const events = Object.entries(content.stream).map(([name, schema]) => [name, convert(schema)]);
    const frame = content.frame && { "x-frame": convert(content.frame) };
    const stream = { schema: text, "x-events": Object.fromEntries(events), ...frame };
    return {
      description: `An event stream: ${Object.keys(content.stream).join(", ")}`,
      content: { "text/event-stream": stream },
    };
  }
  return { description: "Done", ...jsonContent(content) };
}

/** Uses one schema for each error code, and an envelope for each distinct set of codes in a response. */
function errorResponse(components: Components, codes: ErrorCode[]): Json {
  const name = `${codes.map(pascalCase).join("Or")}Envelope`;
  const [code] = codes;
  const error = codes.length === 1 && code ? errorSchemaByCode[code] : anyOf(codes);
  components.schemas[name] ??= components.convert(z.strictObject({ error }));
  const waits = codes.includes("rate_limited") || codes.includes("unavailable");
  const headers = { "Retry-After": { schema: { type: "integer", minimum: 1 } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join("\n\n"),
    ...(waits && { headers }),
    content: { "application/json": { schema: { $ref: refTo(name) } } },
  };
}

/** Links an answer to the calls that read its new resource, whose id is in `field`. */
function linksOf({ endpoints }: Components, { links = {} }: Endpoint) {
  const entries = Object.entries(links).map(([operationId, field]) => {
    const read = endpoints.find((endpoint) => endpoint.operationId === operationId);
    const [parameter = ""] = Object.keys(read?.params?.shape ?? {});
    return [operationId, { operationId, parameters: { [parameter]: `$response.body#/${field}` } }];
  });
  return entries.length > 0 && { links: Object.fromEntries(entries) };
}

function addExamples({ content = {} }: Json, examples: [name: string, example: Json][]): void {
  for (const media of Object.values(content as Record<string, Json>))
    if (examples.length > 0) media.examples = Object.fromEntries(examples);
}

function responses(components: Components, endpoint: NamedEndpoint): Json {
  // Objects sort integer keys, so the statuses come in order.
  const answers: Record<string, Json> = {};
  const { operations } = components.examples;
  const { status: exampleStatus, body, errors = {} } = operations[endpoint.operationId] ?? {};
  const exampleOf = (code: ErrorCode) =>
    code in errors ? { value: errors[code] } : { $ref: `#/components/examples/${code}` };
  for (const [status, codes] of Map.groupBy(errorsOf(endpoint), (code) => ERRORS[code][0])) {
    answers[status] = errorResponse(components, codes);
    const examples = codes.map((code): [string, Json] => [code, exampleOf(code)]);
    addExamples(answers[status], examples);
  }
  for (const [status, content] of Object.entries(endpoint.response))
    answers[status] = { ...contentResponse(components, content), ...linksOf(components, endpoint) };
  if (exampleStatus && body !== undefined)
    addExamples(answers[exampleStatus] ?? {}, [["recorded", { value: body }]]);
  if (endpoint.hasCsv) Object.assign(answers[200]?.content ?? {}, { "text/csv": { schema: text } });
  const headers = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };
  for (const answer of Object.values(answers))
    answer.headers = Object.assign({}, headers, answer.headers);
  return answers;
}

/** Lists the ways to sign in; any one is enough. */
function security({ session, byKey }: Endpoint): Record<string, string[]>[] {
  const anonymous = session === true ? [] : [{}];
  const sessionSchemes = session === false ? [] : [{ session: [] }];
  const program = isScope(byKey) ? [{ key: [byKey] }] : [];
  const schemes = [...sessionSchemes, ...program];
  return schemes.length === 0 ? [] : [...anonymous, ...schemes];
}

function operation(components: Components, endpoint: NamedEndpoint): Json {
  const body = endpoint.body && components.convert(endpoint.body, "input");
  const { request } = components.examples.operations[endpoint.operationId] ?? {};
  const content = { schema: body, examples: { recorded: { value: request?.body } } };
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.group],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    security: security(endpoint),
    parameters: parameters(endpoint),
    ...(body && {
      requestBody: {
        required: "required" in body || "minProperties" in body,
        content: { "application/json": content },
      },
    }),
    responses: responses(components, endpoint),
  };
}

export const meaningOf = (type: string): string =>
  EVENT_MEANINGS[type as WebhookEvent] ?? "A test, sent on request";

const webhookOperations = (components: Components): Json =>
  Object.fromEntries(
    Object.entries(MESSAGES).map(([type, schema]) => {
      const post = {
        operationId: `receive${pascalCase(type.replace(".", "_"))}`,
        tags: ["Webhooks"],
        summary: meaningOf(type),
        security: [],
        parameters: ["id", "timestamp", "signature"].map((header) =>
          textHeader(`webhook-${header}`, true),
        ),
        requestBody: { required: true, ...components.jsonContent(schema) } as Json,
        responses: { "2XX": { description: "Accepted" } },
      };
      addExamples(post.requestBody, [["recorded", { value: components.examples.messages[type] }]]);
      return [type, { post }];
    }),
  );

const documents = new WeakMap<Addresses, Partial<Record<Dialect, ReturnType<typeof describe>>>>();

/** Makes the document once per service: that takes many milliseconds, and anyone may request it. */
export function openApiDocument(
  endpoints: readonly NamedEndpoint[],
  settings: Addresses,
  dialect: Dialect = "3.1.0",
) {
  const byDialect = documents.get(settings) ?? {};
  documents.set(settings, byDialect);
  byDialect[dialect] ??= describe(componentsOf(dialect, endpoints, settings), settings, dialect);
  return byDialect[dialect];
}

function describe(components: Components, { baseUrl, docsUrl }: Addresses, dialect: Dialect) {
  components.schemas.ApiError = components.convert(anyOf(CODES));
  const sessionName = baseUrl.startsWith("https:") ? "__Host-session" : "session";
  const paths: Record<string, Json> = {};
  for (const endpoint of components.endpoints) {
    const path = pathTemplate(endpoint.path);
    const operations = { [endpoint.method.toLowerCase()]: operation(components, endpoint) };
    paths[path] = { ...paths[path], ...operations };
  }
  return {
    openapi: dialect,
    info: {
      title: "Deed",
      // The version of the API contract, not of the software.
      version: "0.1.0",
      description:
        "Prove control of a domain name with one TXT record. Every path also takes a trailing slash. Errors are `{ error: { code, message, docsUrl } }`. Paths, fields and codes do not change. Any version may add more of them, so ignore those you do not know. A change that would break a program gets a new path, and the old path keeps working for a year.",
    },
    servers: [{ url: baseUrl }],
    externalDocs: { url: docsUrl },
    tags: [...new Set(components.endpoints.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    ...(dialect === "3.1.0" && { webhooks: webhookOperations(components) }),
    components: {
      schemas: components.schemas,
      headers: {
        RequestId: { required: true, description: "This id is in the log", schema: text },
      },
      examples: Object.fromEntries(
        CODES.map((code) => [code, { value: components.examples.errors[code]?.body }]),
      ),
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: sessionName },
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "deed_<id>_<secret>",
          description:
            "An API key, from POST /api/keys or the account page. A route names the scope that the key needs; a route that names none takes no key. A call with a key ignores cookies and needs no `Origin`. Answers say in `RateLimit-Policy` and `RateLimit` what is left of the key's budget.",
        },
      },
    },
  };
}
