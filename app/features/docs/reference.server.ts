import { providedEndpoints } from "#app/api/dispatch.server.ts";
import { isScope, type NamedEndpoint } from "#app/api/endpoint.server.ts";
import { ERRORS } from "#app/core/errors.server.ts";
import type { App } from "#app/http/app.server.ts";
import { errorsOf } from "./error-schemas.server.ts";
import { blocksOf, examplesAt, exchangeBlocks } from "./examples.server.ts";
import { meaningOf, openApiDocument, pathTemplate } from "./openapi.server.ts";

/** The part of JSON Schema that zod emits and the reference shows. */
type Schema = Partial<
  Record<"$ref" | "type" | "description", string> &
    Record<"minimum" | "maximum" | "minLength" | "maxLength", number> &
    Record<"anyOf" | "oneOf", Schema[]> & {
      enum: unknown[];
      const: unknown;
      default: unknown;
      items: Schema;
      properties: Record<string, Schema>;
      required: string[];
    }
>;

type NamedField = { name: string; required: boolean; description?: string };

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength];
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
  if (least) return `, at least ${least}`;
  return most === undefined ? "" : `, at most ${most}`;
}

/** Writes a schema in a few words: "string", "pending | proved", "array of Claim", "Diagnosis or null". */
export function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum) return schema.enum.map((value) => String(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map(typeText).join(" or ");
  if (schema.type === "array")
    return `array of ${schema.items ? typeText(schema.items) : "anything"}`;
  if (schema.type === "object" && schema.properties) {
    const fields = Object.entries(schema.properties);
    return `{ ${fields.map(([name, field]) => `${name}: ${typeText(field)}`).join(", ")} }`;
  }
  const fallback = schema.default === undefined ? "" : `, default ${schema.default}`;
  return `${schema.type ?? "anything"}${bounds(schema)}${fallback}`;
}

/** Replaces straight apostrophes by those of pages. */
const typeset = <T>(page: T): T =>
  JSON.parse(JSON.stringify(page).replaceAll(/(?<=\w)'(?=\w)/g, "’"));

const fieldRow = ({ name, required, description }: NamedField, field: Schema) => ({
  name,
  type: typeText(field),
  required,
  description: description ?? field.description ?? "",
});

const fieldRows = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, field]) =>
    fieldRow({ name, required: required.includes(name) }, field),
  );

export type ReferenceEntry = ReturnType<typeof reference>["groups"][number]["entries"][number];

const ACCESS = {
  true: "Needs a session.",
  false: "Public.",
  optional: "Public; uses a session if there is one.",
};

type Answer = {
  description: string;
  content?: Record<string, { schema: Schema; "x-events"?: Record<string, Schema> }>;
};
type Operation = {
  parameters: (NamedField & { in: string; schema: Schema })[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, Answer>;
};

function contentText({ description, content: byType = {} }: Answer): string {
  const [type, content] = Object.entries(byType)[0] ?? [];
  if (!content) return description;
  const events = content["x-events"];
  if (!events) return typeText(content.schema);
  const eventTypes = Object.entries(events).map(([name, schema]) => `${name}: ${typeText(schema)}`);
  return `${type}; ${eventTypes.join(", then ")}`;
}

/** Makes the reference of the API. `slug` is the last part of the address of a group's page. */
export function reference({ settings }: App) {
  const endpoints = providedEndpoints();
  const { paths, components, tags } = openApiDocument(endpoints, settings);
  const { operations, errors, events, messages } = examplesAt(settings);
  const postedMessages: Record<string, object> = { Events: events, Webhooks: messages };
  const entryOf = (endpoint: NamedEndpoint) => {
    const { method, summary, description, response } = endpoint;
    const path = pathTemplate(endpoint.path);
    const operation = paths[path]?.[method.toLowerCase()] as Operation;
    const example = operations[endpoint.operationId];
    return {
      id: endpoint.operationId,
      path,
      ...typeset({ method, summary, description }),
      access: isScope(endpoint.byKey)
        ? `${ACCESS[`${endpoint.session}`].slice(0, -1)}, or an API key with ${endpoint.byKey}.`
        : ACCESS[`${endpoint.session}`],
      fields: typeset([
        ...operation.parameters.map((row) => ({ ...fieldRow(row, row.schema), location: row.in })),
        ...fieldRows(operation.requestBody?.content["application/json"].schema ?? {}).map(
          (field) => ({ ...field, location: "body" }),
        ),
      ]),
      responses: Object.keys(response).map((status) => ({
        status,
        contentText: contentText(operation.responses[status] ?? { description: "" }),
      })),
      errors: errorsOf(endpoint),
      example: exchangeBlocks(example),
      refusals: blocksOf(
        endpoint.errors.map((code) => [
          `${ERRORS[code][0]} ${code}`,
          example?.errors[code] ?? errors[code]?.body,
        ]),
      ),
    };
  };
  return {
    groups: tags.map(({ name }) => ({
      name,
      slug: name.toLowerCase().replaceAll(" ", "-"),
      entries: endpoints.filter(({ group }) => group === name).map(entryOf),
      posted: blocksOf(Object.entries(postedMessages[name] ?? {})).map((block) => ({
        ...block,
        meaning: typeset(meaningOf(block.label)),
      })),
    })),
    // Leaves out errors: each endpoint lists its codes, and another page explains them.
    resources: typeset(
      Object.entries(components.schemas)
        .filter(([name]) => !/.(?:Error|Envelope)$/.test(name))
        .map(([name, schema]) => {
          const shape = schema as Schema;
          return {
            name,
            description: shape.description ?? "",
            rows: fieldRows(shape),
            text: shape.properties ? "" : typeText(shape),
          };
        }),
    ),
  };
}
