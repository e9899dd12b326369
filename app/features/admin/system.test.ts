import { expect, it, vi } from "vitest";
import { call } from "#app/api/testing.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import type { NodeFacts } from "#app/http/app.server.ts";
import { says } from "../../../tests/contract/sentences.ts";

const ready = async (app: TestApp) => {
  const { status, body } = await call(app, "GET", "/api/health/ready");
  return [status, body];
};
const TOKEN = "t".repeat(32);
const started = () => testApp({ METRICS: "on", METRICS_TOKEN: TOKEN });
/** Health as who has the token sees it. */
const health = (app: TestApp, token = TOKEN) =>
  call(app, "GET", "/api/health", { headers: { Authorization: `Bearer ${token}` } });
const facts = (role: NodeFacts["role"]) => () => ({
  role,
  isSuperseded: false,
  term: 1_795_000_000_000,
  position: "1f",
  lagMs: 10,
});

it(says("C21.8"), async () => {
  const app = started();
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  app.workerRunning = () => false;
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  expect((await health(app)).body).toMatchObject({ reason: "worker" });

  const broken = started();
  broken.db.$client.pragma("query_only = ON");
  expect(await ready(broken)).toEqual([503, { status: "failing", reason: "database" }]);
  const whole = await health(broken);
  expect([whole.status, whole.body]).toMatchObject([503, { database: "failing" }]);

  const closing = started();
  Object.assign(closing, { closing: AbortSignal.abort() });
  expect(await ready(closing)).toEqual([503, { status: "failing", reason: "shutting_down" }]);
});

it(says("C21.9"), async () => {
  const app = started();
  app.workerRunning = () => false;
  app.nodeFacts = facts("replica");
  expect((await health(app)).body).toMatchObject({ status: "ok" });
  app.nodeFacts = facts("orphan");
  const { status, body } = await health(app);
  expect([status, body]).toMatchObject([
    200,
    { status: "degraded", reason: "no_primary", role: "orphan" },
  ]);
  expect(await ready(app)).toEqual([200, { status: "degraded", reason: "no_primary" }]);
});

it(says("C21.17"), async () => {
  const app = started();
  app.database.damage = "Tree 5 page 14: btreeInitPage() returns error code 11";
  const degraded = { status: "degraded", reason: "damaged" };
  const { status, body } = await health(app);
  expect([status, body]).toMatchObject([200, degraded]);
  expect(await ready(app)).toEqual([200, degraded]);
});

it(says("C21.6"), async () => {
  const app = started();
  const degraded = { status: "degraded", reason: "clock" };
  app.timekeeper.waitsFor = () => "The system clock says …";
  const { status, body } = await health(app);
  expect([status, body]).toMatchObject([
    200,
    { ...degraded, clock: { trusted: false, waitingFor: "The system clock says …" } },
  ]);
  expect(await ready(app)).toEqual([200, degraded]);
});

it("tells strangers the status and its reason alone", async () => {
  const app = started();
  const brief = [200, { status: "ok", reason: null }];
  for (const token of ["", "t", TOKEN.slice(1)]) {
    const { status, body } = await health(app, token);
    expect([status, body]).toEqual(brief);
  }
  app.workerRunning = () => false;
  const failing = await health(app, "");
  expect([failing.status, failing.body]).toEqual([503, { status: "failing", reason: "worker" }]);
  const { status, body } = await health(testApp(), "undefined");
  expect([status, body]).toEqual(brief);
});

it("tells that the process lives without a look at the database", async () => {
  const app = started();
  const test = vi.spyOn(app.database, "state");
  app.db.$client.close();
  const { status, body } = await call(app, "GET", "/api/health/live");
  expect([status, body]).toEqual([200, { status: "ok" }]);
  expect(test).not.toHaveBeenCalled();
});
