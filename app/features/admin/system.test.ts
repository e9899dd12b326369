import { expect, it, vi } from "vitest";
import { call } from "#app/api/testing.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import type { NodeFacts } from "#app/http/app.server.ts";
import { says } from "../../../tests/contract/sentences.ts";

const told = async (...asked: Parameters<typeof call>) => {
  const { status, body } = await call(...asked);
  return [status, body];
};
const ready = (app: TestApp) => told(app, "GET", "/api/health/ready");
const TOKEN = "t".repeat(32);
const started = () => testApp({ METRICS: "on", METRICS_TOKEN: TOKEN });
const health = (app: TestApp, token = TOKEN) =>
  told(app, "GET", "/api/health", { headers: { Authorization: `Bearer ${token}` } });
const facts = (role: NodeFacts["role"]) => () => ({
  ...{ role, isSuperseded: false, term: 1_795_000_000_000, position: "1f", lagMs: 10 },
});

it(says("C21.8"), async () => {
  const app = started();
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  app.isWorkerRunning = () => false;
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  expect(await health(app)).toMatchObject([503, { reason: "worker" }]);

  const broken = started();
  broken.db.$client.pragma("query_only = ON");
  expect(await ready(broken)).toEqual([503, { status: "failing", reason: "database" }]);
  expect(await health(broken)).toMatchObject([503, { database: "failing" }]);

  const closing = started();
  Object.assign(closing, { closing: AbortSignal.abort() });
  expect(await ready(closing)).toEqual([503, { status: "failing", reason: "shutting_down" }]);
});

it(says("C21.9"), async () => {
  const app = started();
  app.isWorkerRunning = () => false;
  app.nodeFacts = facts("replica");
  expect(await health(app)).toMatchObject([200, { status: "ok" }]);
  app.nodeFacts = facts("orphan");
  const degraded = { status: "degraded", reason: "no_primary" };
  expect(await health(app)).toMatchObject([200, { ...degraded, role: "orphan" }]);
  expect(await ready(app)).toEqual([200, degraded]);
});

it(says("C21.17"), async () => {
  const app = started();
  app.database.damage = "Tree 5 page 14: btreeInitPage() returns error code 11";
  const degraded = { status: "degraded", reason: "damaged" };
  expect(await health(app)).toMatchObject([200, degraded]);
  expect(await ready(app)).toEqual([200, degraded]);
});

it(says("C21.6"), async () => {
  const app = started();
  const degraded = { status: "degraded", reason: "clock" };
  app.timekeeper.reasonToWait = () => "The system clock says …";
  const clock = { trusted: false, waitingFor: "The system clock says …" };
  expect(await health(app)).toMatchObject([200, { ...degraded, clock }]);
  expect(await ready(app)).toEqual([200, degraded]);
});

it("tells strangers the status and its reason alone", async () => {
  const app = started();
  const brief = [200, { status: "ok", reason: null }];
  for (const token of ["", "t", TOKEN.slice(1)]) expect(await health(app, token)).toEqual(brief);
  app.isWorkerRunning = () => false;
  expect(await health(app, "")).toEqual([503, { status: "failing", reason: "worker" }]);
  expect(await health(testApp(), "undefined")).toEqual(brief);
});

it("C21.7: tells that the process lives without a look at the database", async () => {
  const app = started();
  const test = vi.spyOn(app.database, "state");
  app.db.$client.close();
  expect(await told(app, "GET", "/api/health/live")).toEqual([200, { status: "ok" }]);
  expect(test).not.toHaveBeenCalled();
});
