import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { metricsText, publicMetricsText } from "#app/features/admin/metrics-text.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { says } from "../../tests/contract/sentences.ts";
import { listenForMetrics, observeRequest, renderMetrics } from "./metrics.server.ts";

const TOKEN = "t".repeat(40);
async function listen(environment: Record<string, string> = {}) {
  testApp({ METRICS: "on", ...environment });
  const { port, end } = await listenForMetrics({ host: "127.0.0.1", port: 0 }, metricsText);
  onTestFinished(end);
  const ask = async (path: string, authorization?: string, method = "GET") => {
    const headers = new Headers(authorization === undefined ? {} : { authorization });
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, end, port };
}

describe("metrics at an address of their own", () => {
  it("are all that is there", async () => {
    const { ask } = await listen();
    const { status, text } = await ask("/metrics");
    expect([status, text]).toEqual([200, expect.stringContaining("\ndeed_build_info{")]);
    expect(await ask("/metrics", undefined, "HEAD")).toEqual({ status: 200, text: "" });
    for (const path of ["/", "/metrics/", "/api/health", "//metrics"])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask("/metrics", undefined, "POST")).status).toBe(404);
  });

  it("need the token if there is one", async () => {
    const { ask } = await listen({ METRICS_TOKEN: TOKEN });
    for (const authorization of [undefined, `Bearer ${TOKEN}x`, TOKEN])
      expect((await ask("/metrics", authorization)).status).toBe(404);
    expect((await ask("/metrics", `Bearer ${TOKEN}`)).status).toBe(200);
  });

  it("end with the service, open connections too", async () => {
    const { end, port } = await listen();
    const open = connect(port, "127.0.0.1").setEncoding("utf8");
    open.write("GET /metrics HTTP/1.1\r\nHost: metrics\r\n\r\n");
    await once(open, "data");
    end();
    await once(open.resume(), "close");
  });

  it("are printed where the database cannot be read", async () => {
    testApp().db.$client.close();
    const text = await metricsText(undefined);
    expect(text).toContain("\ndeed_database_failing 1\n");
    expect(text).not.toContain("deed_due_reads");
  });
});

it(says("C21.2"), async () => {
  const shown = expect.stringContaining("# TYPE deed_build_info gauge");
  for (const [environment, authorization, text] of [
    [{}, undefined, null],
    [{ METRICS: "127.0.0.1:9464" }, undefined, null],
    [{ METRICS: "on" }, undefined, shown],
    [{ METRICS: "on", METRICS_TOKEN: TOKEN }, undefined, null],
    [{ METRICS: "on", METRICS_TOKEN: TOKEN }, `Bearer ${TOKEN}`, shown],
  ] as const) {
    testApp(environment);
    expect(await publicMetricsText(authorization)).toEqual(text);
  }
});

it("the duration of requests is counted in buckets that add up", () => {
  const series = (part: string, le = "") =>
    `deed_http_request_duration_seconds_${part}{kind="page",status="5xx"${le}}`;
  const count = (of: string) => {
    const line = renderMetrics([])
      .split("\n")
      .find((line) => line.startsWith(`${of} `));
    return Number(line?.slice(of.length) ?? 0);
  };
  for (const ms of [4, 5, 30, 11_000]) observeRequest("page", 503, ms);
  expect(count(series("bucket", ',le="0.005"'))).toBe(2);
  expect(count(series("bucket", ',le="0.05"'))).toBe(3);
  expect(count(series("bucket", ',le="10"'))).toBe(3);
  expect(count(series("bucket", ',le="+Inf"'))).toBe(4);
  expect(count(series("count"))).toBe(4);
  expect(count(series("sum"))).toBeCloseTo(11.039);
});
