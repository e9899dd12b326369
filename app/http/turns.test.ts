import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { portOf } from "#app/core/testing/servers.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { says } from "../../tests/contract/sentences.ts";
import { createIntake } from "./connection.server.ts";
import { withTurns } from "./limits.server.ts";

afterEach(() => void vi.restoreAllMocks());
const beBusy = (utilization: number) =>
  vi
    .spyOn(performance, "eventLoopUtilization")
    .mockReturnValue({ utilization, idle: 1 - utilization, active: utilization });

/** A site that answers when the test says so. The session cookie is the account's id. */
async function startSite(environment: Record<string, string> = {}) {
  const app = testApp({ TRUSTED_PROXIES: "127.0.0.0/8", ...environment });
  const served: { address: string; path: string; response: ServerResponse }[] = [];
  const receive = createIntake(app.env);
  const accountOf = async (cookies: string) => /^account=(\w+)$/.exec(cookies)?.[1] ?? null;
  const site = withTurns(app, accountOf, ({ url: path = "" }, response, { address }) => {
    served.push({ address, path, response });
  });
  const port = await portOf(
    createServer((asked, response) => site(asked, response, receive(asked, response))),
  );
  const send = (address: string, path = "/", cookie = "") => {
    const headers = { "X-Forwarded-For": address, ...(cookie && { Cookie: cookie }) };
    const asked = request({ host: "127.0.0.1", port, path, headers, agent: false });
    asked.on("error", () => {}).end();
    return asked;
  };
  const ask = async (...parts: Parameters<typeof send>) => {
    const [answer] = (await once(send(...parts), "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  };
  const servedOf = (address: string) => served.filter((one) => one.address === address);
  const count = (address: string) => expect.poll(() => servedOf(address).length);
  return { send, ask, served, servedOf, count };
}

const [GREEDY, OTHER] = ["198.51.100.7", "203.0.113.9"];

it(says("C19.14"), async () => {
  beBusy(1);
  const { send, count, servedOf } = await startSite();
  for (let i = 0; i < 16; i++) send(GREEDY);
  await count(GREEDY).toBe(2);
  send(OTHER, "/api/health");
  await count(OTHER).toBe(1);
  expect(servedOf(GREEDY)).toHaveLength(2);
  servedOf(GREEDY)[0]?.response.end();
  await count(GREEDY).toBe(3);
});

it("counts the addresses of one /64 as one", async () => {
  beBusy(1);
  const { send, served, count } = await startSite();
  for (let i = 0; i < 16; i++) send(`2001:db8::${i.toString(16)}`);
  send(OTHER);
  await count(OTHER).toBe(1);
  expect(served).toHaveLength(3);
});

it("gives a place back with the client who leaves, and once an answer has begun", async () => {
  beBusy(1);
  const { send, count, servedOf } = await startSite();
  const asked = [send(GREEDY), send(GREEDY)];
  await count(GREEDY).toBe(2);
  for (let i = 0; i < 2; i++) send(GREEDY);
  asked[0]?.destroy();
  await count(GREEDY).toBe(3);
  servedOf(GREEDY)[1]?.response.write("the first of a stream");
  servedOf(GREEDY)[2]?.response.flushHeaders();
  await count(GREEDY).toBe(4);
});

it("holds nobody back while the processor has time", async () => {
  beBusy(0.5);
  const { send, count } = await startSite();
  for (let i = 0; i < 16; i++) send(GREEDY);
  await count(GREEDY).toBe(16);
});

/** Unlike `vi.waitUntil`, lets no fake time pass. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await setImmediate();
};

it("refuses a request whose turn does not come", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  beBusy(1);
  const { ask, send, served } = await startSite();
  for (let i = 0; i < 2; i++) send(GREEDY);
  await until(() => served.length === 2);
  const answers = [ask(GREEDY), ask(GREEDY, "/api/domains")];
  await until(() => vi.getTimerCount() === 2);
  vi.advanceTimersByTime(10_000);
  const [page, call] = await Promise.all(answers);
  expect([page?.status, page?.headers["retry-after"]]).toEqual([503, "5"]);
  expect(page?.text).toContain("<p>Too many requests are waiting here.</p>");
  expect(JSON.parse(call?.text ?? "")).toMatchObject({ error: { code: "unavailable" } });
  expect(served).toHaveLength(2);
});

it(says("C19.13"), async () => {
  const { ask, send, count } = await startSite({ RATE_LIMIT_PAGES: "2/3600" });
  send(GREEDY, "/build/x.js");
  send(GREEDY, "/docs");
  send(GREEDY, "/api/domains");
  await count(GREEDY).toBe(3);
  const page = await ask(GREEDY, "/docs");
  expect([page.status, page.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  expect(page.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect(page.text).toContain("<p>Too many requests.</p><p>Go back and try again in 1 hour.");
  const data = await ask(GREEDY, "/docs?_data=routes%2Fdocs");
  expect([data.status, data.headers["x-remix-catch"]]).toEqual([429, "yes"]);
  expect(JSON.parse(data.text)).toMatchObject({ code: "rate_limited" });
  expect((await ask(GREEDY, "/", "account=")).status).toBe(429);
  send(GREEDY, "/", "account=a1");
  send(OTHER, "/", "account=a1");
  await count(GREEDY).toBe(4);
  await count(OTHER).toBe(1);
  expect((await ask(OTHER, "/", "account=a1")).status).toBe(429);
  send(OTHER);
  await count(OTHER).toBe(2);
});
