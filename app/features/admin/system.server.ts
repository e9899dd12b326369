import * as z from "zod";
import { providedEndpoints } from "#app/api/dispatch.server.ts";
import { defineEndpoint, type Route, reply } from "#app/api/endpoint.server.ts";
import { type Dialect, openApiDocument } from "#app/features/docs/openapi.server.ts";
import type { App } from "#app/http/app.server.ts";
import { assess, DNS_STATES, HEALTH_REASONS, readDnsState } from "./health.server.ts";
import { hasMetricsToken } from "./metrics-text.server.ts";

const service = { group: "Service", session: false } as const;

const status = z.enum(["ok", "degraded", "failing"]).meta({
  description:
    "degraded: it serves, but its database is damaged, its clock is not confirmed (nothing is proved), or its cluster has no primary (nothing is proved or written). failing: it cannot serve",
});
const reason = z.enum(HEALTH_REASONS).nullable().describe("Why status is not ok");
const recent = z.enum(["ok", "failing", "unknown"]);

const Health = z
  .strictObject({
    status,
    reason,
    version: z.string(),
    role: z
      .enum(["single", "primary", "replica", "orphan"])
      .describe("single: the only node; orphan: a replica that has lost its primary"),
    position: z
      .string()
      .nullable()
      .describe("Newest transaction of this node's copy, in hex; null on a single node"),
    term: z.int().nullable().meta({
      description:
        "When the primary that this node follows was promoted, in epoch milliseconds; null on a single node",
    }),
    lagMs: z.int().nullable().describe("Milliseconds since a replica last heard from its primary"),
    database: z.enum(["ok", "failing", "gone"]).meta({
      description:
        "Whether the database accepts writes, tried at most every 2 s; on a replica, whether its copy can be read. gone: its files were removed, renamed or replaced, and nothing is written until a restart",
    }),
    worker: z.enum(["running", "stopped"]),
    clock: z.strictObject({ trusted: z.boolean(), waitingFor: z.string().nullable() }).meta({
      description:
        "Whether the system clock is confirmed; until then nothing is read, dated or expired, and waitingFor says what it waits for",
    }),
    dns: z.enum(DNS_STATES).meta({
      description:
        "From the last reads; unknown if there was none in 15 minutes. port_53_shut: nothing answered the newest read on port 53. Open it for outgoing UDP and TCP: until then only signed domains are proved",
    }),
    mail: recent.describe("From the last email; unknown before the first since the start"),
  })
  .partial()
  .required({ status: true, reason: true })
  .meta({ id: "Health" });

const Readiness = z.strictObject({ status, reason }).meta({ id: "Readiness" });

async function nodeOf(app: App) {
  const { isSuperseded = false, ...facts } = app.nodeFacts?.() ?? {
    role: "single" as const,
    position: null,
    term: null,
    lagMs: null,
  };
  const worker = app.isWorkerRunning() ? ("running" as const) : ("stopped" as const);
  const waitingFor = app.timekeeper.reasonToWait();
  const needsWorker = facts.role === "single" || facts.role === "primary";
  const database = await app.database.state();
  const faults = {
    shutting_down: app.closing.aborted,
    database: database !== "ok",
    superseded: isSuperseded,
    worker: needsWorker && worker === "stopped",
    damaged: app.database.damage !== null,
    no_primary: facts.role === "orphan",
    clock: waitingFor !== null,
  };
  return { facts, worker, waitingFor, database, faults };
}

const answer = <B extends Pick<ReturnType<typeof assess>, "status">>(body: B) =>
  body.status === "failing" ? reply(503, body) : reply(200, body);

export const systemEndpoints = {
  getHealth: defineEndpoint("GET /api/health", {
    ...service,
    summary: "Whether the service works",
    description:
      "503 if the database fails, the worker has stopped (in a cluster, only on the primary), another node became the primary after this node, or the service is shutting down. Only calls from the service's own machine without a proxy, and calls with the bearer token `METRICS_TOKEN`, get more than `status` and `reason`.",
    response: { 200: Health, 503: Health },
    async handler({ app, connection, request }) {
      const { facts, worker, waitingFor, database, faults } = await nodeOf(app);
      const maySeeAll =
        connection.isLocal || hasMetricsToken(app, request.headers.get("Authorization"));
      if (!maySeeAll) return answer(assess(faults));
      return answer({
        ...assess(faults),
        version: app.settings.version,
        ...facts,
        database,
        worker,
        clock: { trusted: waitingFor === null, waitingFor },
        dns: readDnsState(app),
        mail: app.mailHealth(),
      });
    },
  }),
  getLiveness: defineEndpoint("GET /api/health/live", {
    ...service,
    summary: "Whether the process answers",
    description:
      "Does not use the database. For a supervisor that restarts a process that does not answer.",
    response: { 200: z.strictObject({ status: z.literal("ok") }).meta({ id: "Liveness" }) },
    handler: () => ({ status: "ok" as const }),
  }),
  getReadiness: defineEndpoint("GET /api/health/ready", {
    ...service,
    summary: "Whether this node may take traffic",
    description:
      "503 if the database fails, another node became the primary after this node, or the service is shutting down. 200 with `degraded` on a node without a primary, which serves reads and refuses writes with `unavailable`.",
    response: { 200: Readiness, 503: Readiness },
    async handler({ app }) {
      const { faults } = await nodeOf(app);
      return answer(assess({ ...faults, worker: false }));
    },
  }),
};

const describing = (route: Route, summary: string, dialect: Dialect) =>
  defineEndpoint(route, {
    ...{ ...service, summary, caching: "no-cache", budget: "pages" },
    response: { 200: z.looseObject({ openapi: z.literal(dialect) }) },
    handler: ({ app }) => reply(200, openApiDocument(providedEndpoints(), app.settings, dialect)),
  });

/** These describe all endpoints, including themselves. */
export const descriptionEndpoints = {
  getDescription: describing("GET /api/openapi.json", "This description, as OpenAPI 3.1", "3.1.0"),
  getOlderDescription: describing(
    "GET /api/openapi-3.0.json",
    "This description, as OpenAPI 3.0 without webhooks",
    "3.0.3",
  ),
};
