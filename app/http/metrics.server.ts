/** Counters and gauges of this process in Prometheus's text format 0.0.4. */

type Labels = Record<string, string | number>;

const counters = new Map<string, { help: string; values: Map<string, number> }>();

const labelled = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "_")}"`)
    .join(",");

/** Adds one to a counter. Label values must come from fixed sets, because each combination is kept forever. */
function count(name: string, help: string, labels: Labels): void {
  const counter = counters.get(name) ?? { help, values: new Map<string, number>() };
  counters.set(name, counter);
  const key = labelled(labels);
  counter.values.set(key, (counter.values.get(key) ?? 0) + 1);
}

export const countRequest = (method: string, status: number): void =>
  count("deed_api_requests_total", "Calls under /api that were answered.", { method, status });

export const countRefusal = (budget: string): void =>
  count("deed_rate_limited_total", "Requests refused by a rate limit.", { budget });

export const countMail = (result: "sent" | "failed"): void =>
  count("deed_mails_total", "Mails given to the mail server or the outbox.", { result });

export type Gauge = { name: string; help: string; value: number };

const block = (name: string, type: string, help: string, lines: string[]) =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");

/** Renders all counters and the given gauges. */
export function renderMetrics(gauges: Gauge[]): string {
  const blocks = [
    ...[...counters].map(([name, { help, values }]) =>
      block(
        name,
        "counter",
        help,
        [...values].map(([labels, value]) => `${name}{${labels}} ${value}`),
      ),
    ),
    ...gauges.map(({ name, help, value }) => block(name, "gauge", help, [`${name} ${value}`])),
  ];
  return `${blocks.join("\n")}\n`;
}
