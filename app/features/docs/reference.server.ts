import { providedEndpoints } from "#app/api/dispatch.server.ts";
import { type Endpoint, isScope } from "#app/api/endpoint.server.ts";
import type { App } from "#app/http/app.server.ts";
import { errorsOf, openApiDocument, pathTemplate } from "./openapi.server.ts";

/** The subset of JSON Schema that zod emits and the reference shows. */
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

type FieldRow = { name: string; type: string; required: boolean; description: string };

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength];
  const isKnown = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isKnown(least) && isKnown(most)) return `, ${least} to ${most}`;
  if (isKnown(least) && least !== undefined && least > 0) return `, at least ${least}`;
  return isKnown(most) ? `, at most ${most}` : "";
}

/** A schema in a few words: "string", "pending | proved", "array of Claim", "Diagnosis or null". */
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

/** The fields of an object schema; empty for any other schema. */
function fieldRows({ properties = {}, required = [] }: Schema): FieldRow[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: required.includes(name),
    description: field.description ?? "",
  }));
}

export type ReferenceEntry = ReturnType<typeof reference>["groups"][number]["entries"][number];

const ACCESS = {
  true: "Needs a session.",
  false: "Public.",
  optional: "Public; a session is looked at.",
};

type Answer = {
  description: string;
  content?: Record<string, { schema: Schema; "x-events"?: Record<string, Schema> }>;
};
type Operation = {
  operationId: string;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, Answer>;
};

function contentText({ description, content: byType = {} }: Answer): string {
  const [type, content] = Object.entries(byType)[0] ?? [];
  if (!content) return description;
  const events = content["x-events"];
  if (!events) return typeText(content.schema);
  const named = Object.entries(events).map(([name, schema]) => `${name}: ${typeText(schema)}`);
  return `${type}; ${named.join(", then ")}`;
}

/** `slug`: the last part of the address of a group's page. */
export function reference({ settings }: App) {
  const endpoints = providedEndpoints();
  const { paths, components, tags } = openApiDocument(endpoints, settings);
  const entryOf = (endpoint: Endpoint) => {
    const path = pathTemplate(endpoint.path);
    const operation = paths[path]?.[endpoint.method.toLowerCase()] as Operation;
    return {
      id: operation.operationId,
      method: endpoint.method,
      path,
      summary: endpoint.summary,
      description: endpoint.description,
      access: isScope(endpoint.byKey)
        ? `${ACCESS[`${endpoint.session}`].slice(0, -1)}, or an API key with ${endpoint.byKey}.`
        : ACCESS[`${endpoint.session}`],
      parameters: operation.parameters.map(
        ({ name, in: location, required, description, schema }) => ({
          name,
          location,
          type: typeText(schema),
          required,
          description: description ?? schema.description ?? "",
        }),
      ),
      body: operation.requestBody
        ? fieldRows(operation.requestBody.content["application/json"].schema)
        : [],
      responses: Object.keys(endpoint.response).map((status) => ({
        status,
        contentText: contentText(operation.responses[status] ?? { description: "" }),
      })),
      errors: errorsOf(endpoint),
    };
  };
  return {
    groups: tags.map(({ name }) => ({
      name,
      slug: name.toLowerCase().replaceAll(" ", "-"),
      entries: endpoints.filter(({ group }) => group === name).map(entryOf),
    })),
    // Leaves out the narrower error envelopes: each endpoint lists its codes.
    resources: Object.entries(components.schemas)
      .filter(([name]) => !/.Error$/.test(name))
      .map(([name, schema]) => {
        const shape = schema as Schema;
        return {
          name,
          description: shape.description ?? "",
          rows: fieldRows(shape),
          text: shape.properties ? "" : typeText(shape),
        };
      }),
  };
}
