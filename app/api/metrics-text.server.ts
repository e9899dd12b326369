import { monitorEventLoopDelay } from "node:perf_hooks";
import { getApp } from "#app/http/app.server.ts";
import { renderMetrics } from "#app/http/metrics.server.ts";
import { readBacklog } from "#app/services/health.server.ts";

const SECOND_NS = 1e9;
/**
 * Sampling interval of the event loop. The histogram records the time between samples, so subtract this to get the
 * delay.
 */
const SAMPLE_INTERVAL_MS = 10;
let loopDelay: ReturnType<typeof monitorEventLoopDelay> | null = null;

/** The service's metrics in Prometheus text format; null if METRICS is off. */
export function metricsText(): string | null {
  const app = getApp();
  if (app.env.METRICS !== "on") return null;
  // Measured from the first scrape on.
  if (!loopDelay) {
    loopDelay = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });
    loopDelay.enable();
  }
  const { openClaims, dueReads } = readBacklog(app);
  const p99 = Number.isFinite(loopDelay.percentile(99)) ? loopDelay.percentile(99) : 0;
  const delayP99 = Math.max(0, p99 - SAMPLE_INTERVAL_MS * 1e6);
  return renderMetrics([
    { name: "deed_open_claims", help: "Claims in their window.", value: openClaims },
    { name: "deed_due_reads", help: "Reads that are due and not done.", value: dueReads },
    { name: "deed_event_streams", help: "Account streams open.", value: app.streams.count },
    { name: "deed_worker_running", help: "1 while it runs.", value: Number(app.workerRunning()) },
    {
      name: "deed_mail_failing",
      help: "1 while the last mail could not be handed over.",
      value: Number(app.mailHealth() === "failing"),
    },
    {
      name: "process_resident_memory_bytes",
      help: "Memory in use.",
      value: process.memoryUsage.rss(),
    },
    {
      name: "nodejs_heap_size_used_bytes",
      help: "Memory in use by JavaScript.",
      value: process.memoryUsage().heapUsed,
    },
    { name: "process_uptime_seconds", help: "Since the start.", value: process.uptime() },
    {
      name: "nodejs_eventloop_lag_p99_seconds",
      help: "Delay of the event loop.",
      value: delayP99 / SECOND_NS,
    },
  ]);
}
