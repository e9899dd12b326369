import { once } from "node:events";
import { Agent, createServer, get as open } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { listening, sendBytes } from "#app/core/testing/servers.ts";
import { wrapListener } from "./remix-serve.server.ts";

const ENV = { BASE_URL: "http://localhost", DOCS_URL: "http://localhost/docs" };

/** A server like remix-serve's, which it does not export. */
let port: number;
const send = (bytes: string) => sendBytes(port, bytes);
const get = () => send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
const around = (word: string) =>
  wrapListener(ENV, (remixServe) => (request, response) => {
    response.setHeader("X-Around", word);
    remixServe(request, response);
  });

beforeAll(async () => {
  around("first");
  const { port: at, stop } = await listening(
    createServer((_, response) => response.end("remix-serve")),
  );
  port = at;
  return stop;
});

it("meets the server before its first request, which nobody can read, or which has no Host", async () => {
  for (const line of ["nonsense", "GET / HTTP/1.1"]) {
    const answer = await send(`${line}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
    expect(answer).not.toContain("X-Around");
  }
});

it("keeps an idle connection longer than a reverse proxy does, from its first answer on", async () => {
  const agent = new Agent({ keepAlive: true });
  const [answer] = await once(open({ port, agent }), "response");
  expect(answer.headers["keep-alive"]).toBe("timeout=65");
  expect(await text(answer)).toBe("remix-serve");
  agent.destroy();
});

it("puts the newest around it, and no other", async () => {
  expect(await get()).toMatch(/X-Around: first\r\n/);
  around("second");
  const answer = await get();
  expect(answer).toMatch(/X-Around: second\r\n/);
  expect(answer.match(/X-Around/g)).toHaveLength(1);
  expect((await send("nonsense\r\n\r\n")).match(/"code":"invalid_request"/g)).toHaveLength(1);
});
