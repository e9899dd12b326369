import { pascalCase } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { type Endpoint, isScope, type ResponseContent } from "#app/api/endpoint.server.ts";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { HandoffEnding, WayBack } from "#app/features/handoffs/resources.ts";
import { MESSAGES } from "#app/features/webhooks/messages.server.ts";

/** The version of the API contract, not of the software. */
const API_VERSION = "0.1.0";

type Json = Record<string, unknown>;
type Settings = { baseUrl: string; docsUrl: string };

/** The error codes an endpoint may return: its own and those of its kind, in the order of ERRORS. */
export function errorsOf({ errors, session, byKey, budget, method, response }: Endpoint) {
  const ofKind: [boolean, ...ErrorCode[]][] = [
    [true, ...errors, "invalid_request", "internal", "unavailable"],
    [session === true, "unauthenticated"],
    [byKey !== "ignored", "invalid_api_key", "insufficient_scope"],
    [Boolean(budget), "rate_limited"],
    [method !== "GET", "cross_origin", "payload_too_large", "unsupported_media_type"],
  ];
  const codes = ofKind.flatMap(([applies, ...those]) => (applies ? those : []));
  // A status that returns a resource never returns an error envelope: the 503 of /api/health.
  return (Object.keys(ERRORS) as ErrorCode[]).filter(
    (code) => codes.includes(code) && !(ERRORS[code][0] in response),
  );
}

const refTo = (id: string) => `#/components/schemas/${id}`;

type Converted = { zodSchema: z.core.$ZodTypes; jsonSchema: Json };

/** Adds the OpenAPI discriminator of a tagged union: its property, and the variant for each value. */
function addDiscriminator({ zodSchema, jsonSchema }: Converted) {
  const { def } = zodSchema._zod;
  if (!(def.type === "union" && "discriminator" in def)) return;
  const propertyName = String(def.discriminator);
  const mapping = (def.options as z.ZodObject[]).map((variant) => {
    const { id } = z.globalRegistry.get(variant) ?? {};
    const [value] = variant.shape[propertyName]?._zod.values ?? [];
    if (!id || value === undefined) throw new Error(`a variant by ${propertyName} has no name`);
    return [String(value), refTo(id)];
  });
  jsonSchema.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}

const refer = <T>(schema: T): T =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "id" && typeof value === "string" ? undefined : value,
    ).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );

/** Converts schemas to OpenAPI: those with an id become components and references. */
function componentsOf() {
  const schemas: Record<string, unknown> = {};
  const of = (schema: z.ZodType, io: "input" | "output"): Json => {
    const converted = z.toJSONSchema(schema, { io, override: addDiscriminator });
    const { $schema: _, $defs = {}, ...own } = converted;
    for (const [id, definition] of Object.entries($defs)) schemas[id] = refer(definition);
    return refer(own);
  };
  const json = (schema: z.ZodType, io: "input" | "output" = "output") => ({
    content: { "application/json": { schema: of(schema, io) } },
  });
  return { schemas, of, json };
}
type Components = ReturnType<typeof componentsOf>;

const textHeader = (name: string, required: boolean) => ({
  name,
  in: "header",
  required,
  schema: { type: "string" },
});

/** `/api/claims/:id` as `/api/claims/{id}`. */
export const pathTemplate = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

