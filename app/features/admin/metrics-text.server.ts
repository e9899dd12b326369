import { createHash, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type App, getApp } from "#app/http/app.server.ts";
import { type Looked, renderMetrics } from "#app/http/metrics.server.ts";
import { readBacklog, readDnsState } from "./health.server.ts";

/** The histogram records the time between samples: subtract this to get the delay. */
const SAMPLE_INTERVAL_MS = 10;
let loopDelay: ReturnType<typeof monitorEventLoopDelay> | null = null;

/** The 99th percentile of the event loop's delay since the last call, in seconds; 0 at the first. */
function takeLoopDelay(): number {
  if (!loopDelay) {
    loopDelay = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });
    loopDelay.enable();
    return 0;
  }
  const p99 = loopDelay.percentile(99);
  loopDelay.reset();
  return Number.isFinite(p99) ? Math.max(0, p99 / 1e9 - SAMPLE_INTERVAL_MS / 1e3) : 0;
}

const gauge = (name: string, help: string, value: number): Looked => ({ name, help, value });
const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Omitted where the database cannot be read: the other metrics are needed most then. */
function backlogOf(app: App): Looked[] {
  let backlog: ReturnType<typeof readBacklog>;
  try {
    backlog = readBacklog(app);
  } catch {
    return [];
  }
  const { openClaims, dueReads, oldestDueReadMs, dueMails, oldestDueMailMs } = backlog;
  const { watchedClaims, dueWatchReads, oldestDueWatchReadMs } = backlog;
  return [
    gauge("deed_open_claims", "Claims in their window.", openClaims),
    gauge("deed_due_reads", "Reads that are due and not done.", dueReads),
    gauge(
      "deed_oldest_due_read_seconds",
      "How long the oldest due read has waited.",
      oldestDueReadMs / 1e3,
    ),
    gauge("deed_watched_claims", "Proofs whose record is watched.", watchedClaims),
    gauge(
      "deed_due_watch_reads",
      "Reads of the records of proofs due and not done.",
      dueWatchReads,
    ),
    gauge(
      "deed_oldest_due_watch_read_seconds",
      "How long the oldest of them has waited.",
      oldestDueWatchReadMs / 1e3,
    ),
    gauge("deed_due_mails", "Mails of notices due and not sent.", dueMails),
    gauge(
      "deed_oldest_due_mail_seconds",
      "How long the oldest due mail has waited.",
      oldestDueMailMs / 1e3,
    ),
  ];
}

function clusterOf({ nodeFacts }: App): Looked[] {
  const { role, lagMs } = nodeFacts?.() ?? { role: "single", lagMs: null };
  const help = "How long ago this node last heard of its primary.";
  return [
    { ...gauge("deed_node_role", "The role of this node.", 1), labels: { role } },
    gauge(
      "deed_primary_lost",
      "1 on a node of a cluster that has lost its primary.",
      Number(role === "orphan"),
    ),
    ...(lagMs === null ? [] : [gauge("deed_replication_lag_seconds", help, lagMs / 1e3)]),
  ];
}

async function stateOf(app: App): Promise<Looked[]> {
  const is = (name: string, help: string, isTrue: boolean) => gauge(name, help, Number(isTrue));
  const database = await app.database.state();
  return [
    is("deed_worker_running", "1 while the worker runs.", app.workerRunning()),
    is("deed_database_failing", "1 while the database takes no writes.", database !== "ok"),
    is(
      "deed_dns_failing",
      "1 while none of the last reads reached DNS.",
      readDnsState(app) === "failing",
    ),
    is(
      "deed_mail_failing",
      "1 while the last mail could not be handed over.",
      app.mailHealth() === "failing",
    ),
    is(
      "deed_clock_untrusted",
      "1 while reads wait for a confirmed clock.",
      app.timekeeper.waitsFor() !== null,
    ),
  ];
}

function processFacts({ env, settings, streams }: App): Looked[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const { DATABASE_PATH: path } = env;
  const { version, commit } = settings;
  const build = { version, commit, node: process.version };
  return [
    { ...gauge("deed_build_info", "What runs.", 1), labels: build },
    gauge("deed_event_streams", "Account streams open.", streams.count),
    gauge("deed_database_bytes", "Size of the database file.", bytesOf(path)),
    gauge("deed_database_wal_bytes", "Size of its write-ahead log.", bytesOf(`${path}-wal`)),
    gauge(
      "process_start_time_seconds",
      "Start of the process since the epoch.",
      performance.timeOrigin / 1e3,
    ),
    gauge("process_uptime_seconds", "Since the start.", process.uptime()),
    {
      ...gauge("process_cpu_seconds_total", "Processor time used.", (user + system) / 1e6),
      type: "counter",
    },
    gauge("process_resident_memory_bytes", "Memory in use.", rss),
    gauge("nodejs_heap_size_used_bytes", "Memory in use by JavaScript.", heapUsed),
    gauge(
      "nodejs_eventloop_lag_p99_seconds",
      "Delay of the event loop since the last scrape.",
      takeLoopDelay(),
    ),
  ];
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether the Authorization header has METRICS_TOKEN; false if none is set. Takes the same time whatever was sent. */
export const hasMetricsToken = (
  { env: { METRICS_TOKEN: token } }: App,
  authorization: string | null | undefined,
): boolean =>
  token !== undefined && timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ""));

/** The service's metrics in Prometheus text format; null if the Authorization header does not entitle to them. */
export async function metricsText(authorization: string | undefined): Promise<string | null> {
  const app = getApp();
  if (app.env.METRICS_TOKEN && !hasMetricsToken(app, authorization)) return null;
  return renderMetrics([
    ...processFacts(app),
    ...(await stateOf(app)),
    ...clusterOf(app),
    ...backlogOf(app),
  ]);
}

/** The same on the service's own port, where METRICS=on puts them. */
export async function publicMetricsText(authorization: string | undefined): Promise<string | null> {
  return getApp().env.METRICS === "on" ? metricsText(authorization) : null;
}
