import { createHash, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type App, getApp } from "#app/http/app.server.ts";
import { type Looked, renderMetrics } from "#app/http/metrics.server.ts";
import { type Backlog, readBacklog, readDnsState } from "./health.server.ts";

/**
 * Sampling interval of the event loop. The histogram records the time between samples, so subtract this to get the
 * delay.
 */
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

const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Omitted where the database cannot be read: the other metrics are needed most then. */
function backlogOf(app: App): Looked[] {
  let backlog: Backlog;
  try {
    backlog = readBacklog(app);
  } catch {
    return [];
  }
  const { openClaims, dueReads, oldestDueReadMs, dueMails, oldestDueMailMs } = backlog;
  const { watchedClaims, dueWatchReads, oldestDueWatchReadMs } = backlog;
  return [
    { name: "deed_open_claims", help: "Claims in their window.", value: openClaims },
    { name: "deed_due_reads", help: "Reads that are due and not done.", value: dueReads },
    {
      name: "deed_oldest_due_read_seconds",
      help: "How long the oldest due read has waited.",
      value: oldestDueReadMs / 1e3,
    },
    { name: "deed_watched_claims", help: "Proofs whose record is watched.", value: watchedClaims },
    {
      name: "deed_due_watch_reads",
      help: "Reads of the records of proofs due and not done.",
      value: dueWatchReads,
    },
    {
      name: "deed_oldest_due_watch_read_seconds",
      help: "How long the oldest of them has waited.",
      value: oldestDueWatchReadMs / 1e3,
    },
    { name: "deed_due_mails", help: "Mails of notices due and not sent.", value: dueMails },
    {
      name: "deed_oldest_due_mail_seconds",
      help: "How long the oldest due mail has waited.",
      value: oldestDueMailMs / 1e3,
    },
  ];
}

function clusterOf({ nodeFacts }: App): Looked[] {
  const { role, lagMs } = nodeFacts?.() ?? { role: "single", lagMs: null };
  const help = "How long ago this node last heard of its primary.";
  return [
    { name: "deed_node_role", help: "The role of this node.", labels: { role }, value: 1 },
    {
      name: "deed_primary_lost",
      help: "1 on a node of a cluster that has lost its primary.",
      value: Number(role === "orphan"),
    },
    ...(lagMs === null ? [] : [{ name: "deed_replication_lag_seconds", help, value: lagMs / 1e3 }]),
  ];
}

async function stateOf(app: App): Promise<Looked[]> {
  const is = (name: string, help: string, isTrue: boolean) => ({
    name,
    help,
    value: Number(isTrue),
  });
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
  const at = (name: string, help: string, value: number): Looked => ({ name, help, value });
  return [
    { name: "deed_build_info", help: "What runs.", labels: build, value: 1 },
    at("deed_event_streams", "Account streams open.", streams.count),
    at("deed_database_bytes", "Size of the database file.", bytesOf(path)),
    at("deed_database_wal_bytes", "Size of its write-ahead log.", bytesOf(`${path}-wal`)),
    at(
      "process_start_time_seconds",
      "Start of the process since the epoch.",
      performance.timeOrigin / 1e3,
    ),
    at("process_uptime_seconds", "Since the start.", process.uptime()),
    {
      ...at("process_cpu_seconds_total", "Processor time used.", (user + system) / 1e6),
      type: "counter",
    },
    at("process_resident_memory_bytes", "Memory in use.", rss),
    at("nodejs_heap_size_used_bytes", "Memory in use by JavaScript.", heapUsed),
    at(
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

/** The same where METRICS=on puts them on the service's own port; otherwise null. */
export async function publicMetricsText(authorization: string | undefined): Promise<string | null> {
  return getApp().env.METRICS === "on" ? metricsText(authorization) : null;
}
