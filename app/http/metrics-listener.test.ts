import { createServer } from "node:http";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { metricsText, publicMetricsText } from "#app/features/admin/metrics-text.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { says } from "../../tests/contract/sentences.ts";
import {
  listenForMetrics,
  observeRequest,
  packets,
  reads,
  renderMetrics,
} from "./metrics.server.ts";

const TOKEN = "t".repeat(40);
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(environment: Record<string, string> = {}) {
  testApp({ METRICS: "on", ...environment });
  const { port, end } = await listenForMetrics({ host: "127.0.0.1", port: 0 }, metricsText);
  ends.push(end);
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
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
    expect(await ask("/metrics", {}, "HEAD")).toEqual({ status: 200, text: "" });
    for (const path of ["/", "/metrics/", "/api/health", "//metrics"])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask("/metrics", {}, "POST")).status).toBe(404);
  });

  it("need the token if there is one", async () => {
    const { ask } = await listen({ METRICS_TOKEN: TOKEN });
    const statusWith = async (authorization?: string) =>
      (await ask("/metrics", authorization === undefined ? {} : { authorization })).status;
    expect(await statusWith()).toBe(404);
    expect(await statusWith(`Bearer ${TOKEN}x`)).toBe(404);
    expect(await statusWith(TOKEN)).toBe(404);
    expect(await statusWith(`Bearer ${TOKEN}`)).toBe(200);
  });

  it("end with the service, open connections too", async () => {
    const { ask, end, port } = await listen();
    await ask("/metrics");
    end();
    const next = createServer().listen(port, "127.0.0.1");
    onTestFinished(() => void next.close());
    await expect(
      new Promise((resolve, reject) => next.once("listening", resolve).once("error", reject)),
    ).resolves.toBeUndefined();
  });

  it("name the variable where the address is taken", async () => {
    const { port } = await listen();
    await expect(listenForMetrics({ host: "127.0.0.1", port }, metricsText)).rejects.toThrow(
      "METRICS must be an address and port to listen on: another process has it",
    );
  });

  it("are printed where the database cannot be read", async () => {
    const app = testApp();
    app.db.$client.close();
    const text = await metricsText(undefined);
    expect(text).toContain("\ndeed_database_failing 1\n");
    expect(text).not.toContain("deed_due_reads");
  });
});

it(says("C21.2"), async () => {
  testApp();
  expect(await publicMetricsText(undefined)).toBeNull();
  testApp({ METRICS: "127.0.0.1:9464" });
  expect(await publicMetricsText(undefined)).toBeNull();
  testApp({ METRICS: "on" });
  expect(await publicMetricsText(undefined)).toContain("# TYPE deed_build_info gauge");
  testApp({ METRICS: "on", METRICS_TOKEN: TOKEN });
  expect(await publicMetricsText(undefined)).toBeNull();
  expect(await publicMetricsText(`Bearer ${TOKEN}`)).toContain("# TYPE deed_build_info gauge");
});

describe("what is counted", () => {
  const count = (series: string) => {
    const line = renderMetrics([])
      .split("\n")
      .find((line) => line.startsWith(`${series} `));
    return Number(line?.slice(series.length) ?? 0);
  };

  it("is reads by outcome and code, and packets by answer", () => {
    const read = 'deed_reads_total{outcome="absent",code="wrong_host"}';
    const packet = 'deed_dns_packets_total{transport="tcp",result="refused"}';
    const before = [count(read), count(packet)];
    reads.add({ outcome: "absent", code: "wrong_host" });
    packets.add({ transport: "tcp", result: "refused" });
    expect([count(read), count(packet)]).toEqual(before.map((n) => n + 1));
  });

  it("is the duration of requests, in buckets that add up", () => {
    const series = (part: string, le = "") =>
      `deed_http_request_duration_seconds_${part}{kind="page",status="5xx"${le}}`;
    for (const ms of [4, 5, 30, 11_000]) observeRequest("page", 503, ms);
    expect(count(series("bucket", ',le="0.005"'))).toBe(2);
    expect(count(series("bucket", ',le="0.05"'))).toBe(3);
    expect(count(series("bucket", ',le="10"'))).toBe(3);
    expect(count(series("bucket", ',le="+Inf"'))).toBe(4);
    expect(count(series("count"))).toBe(4);
    expect(count(series("sum"))).toBeCloseTo(11.039);
  });
});
