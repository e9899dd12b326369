import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { metricsText } from "#app/features/admin/metrics-text.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { lacks } from "../support/lacks.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/operate/monitoring");
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

/** What a node of a cluster with backups prints, which is the most. */
async function printedText(): Promise<string> {
  const app = testApp();
  app.nodeFacts = () => ({
    role: "replica",
    position: "1f",
    term: 1,
    isSuperseded: false,
    lagMs: 10,
  });
  mkdirSync(`${app.env.DATA_DIR}/backups`);
  return (await metricsText(undefined)) ?? "";
}

/** The metrics' names, with the series of a histogram. */
const printedNames = async () =>
  [...(await printedText()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
const namesIn = (queries: string) => [
  ...new Set(queries.match(/\b(?:deed|process|nodejs)_[a-z0-9_]+/g)),
];

describe("monitoring", () => {
  it("asks in its alerts for metrics that are there", async () => {
    const printed = await printedNames();
    const queries = [...read("rules.yml").matchAll(/expr: (.+)/g)].map(([, query = ""]) => query);
    expect(queries).toHaveLength(9);
    expect(namesIn(queries.join("\n")).filter((name) => !printed.includes(name))).toEqual([]);
  });

  it("asks in its dashboard for metrics that are there, and shows nearly all", async () => {
    const printed = await printedNames();
    const { panels } = JSON.parse(read("dashboard.json")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = namesIn(
      panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n"),
    );
    expect(asked.filter((name) => !printed.includes(name))).toEqual([]);
    const ours = printed.filter((name) => name?.startsWith("deed_"));
    expect(ours.filter((name) => !asked.includes(name ?? ""))).toEqual([
      "deed_api_requests_total",
      "deed_http_request_duration_seconds_sum",
    ]);
  });

  it("describes every metric", async () => {
    const text = await printedText();
    const page = readFileSync(`${FOLDER}/../monitoring.md`, "utf8");
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
    expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
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
