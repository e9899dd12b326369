import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EnvironmentError } from "#app/ops/environment/env.server.ts";

type Labels = Record<string, string | number>;

const labelled = (labels: Labels) => {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "_")}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
};

const block = (name: string, type: string, help: string, lines: string[]) =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");

const counted: { render(): string }[] = [];

/** Label values must come from fixed sets, because each combination is kept forever. Those in `known` start at 0. */
class Counter {
  readonly #values: Map<string, number>;

  constructor(
    readonly name: string,
    readonly help: string,
    known: Labels[] = [],
  ) {
    this.#values = new Map(known.map((labels) => [labelled(labels), 0]));
    counted.push(this);
  }

  add(labels: Labels): void {
    const key = labelled(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + 1);
  }

  render(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.name}${labels} ${value}`);
    return block(this.name, "counter", this.help, lines);
  }
}

/** Upper bounds of the request durations, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

class Histogram {
  readonly #series = new Map<string, { labels: Labels; buckets: number[]; sum: number }>();

  constructor(
    readonly name: string,
    readonly help: string,
  ) {
    counted.push(this);
  }

  observe(labels: Labels, seconds: number): void {
    const key = labelled(labels);
    const series = this.#series.get(key) ?? { labels, buckets: DURATIONS.map(() => 0), sum: 0 };
    this.#series.set(key, series);
    const at = DURATIONS.findIndex((bound) => seconds <= bound);
    const bucket = at === -1 ? DURATIONS.length : at;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  render(): string {
    const lines = [...this.#series.values()].flatMap(({ labels, buckets, sum }) => {
      let count = 0;
      const bounds = [...DURATIONS, "+Inf"].map((le, at) => {
        count += buckets[at] ?? 0;
        return `${this.name}_bucket${labelled({ ...labels, le })} ${count}`;
      });
      const all = labelled(labels);
      return [...bounds, `${this.name}_sum${all} ${sum}`, `${this.name}_count${all} ${count}`];
    });
    return block(this.name, "histogram", this.help, lines);
  }
}

export const apiRequests = new Counter(
  "deed_api_requests_total",
  "Calls under /api that were answered, by method and status.",
);
export const refusals = new Counter(
  "deed_rate_limited_total",
  "Requests refused by a rate limit, by its budget.",
);
export const mails = new Counter(
  "deed_mails_total",
  "Mails given to the mail server or the outbox, by result.",
  [{ result: "sent" }, { result: "failed" }],
);
export const refusedSignIns = new Counter(
  "deed_sign_ins_refused_total",
  "Refused sign-ins, by what was tried and the reason.",
);
/** `code`: the diagnosis or wait of an absent record, otherwise empty. */
export const reads = new Counter(
  "deed_reads_total",
  "Reads of claims by outcome, and for absent by diagnosis or wait.",
  [
    { outcome: "found", code: "" },
    { outcome: "unresolvable", code: "" },
  ],
);
export const watchReads = new Counter(
  "deed_watch_reads_total",
  "Reads of the records of proofs, by what they found.",
  ["seen", "absent", "moved", "gone", "unread"].map((finding) => ({ finding })),
);
export const receiptTests = new Counter(
  "deed_receipts_tested_total",
  "Receipts verified after they were issued, by result.",
  [{ result: "good" }, { result: "bad" }],
);
export const packets = new Counter(
  "deed_dns_packets_total",
  "Questions sent to nameservers and witnesses, by transport and what came back.",
  [
    { transport: "udp", result: "answered" },
    { transport: "udp", result: "timeout" },
  ],
);
const durations = new Histogram(
  "deed_http_request_duration_seconds",
  "Time to answer requests, event streams not among them, by kind and class of status.",
);

export function observeRequest(kind: "api" | "page", status: number | null, ms: number): void {
  const family = status === null ? "none" : `${Math.floor(status / 100)}xx`;
  durations.observe({ kind, status: family }, ms / 1_000);
}

/** Looked up when it is asked for. */
export type Looked = {
  name: string;
  help: string;
  value: number;
  labels?: Labels;
  type?: "counter";
};

export function renderMetrics(looked: Looked[]): string {
  const blocks = [
    ...counted.map((metric) => metric.render()),
    ...looked.map(({ name, help, value, labels = {}, type = "gauge" }) =>
      block(name, type, help, [`${name}${labelled(labels)} ${value}`]),
    ),
  ];
  return `${blocks.join("\n")}\n`;
}

const MOST_CONNECTIONS = 16;

export const METRICS_HEADERS = {
  "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
  "Cache-Control": "no-store",
};

/** Answers /metrics and nothing else; `answer` returns null to who may not have them. Throws an EnvironmentError. */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  answer: (authorization: string | undefined) => Promise<string | null>,
): Promise<{ port: number; end: () => void }> {
  const server = createServer(async ({ method, url, headers }, response) => {
    const isAsked = /^\/metrics(?:\?|$)/.test(url ?? "") && (method === "GET" || method === "HEAD");
    const text = isAsked ? await answer(headers.authorization).catch(() => "") : null;
    if (text) response.writeHead(200, METRICS_HEADERS).end(method === "HEAD" ? undefined : text);
    else response.writeHead(text === null ? 404 : 500).end();
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "EADDRINUSE" ? "another process has it" : error.message;
    throw new EnvironmentError([`METRICS must be an address and port to listen on: ${reason}`]);
  });
  return {
    port: (server.address() as AddressInfo).port,
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}
