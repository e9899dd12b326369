import { providedEndpoints } from "#app/api/dispatch.server.ts";
import { type Endpoint, isScope } from "#app/api/endpoint.server.ts";
import type { ErrorCode } from "#app/core/errors.server.ts";
import type { App } from "#app/http/app.server.ts";
import { errorsOf, openApiDocument, pathTemplate } from "./openapi.server.ts";
import { type FieldRow, fieldRows, type Schema, typeText } from "./schema-text.ts";

export type ReferenceEntry = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  access: string;
  parameters: (FieldRow & { location: string })[];
  body: FieldRow[];
  responses: { status: string; contentText: string }[];
  errors: ErrorCode[];
};

export type Reference = {
  /** `slug` is the last part of the address of the group's page. */
  groups: { name: string; slug: string; entries: ReferenceEntry[] }[];
  resources: { name: string; description: string; rows: FieldRow[]; text: string }[];
};

const ACCESS = {
  true: "Needs a session.",
  false: "Public.",
  optional: "Public; a session is looked at.",
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
  responses: Record<
    string,
    {
      description: string;
      content?: Record<string, { schema: Schema; "x-events"?: Record<string, Schema> }>;
    }
  >;
};

function contentText(response: Operation["responses"][string]): string {
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (!content) return response.description;
  const events = content["x-events"];
  if (!events) return typeText(content.schema);
  const named = Object.entries(events).map(([name, schema]) => `${name}: ${typeText(schema)}`);
  return `${type}; ${named.join(", then ")}`;
}

/** The content of the reference pages, from the same description that /api/openapi.json serves. */
export function reference({ settings }: App): Reference {
  const endpoints = providedEndpoints();
  const { paths, components, tags } = openApiDocument(endpoints, settings);
  const entryOf = (endpoint: Endpoint): ReferenceEntry => {
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
