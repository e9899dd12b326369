import { createHash, timingSafeEqual } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { freeBytes, statOf } from "#app/environment/paths.server.ts";
import { type App, getApp } from "#app/http/app.server.ts";
import { renderMetrics, type Sample } from "#app/http/metrics.server.ts";
import { newestBackupAt } from "#db/backup.ts";
import { isDnsDown, readBacklog, readDnsState } from "./health.server.ts";

/** The histogram records the time between samples: subtract this to get the delay. */
const SAMPLE_INTERVAL_MS = 10;
let loopDelay: ReturnType<typeof monitorEventLoopDelay> | null = null;

/** Returns the 99th percentile of the event loop's delay since the last call, in seconds; 0 at the first call. */
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

const bytesOf = (path: string) => statOf(path)?.size ?? 0;

/** Leaves out the backlog if the database cannot be read, because the other metrics are needed most then. */
function backlogOf(app: App): Sample[] {
  try {
    const { openClaims, watchedClaims, reads, watchReads, mails } = readBacklog(app);
    return [
      ["deed_open_claims", "Open claims.", openClaims],
      ["deed_due_reads", "Reads of claims that are due.", reads.n],
      ["deed_oldest_due_read_seconds", "How long the oldest due read has waited.", reads.waited],
      ["deed_watched_claims", "Proofs whose record is watched.", watchedClaims],
      ["deed_due_watch_reads", "Reads of watched records that are due.", watchReads.n],
      [
        "deed_oldest_due_watch_read_seconds",
        "How long the oldest due watch read has waited.",
        watchReads.waited,
      ],
      ["deed_due_mails", "Notice emails that are due.", mails.n],
      ["deed_oldest_due_mail_seconds", "How long the oldest due email has waited.", mails.waited],
    ];
  } catch {
    return [];
  }
}

function clusterOf({ nodeFacts }: App): Sample[] {
  const { role, lagMs } = nodeFacts?.() ?? { role: "single", lagMs: null };
  const lagHelp = "How long ago this node last heard of its primary.";
  return [
    ["deed_node_role", "The role of this node.", 1, { role }],
    ["deed_primary_lost", "1 on a node of a cluster that has lost its primary.", role === "orphan"],
    ["deed_replication_lag_seconds", lagHelp, lagMs && lagMs / 1e3],
  ];
}

async function stateOf(app: App): Promise<Sample[]> {
  const { database, timekeeper } = app;
  const isDatabaseFailing = (await database.state()) !== "ok";
  const isMailDown = app.mailHealth() === "failing";
  const isClockAwaited = timekeeper.reasonToWait() !== null;
  const isDnsFailing = isDnsDown(readDnsState(app));
  return [
    ["deed_worker_running", "1 while the worker runs.", app.isWorkerRunning()],
    ["deed_database_failing", "1 while the database accepts no writes.", isDatabaseFailing],
    ["deed_database_damaged", "1 once the daily check has found damage.", database.damage !== null],
    ["deed_dns_failing", "1 while none of the last reads reached DNS.", isDnsFailing],
    ["deed_mail_failing", "1 if the mail server did not accept the last email.", isMailDown],
    ["deed_clock_untrusted", "1 while reads wait for a confirmed clock.", isClockAwaited],
  ];
}

function processFacts({ env, settings: { version, commit }, streams }: App): Sample[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const path = env.DATABASE_PATH;
  const cpu = (user + system) / 1e6;
  const start = performance.timeOrigin / 1e3;
  const delay = takeLoopDelay();
  const backupAt = newestBackupAt(`${env.DATA_DIR}/backups`);
  const backupAge = backupAt && (Date.now() - backupAt) / 1e3;
  return [
    ["deed_build_info", "The version that runs.", 1, { version, commit, node: process.version }],
    ["deed_event_streams", "Account streams open.", streams.count],
    ["deed_database_bytes", "Size of the database file.", bytesOf(path)],
    ["deed_disk_free_bytes", "Free disk space; NaN if unknown.", freeBytes(path) ?? Number.NaN],
    ["deed_database_wal_bytes", "Size of the database's write-ahead log.", bytesOf(`${path}-wal`)],
    ["deed_newest_backup_age_seconds", "Age of the newest backup in the data folder.", backupAge],
    ["process_start_time_seconds", "When the process started, in seconds since the epoch.", start],
    ["process_uptime_seconds", "Time since the process started.", process.uptime()],
    ["process_cpu_seconds_total", "Processor time used.", cpu],
    ["process_resident_memory_bytes", "Memory in use.", rss],
    ["nodejs_heap_size_used_bytes", "Memory in use by JavaScript.", heapUsed],
    ["nodejs_eventloop_lag_p99_seconds", "Delay of the event loop since the last scrape.", delay],
  ];
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether the Authorization header has METRICS_TOKEN; false if none is set. Takes the same time whatever was sent. */
export const hasMetricsToken = (
  { env: { METRICS_TOKEN: token } }: App,
  authorization: string | null | undefined,
): boolean =>
  token !== undefined && timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ""));

/** Returns the service's metrics in Prometheus text format; null if METRICS_TOKEN is set and the header lacks it. */
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

/** Returns the metrics for the service's own port, if METRICS=on puts them there. */
export async function publicMetricsText(authorization: string | undefined): Promise<string | null> {
  return getApp().env.METRICS === "on" ? metricsText(authorization) : null;
}
