import * as z from "zod";
import { readHealth } from "#app/services/health.server.ts";
import { defineEndpoint, type Endpoint, reply } from "./endpoint.server.ts";
import { openApiDocument } from "./openapi.server.ts";

const group = "Service";

const Health = z
  .strictObject({
    status: z.enum(["ok", "failing"]),
    version: z.string(),
    role: z.enum(["single", "primary", "replica", "orphan"]).meta({
      description: "single: the only node; orphan: a replica that has lost its primary",
    }),
    position: z.string().nullable().meta({
      description: "Newest transaction of this node's copy, in hex; null on a single node",
    }),
    lagMs: z
      .int()
      .nullable()
      .meta({ description: "Milliseconds since a replica last heard of its primary" }),
    database: z.enum(["ok", "failing"]),
    worker: z.enum(["running", "stopped"]),
    clock: z.strictObject({ trusted: z.boolean(), waitingFor: z.string().nullable() }).meta({
      description:
        "Whether the system clock is confirmed; until then nothing is read, dated or expired, and waitingFor says what for",
    }),
    dns: z
      .enum(["ok", "failing", "unknown"])
      .meta({ description: "From the last reads; unknown where there was none in 15 minutes" }),
    mail: z
      .enum(["ok", "failing", "unknown"])
      .meta({ description: "From the last mail; unknown before the first since the start" }),
  })
  .meta({ id: "Health" });

export const health = defineEndpoint({
  method: "GET",
  path: "/api/health",
  group,
  summary: "Whether the service can serve",
  description:
    "503 where its database cannot be read, where its worker stands still (on the primary alone, where there are several nodes), and while it shuts down.",
  session: false,
  response: { 200: Health, 503: Health },
  handler({ app }) {
    const { database, dns } = readHealth(app);
    const mail = app.mailHealth();
    const worker = app.workerRunning() ? "running" : "stopped";
    const node = app.nodeFacts?.() ?? { role: "single" as const, position: null, lagMs: null };
    const needsWorker = node.role === "single" || node.role === "primary";
    const isWorking = worker === "running" || !needsWorker;
    const isServing = database === "ok" && isWorking && !app.closing.aborted;
    const waitingFor = app.timekeeper.waitsFor();
    const clock = { trusted: waitingFor === null, waitingFor };
    const { version } = app.settings;
    const facts = { version, ...node, database, worker, clock, dns, mail } as const;
    return isServing
      ? reply(200, { status: "ok" as const, ...facts })
      : reply(503, { status: "failing" as const, ...facts });
  },
});

/** The endpoint that describes all endpoints, including itself. */
export function openApiEndpoint(endpoints: () => readonly Endpoint[]) {
  return defineEndpoint({
    method: "GET",
    path: "/api/openapi.json",
    group,
    summary: "This description, as OpenAPI 3.1",
    session: false,
    response: { 200: z.looseObject({ openapi: z.literal("3.1.0") }) },
    caching: "no-cache",
    handler: ({ app }) => reply(200, openApiDocument(endpoints(), app.settings)),
  });
}
