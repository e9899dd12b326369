import { expect, it, vi } from "vitest";
import { type TestApp, testApp } from "#app/auth/testing.ts";
import type { NodeFacts } from "#app/http/app.server.ts";
import { says } from "../../tests/contract/sentences.ts";
import { call } from "./testing.ts";

const ready = async (app: TestApp) => {
  const { status, body } = await call(app, "GET", "/api/health/ready");
  return [status, body];
};
const facts = (role: NodeFacts["role"]) => () => ({
  role,
  isSuperseded: false,
  term: 1_795_000_000_000,
  position: "1f",
  lagMs: 10,
  region: null,
});

it(says("C21.8"), async () => {
  const app = testApp();
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  app.workerRunning = () => false;
  expect(await ready(app)).toEqual([200, { status: "ok", reason: null }]);
  expect((await call(app, "GET", "/api/health")).body).toMatchObject({ reason: "worker" });

  const broken = testApp();
  broken.db.$client.pragma("query_only = ON");
  expect(await ready(broken)).toEqual([503, { status: "failing", reason: "database" }]);
  const health = await call(broken, "GET", "/api/health");
  expect([health.status, health.body]).toMatchObject([503, { database: "failing" }]);

  const closing = testApp();
  Object.assign(closing, { closing: AbortSignal.abort() });
  expect(await ready(closing)).toEqual([503, { status: "failing", reason: "shutting_down" }]);
});

it(says("C21.9"), async () => {
  const app = testApp();
  app.workerRunning = () => false;
  app.nodeFacts = facts("replica");
  expect((await call(app, "GET", "/api/health")).body).toMatchObject({ status: "ok" });
  app.nodeFacts = facts("orphan");
  const { status, body } = await call(app, "GET", "/api/health");
  expect([status, body]).toMatchObject([
    200,
    { status: "degraded", reason: "no_primary", role: "orphan" },
  ]);
  expect(await ready(app)).toEqual([200, { status: "degraded", reason: "no_primary" }]);
});

it("tells that the process lives without a look at the database", async () => {
  const app = testApp();
  const test = vi.spyOn(app.database, "state");
  app.db.$client.close();
  const { status, body } = await call(app, "GET", "/api/health/live");
  expect([status, body]).toEqual([200, { status: "ok" }]);
  expect(test).not.toHaveBeenCalled();
});

it(says("C31.5"), async () => {
  const app = testApp();
  expect((await call(app, "GET", "/api/health")).body).toMatchObject({ region: null });
  app.nodeFacts = () => ({ ...facts("replica")(), region: "fra" });
  expect((await call(app, "GET", "/api/health")).body).toMatchObject({ region: "fra" });
});