const operationId = ({ method, path }: Endpoint) =>
  method.toLowerCase() +
  path
    .replace("/api", "")
    .split(/[^a-z0-9]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

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

function contentResponse(components: Components, content: ResponseContent): Json {
  if (content === null) return { description: "No content" };
  if ("redirect" in content)
    return {
      description: "Elsewhere",
      headers: { Location: { required: true, schema: { type: "string" } } },
    };
  if ("stream" in content) {
    const events = Object.entries(content.stream).map(([name, schema]) => [
      name,
      components.of(schema, "output"),
    ]);
    return {
      description: `An event stream: ${Object.keys(content.stream).join(", ")}`,
      content: {
        "text/event-stream": {
          schema: { type: "string" },
          "x-events": Object.fromEntries(events),
          ...(content.frame ? { "x-frame": components.of(content.frame, "output") } : {}),
        },
      },
    };
  }
  return { description: "Done", ...components.json(content) };
}

/** The error envelope, limited to these codes. */
const envelopeOf = (codes: ErrorCode[]) =>
  z.strictObject({
    error: z.strictObject({
      code: z.enum(codes),
      message: z.string().meta({ description: "For people; may be reworded" }),
      docsUrl: z.string(),
      ...(codes.includes("already_claimed") && {
        claim: ClaimDetail.optional().describe("The open claim"),
      }),
      ...(codes.includes("handoff_ended") && { ended: HandoffEnding, back: WayBack.nullable() }),
    }),
  });

/** One error schema for each distinct set of codes that some response may carry. */
function errorResponse(components: Components, codes: ErrorCode[]): Json {
  const name = `${codes.map(pascalCase).join("Or")}Error`;
  components.schemas[name] ??= components.of(envelopeOf(codes), "output");
  const waits = codes.includes("rate_limited") || codes.includes("unavailable");
  const headers = { "Retry-After": { schema: { type: "integer", minimum: 1 } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join("\n\n"),
    ...(waits && { headers }),
    content: { "application/json": { schema: { $ref: refTo(name) } } },
  };
}

function responses(components: Components, endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    const [status] = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const all = new Map<number, Json>();
  for (const [status, codes] of byStatus) all.set(status, errorResponse(components, codes));
  for (const [status, content] of Object.entries(endpoint.response))
    all.set(Number(status), contentResponse(components, content));
  return Object.fromEntries([...all].sort(([a], [b]) => a - b));
}

/** The ways to identify, any of which is enough. */
function security({ session, byKey }: Endpoint): Record<string, string[]>[] {
  const nobody = session === true ? [] : [{}];
  const holder = session === false ? [] : [{ session: [] }];
  const program = isScope(byKey) ? [{ key: [byKey] }] : [];
  const ways = [...holder, ...program];
  return ways.length === 0 ? [] : [...nobody, ...ways];
}

function operation(components: Components, endpoint: Endpoint): Json {
  return {
    operationId: operationId(endpoint),
    tags: [endpoint.group],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    security: security(endpoint),
    parameters: parameters(endpoint),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.body.safeParse({}).success,
            ...components.json(endpoint.body, "input"),
          },
        }
      : {}),
    responses: responses(components, endpoint),
  };
}

/** What the service itself posts to webhooks. */
const webhookOperations = (components: Components): Json =>
  Object.fromEntries(
    Object.entries(MESSAGES).map(([type, schema]) => [
      type,
      {
        post: {
          tags: ["Webhooks"],
          security: [],
          parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
            textHeader(name, true),
          ),
          requestBody: { required: true, ...components.json(schema) },
          responses: { "2XX": { description: "Taken" } },
        },
      },
    ]),
  );

const documents = new WeakMap<Settings, ReturnType<typeof describe>>();

/** Made once for each service: it takes many milliseconds, and anybody may ask for it. */
export function openApiDocument(endpoints: readonly Endpoint[], settings: Settings) {
  const document = documents.get(settings) ?? describe(endpoints, settings);
  documents.set(settings, document);
  return document;
}

function describe(endpoints: readonly Endpoint[], { baseUrl, docsUrl }: Settings) {
  const components = componentsOf();
  components.schemas.Error = components.of(
    envelopeOf(Object.keys(ERRORS) as ErrorCode[]),
    "output",
  );
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = pathTemplate(endpoint.path);
    const operations = paths[path] ?? {};
    operations[endpoint.method.toLowerCase()] = operation(components, endpoint);
    paths[path] = operations;
  }
  return {
    openapi: "3.1.0" as const,
    info: {
      title: "Deed",
      version: API_VERSION,
      description:
        "Prove control of a domain name by one TXT record. Every path also takes a trailing slash. Errors are `{ error: { code, message, docsUrl } }`.",
    },
    servers: [{ url: baseUrl }],
    externalDocs: { url: docsUrl },
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    webhooks: webhookOperations(components),
    components: {
      schemas: components.schemas,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: baseUrl.startsWith("https:") ? "__Host-session" : "session",
        },
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
