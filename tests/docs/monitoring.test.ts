import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { metricsText } from "#app/features/admin/metrics-text.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { lacks } from "../support/lacks.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/operate/monitoring");
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

/** The output of a node of a cluster with backups, which prints the most. */
async function printedText(): Promise<string> {
  const app = testApp();
  const place = { position: "1f", term: 1, isSuperseded: false, lagMs: 10 };
  app.nodeFacts = () => ({ role: "replica", ...place });
  mkdirSync(`${app.env.DATA_DIR}/backups`);
  return (await metricsText(undefined)) ?? "";
}

const namesIn = (queries: string) => [
  ...new Set(queries.match(/\b(?:deed|process|nodejs)_[a-z0-9_]+/g)),
];

it("asks in its alerts and its dashboard for metrics that are there, shows nearly all, and describes each", async () => {
  const types = [...(await printedText()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  // A histogram's series have their own names.
  const printed = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? ["_bucket", "_sum", "_count"].map((part) => name + part) : [name],
  );
  const unknown = (names: string[]) => names.filter((name) => !printed.includes(name));
  const alerts = [...read("rules.yml").matchAll(/expr: (.+)/g)].map(([, query = ""]) => query);
  expect(alerts).toHaveLength(9);
  expect(unknown(namesIn(alerts.join("\n")))).toEqual([]);
  const queries = [...read("dashboard.json").matchAll(/"expr": "(.*?)",?$/gm)];
  const shown = namesIn(queries.join("\n"));
  expect(unknown(shown)).toEqual([]);
  const ours = printed.filter((name) => name.startsWith("deed_"));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([
    "deed_api_requests_total",
    "deed_http_request_duration_seconds_sum",
  ]);
  const page = readFileSync(`${FOLDER}/../monitoring.md`, "utf8");
  expect(types.filter(([, name]) => !page.includes(`\`${name}`))).toEqual([]);
});

describe.skipIf(lacks("promtool"))("Prometheus's own tool", () => {
  it("takes the metrics", async () => {
    const text = await printedText();
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text });
    expect([status, String(stdout), String(stderr)]).toEqual([0, "", ""]);
  });

  it("sees each alert fire when it should, and only then", () => {
    execFileSync("promtool", ["check", "rules", "rules.yml"], { cwd: FOLDER });
    execFileSync("promtool", ["test", "rules", "rules.test.yml"], { cwd: FOLDER });
  });
});
