import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { portOf } from "#app/core/testing/servers.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { openDatabase } from "#db/client.ts";
import { testFile } from "#db/testing.files.ts";
import { createIntake } from "./connection.server.ts";
import { renderMetrics } from "./metrics.server.ts";
import { withProofMemory } from "./site.server.ts";

const JSON_OF = "/api/proofs/0123456789abcdefghjkmnpqrs";
const PAGE_OF = "/p/0123456789abcdefghjkmnpqrs";

/** A site that numbers its answers, behind the memory, on a database file that `other` opens too. */
async function startSite(env: Record<string, string> = {}, bytes = 0) {
  const { path, db } = testFile();
  const other = openDatabase(path);
  onTestFinished(() => void other.$client.close());
  db.$client.exec("create table fact (x)");
  const closing = new AbortController();
  const app = { ...testApp(env), db, closing: closing.signal };
  const state = { made: 0, asked: 0, status: 200, whileMaking: async () => {} };
  const receive = createIntake(app.env);
  const site = withProofMemory(app, async ({ method, headers }, response) => {
    const number = ++state.made;
    await state.whileMaking();
    response.statusCode = state.status;
    response.setHeader("Vary", "Accept-Encoding");
    response.write(`${number} ${headers["accept-encoding"] ?? "plain"} ${"x".repeat(bytes)}`);
    response.end(method === "HEAD" ? "" : ".");
  });
  const port = await portOf(
    createServer((asked, response) => {
      state.asked++;
      site(asked, response, receive(asked, response));
    }),
  );
  const ask = async (target: string, headers = {}, method = "GET") => {
    const asked = request({ host: "127.0.0.1", port, path: target, method, headers }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const { statusCode: status, headers: sent } = answer;
    return { status, headers: sent, body: await text(answer) };
  };
  const write = (by: typeof db) => by.$client.exec("insert into fact values (1)");
  return { ask, write, app, db, other, state, closing };
}

it("sends again what was made, as JSON and as a page, for each encoding", async () => {
  const { ask, state } = await startSite();
  for (const path of [JSON_OF, PAGE_OF])
    for (const headers of [{}, { "accept-encoding": "br" }, { "accept-encoding": "gzip" }]) {
      const [first, second] = [await ask(path, headers), await ask(path, headers)];
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect(second.headers).toMatchObject({
        vary: "Accept-Encoding",
        "x-content-type-options": "nosniff",
      });
      expect(second.headers["content-length"]).toBe(String(first.body.length));
    }
  expect(state.made).toBe(6);
});

it("forgets at the next request what another connection or this one has changed", async () => {
  const { ask, write, db, other, state } = await startSite();
  for (const by of [other, db, other]) {
    await ask(JSON_OF);
    const { made } = state;
    await ask(JSON_OF);
    expect(state.made).toBe(made);
    write(by);
    state.status = 410;
    expect((await ask(JSON_OF)).status).toBe(410);
    state.status = 200;
  }
});

it("keeps nothing that was begun before a change, and no refusal", async () => {
  const { ask, write, other, state } = await startSite();
  state.whileMaking = async () => void write(other);
  await ask(JSON_OF);
  state.whileMaking = async () => {};
  state.status = 404;
  await ask(JSON_OF);
  state.status = 200;
  await ask(JSON_OF);
  expect(state.made).toBe(3);
});

it("makes a page anew each second, for it says when; not JSON, nor for a link's tracker", async () => {
  const { ask, app, state } = await startSite();
  for (const path of [PAGE_OF, `${PAGE_OF}?utm_source=x`, JSON_OF]) await ask(path);
  expect(state.made).toBe(2);
  app.pass(1_000);
  for (const path of [PAGE_OF, JSON_OF]) await ask(path);
  expect(state.made).toBe(3);
});

it.each([
  ["HEAD", PAGE_OF, {}, "HEAD"],
  ["POST", PAGE_OF, { origin: "http://localhost:3000" }, "POST"],
  ["a session", PAGE_OF, { cookie: "session=x" }, "GET"],
  ["Remix's own data", `${PAGE_OF}?%5Fdata=root`, {}, "GET"],
  ["another page", "/docs", {}, "GET"],
  ["another call", "/api/health", {}, "GET"],
])("leaves %s as it is", async (_, path, headers, method) => {
  const { ask, state } = await startSite();
  for (let i = 0; i < 2; i++) await ask(path, headers, method);
  expect(state.made).toBe(2);
});

it("draws the budget at each answer, and counts calls", async () => {
  const { ask, state } = await startSite({ RATE_LIMIT_PROOFS: "3/3600" });
  const count = () =>
    Number(/_total\{method="GET",status="200"\} (\d+)/.exec(renderMetrics([]))?.[1] ?? 0);
  const before = count();
  for (let i = 0; i < 4; i++) await ask(JSON_OF);
  expect([state.made, count() - before]).toEqual([1, 3]);
  await ask(JSON_OF);
  expect(state.made).toBe(2);
});

it("has a crowd wait for one answer", async () => {
  const { ask, state } = await startSite();
  state.whileMaking = () => vi.waitUntil(() => state.asked === 20, 10_000).then(() => {});
  const crowd = Promise.all(Array.from({ length: 20 }, () => ask(PAGE_OF)));
  expect(new Set((await crowd).map(({ body }) => body)).size).toBe(1);
  expect(state.made).toBe(1);
});

it("keeps no large answer, and a bounded number", async () => {
  const large = await startSite({}, 17_000);
  for (let i = 0; i < 2; i++) await large.ask(JSON_OF);
  expect(large.state.made).toBe(2);
  const { ask, state } = await startSite({ RATE_LIMIT_PROOFS: "10000/1" });
  for (let i = 0; i <= 1_000; i++) await ask(`/api/proofs/${i}`);
  for (const i of [1_000, 0]) await ask(`/api/proofs/${i}`);
  expect(state.made).toBe(1_002);
});

it("answers as the site does while the service shuts down", async () => {
  const { ask, state, closing } = await startSite();
  await ask(JSON_OF);
  closing.abort();
  await ask(JSON_OF);
  expect(state.made).toBe(2);
});
