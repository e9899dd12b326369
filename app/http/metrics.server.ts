import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Labels = Record<string, string | number>;

const formatLabels = (labels: Labels) => {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "_")}"`,
  );
  return parts.length > 0 ? `{${parts.join(",")}}` : "";
};

const formatMetric = (name: string, type: string, help: string, lines: string[]) =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");

const COUNTER_HELP = {
  deed_api_requests_total: "Calls under /api that were answered, by method and status.",
  deed_rate_limited_total: "Requests refused by a rate limit, by its budget.",
  deed_mails_total: "Emails given to the mail server or the outbox, by result.",
  deed_sign_ins_refused_total: "Refused sign-ins, by what was tried and the reason.",
  deed_reads_total: "Reads of claims by outcome, and for absent by diagnosis or wait.",
  deed_watch_reads_total: "Reads of the records of proofs, by what they found.",
  deed_receipts_tested_total: "Receipts verified after they were issued, by result.",
  deed_stamp_tries_total: "Attempts to have a receipt stamped, by result.",
  deed_dns_packets_total: "Questions sent to nameservers and witnesses, by transport and result.",
};
type Counter = keyof typeof COUNTER_HELP;

const counts = new Map<Counter, Map<string, number>>();

/** Label values must come from fixed sets, because each combination is kept forever. */
export function count(counter: Counter, labels: Labels, amount = 1): void {
  const key = formatLabels(labels);
  const values = counts.get(counter) ?? new Map<string, number>();
  counts.set(counter, values.set(key, (values.get(key) ?? 0) + amount));
}

// These counters are shown before their first event.
for (const outcome of ["found", "unresolvable"])
  count("deed_reads_total", { outcome, code: "" }, 0);
for (const [counter, label, ...values] of [
  ["deed_mails_total", "result", "sent", "failed"],
  ["deed_watch_reads_total", "finding", "seen", "absent", "moved", "gone", "unread"],
  ["deed_receipts_tested_total", "result", "good", "bad"],
  ["deed_stamp_tries_total", "result", "stored", "none", "unknown_root"],
] as const)
  for (const value of values) count(counter, { [label]: value }, 0);
for (const result of ["answered", "timeout"])
  count("deed_dns_packets_total", { transport: "udp", result }, 0);

function counterBlock([counter, help]: [string, string]): string {
  const values = counts.get(counter as Counter) ?? [];
  const lines = Array.from(values, ([labels, value]) => `${counter}${labels} ${value}`);
  return formatMetric(counter, "counter", help, lines);
}

const DURATION = "deed_http_request_duration_seconds";
const BUCKET_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const durations = new Map<string, { labels: Labels; buckets: number[]; sum: number }>();

export function observeRequest(kind: "api" | "page", status: number | null, ms: number): void {
  const labels = { kind, status: status === null ? "none" : `${Math.floor(status / 100)}xx` };
  const key = formatLabels(labels);
  const series = durations.get(key) ?? { labels, buckets: BUCKET_BOUNDS.map(() => 0), sum: 0 };
  durations.set(key, series);
  const boundIndex = BUCKET_BOUNDS.findIndex((bound) => ms / 1_000 <= bound);
  const bucket = boundIndex === -1 ? BUCKET_BOUNDS.length : boundIndex;
  series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  series.sum += ms / 1_000;
}

function durationBlock(): string {
  const lines = [...durations.values()].flatMap(({ labels, buckets, sum }) => {
    let total = 0;
    const bounds = [...BUCKET_BOUNDS, "+Inf"].map((le, bucketIndex) => {
      total += buckets[bucketIndex] ?? 0;
      return `${DURATION}_bucket${formatLabels({ ...labels, le })} ${total}`;
    });
    const suffix = formatLabels(labels);
    return [...bounds, `${DURATION}_sum${suffix} ${sum}`, `${DURATION}_count${suffix} ${total}`];
  });
  const help = "Time to answer requests, except event streams, by kind and class of status.";
  return formatMetric(DURATION, "histogram", help, lines);
}

/** One metric, which is left out if its value is null. */
export type Sample = [name: string, help: string, value: number | boolean | null, labels?: Labels];

export function renderMetrics(samples: Sample[]): string {
  const blocks = [
    ...Object.entries(COUNTER_HELP).map(counterBlock),
    durationBlock(),
    ...samples.flatMap(([name, help, value, labels = {}]) => {
      if (value === null) return [];
      const type = name.endsWith("_total") ? "counter" : "gauge";
      return formatMetric(name, type, help, [`${name}${formatLabels(labels)} ${Number(value)}`]);
    }),
  ];
  return `${blocks.join("\n")}\n`;
}

const MAX_CONNECTIONS = 16;

export const METRICS_HEADERS = {
  "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
  "Cache-Control": "no-store",
};

/** Serves only /metrics, if `answer` accepts the Authorization header. */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  answer: (authorization: string | undefined) => Promise<string | null>,
): Promise<{ port: number; end: () => void }> {
  const server = createServer(async ({ method, url, headers }, response) => {
    const isScrape =
      /^\/metrics(?:\?|$)/.test(url ?? "") && (method === "GET" || method === "HEAD");
    const text = isScrape ? await answer(headers.authorization).catch(() => "") : null;
    if (text) response.writeHead(200, METRICS_HEADERS).end(method === "HEAD" ? undefined : text);
    else response.writeHead(text === null ? 404 : 500).end();
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}
