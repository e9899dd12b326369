// Writes packages/client/src/api.ts: the types of every call that @deed/client can make, from the endpoint table.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { isScope } from "#app/api/endpoint.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { openApiDocument } from "#app/features/docs/openapi.server.ts";

/** What needs a session alone is not for programs. */
const forPrograms = ENDPOINTS.filter(({ byKey }) => isScope(byKey) || byKey === "ignored");
const description = openApiDocument(forPrograms, {
  baseUrl: "https://deed.example",
  docsUrl: "https://deed.example/docs",
});

// The client throws errors, so that a call needs types of its successes alone.
for (const operations of Object.values(description.paths))
  for (const operation of Object.values(operations) as { responses: Record<string, unknown> }[])
    for (const status of Object.keys(operation.responses))
      if (Number(status) >= 400) delete operation.responses[status];
for (const name of Object.keys(description.components.schemas))
  if (/.Envelope$/.test(name)) delete description.components.schemas[name];

const types = await openapiTS(description as unknown as OpenAPI3);
writeFileSync(
  resolve(import.meta.dirname, "../packages/client/src/api.ts"),
  `// Made by scripts/client-types.ts.\n${astToString(types)}`,
);
