import { z } from "zod";
import { readHealth } from "#app/services/health.server.ts";
import { defineEndpoint, type Endpoint, reply } from "./endpoint.server.ts";
import { describeApi } from "./openapi.server.ts";

const group = "Service";

const Health = z
  .strictObject({
    status: z.enum(["ok", "failing"]),
    version: z.string(),
    role: z.enum(["single", "primary", "replica"]),
    database: z.enum(["ok", "failing"]),
    worker: z.enum(["running", "stopped"]),
    dns: z
      .enum(["ok", "failing", "unknown"])
      .meta({ description: "From the last reads; unknown where there was none in 15 minutes" }),
  })
  .meta({ id: "Health" });

export const health = defineEndpoint({
  method: "GET",
  path: "/api/health",
  group,
  summary: "Whether the service can serve",
  description: "503 where its database cannot be read or its worker stands still.",
  session: false,
  response: { 200: Health, 503: Health },
  errors: [],
  handler({ app }) {
    const { database, dns } = readHealth(app);
    const worker = app.workerRunning() ? "running" : "stopped";
    const isServing = database === "ok" && worker === "running";
    const facts = { version: app.settings.version, role: "single", database, worker, dns } as const;
    return isServing
      ? reply(200, { status: "ok" as const, ...facts })
      : reply(503, { status: "failing" as const, ...facts });
  },
});

/** The entry that describes every entry, itself included. */
export function describingEndpoint(endpoints: () => readonly Endpoint[]) {
  return defineEndpoint({
    method: "GET",
    path: "/api/openapi.json",
    group,
    summary: "This description, as OpenAPI 3.1",
    session: false,
    response: { 200: z.looseObject({ openapi: z.literal("3.1.0") }) },
    errors: [],
    caching: "no-cache",
    handler: ({ app }) => reply(200, describeApi(endpoints(), app.settings)),
  });
}
