import { createServer } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { listening, sendBytes } from "#app/core/testing/servers.ts";
import { answerClientErrors, CLOSED_POLICY, withHost } from "./request-line.server.ts";

const ENV = { BASE_URL: "https://localhost", DOCS_URL: "http://localhost/docs" };
let port: number;
const closed: (string | undefined)[] = [];
beforeAll(async () => {
  // Checks for slow requests more often than every 30 seconds.
  const options = { requireHostHeader: false, connectionsCheckingInterval: 50 };
  const server = createServer(
    options,
    withHost((request, response) => {
      response.once("close", () => closed.push(request.url));
      if (request.url === "/held") return;
      if (request.url === "/stream") return void response.write("first");
      request.resume().on("end", () => response.end("ok"));
    }, ENV),
  );
  server.headersTimeout = 400;
  server.requestTimeout = 600;
  answerClientErrors(server, ENV);
  const { port: at, stop } = await listening(server);
  port = at;
  return stop;
});

const send = (bytes: Buffer, then?: string) => sendBytes(port, bytes, then);
/** A request with these headers besides its Host. */
const line = (start: string, headers = "", host = "Host: x\r\n") =>
  Buffer.from(`${start} HTTP/1.1\r\n${host}${headers}\r\n`);

const chunked = (chunks: string) =>
  Buffer.from(`${line("POST /", "Transfer-Encoding: chunked\r\n")}${chunks}`);
const HALF = Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n");

// C17.15
it.each([
  ["a name as it is typed", line("GET /api/zones/bücher.example"), "percent-escaped"],
  ["a method of nobody", line("BREW /api/domains"), "method"],
  ["17 KiB of headers", line("GET /", `X-Long: ${"x".repeat(17_000)}\r\n`), "16 KiB"],
  ["a target of 17 KiB", line(`GET /${"x".repeat(17_000)}`), "16 KiB"],
  ["no HTTP at all", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1]), ""],
  ["an HTTP of the future", Buffer.from("GET / HTTP/3.0\r\nHost: x\r\n\r\n"), ""],
  ["two lengths", line("POST /", "Content-Length: 1\r\nContent-Length: 2\r\n"), ""],
  ["a folded header", line("GET /", "X: a\r\n b\r\n"), ""],
  ["no Host", line("GET /", "", ""), "Host"],
  ["two Hosts", line("GET /", "host: x\r\n"), "Host"],
  ["a write without Host", line("POST /", "Content-Length: 0\r\n", ""), "Host"],
  ["an expectation of its own", line("POST /", "Expect: 200-ok\r\n"), "Expect"],
  ["a tunnel", line("CONNECT x:443"), "CONNECT"],
  ["chunks that are none", chunked("zz\r\n\r\n"), "chunks"],
  ["a chunk with 20 KiB of extensions", chunked(`2;${"x".repeat(20_000)}\r\nab\r\n0\r\n\r\n`), ""],
  ["a coding that does not end", line("POST /", "Transfer-Encoding: gzip\r\n"), ""],
  ["headers that do not come to an end", HALF, "in time"],
  ["a body that does not", Buffer.from(`${line("POST /", "Content-Length: 9\r\n")}ab`), "in time"],
])("answers %s with the envelope, and closes", async (_, bytes, said) => {
  let answer = "";
  // On a busy machine, nothing may arrive in time, and an unused connection gets no answer.
  await expect.poll(async () => (answer = await send(bytes))).not.toBe("");
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  for (const part of [
    "HTTP/1.1 400 Bad Request\r\n",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    `Content-Security-Policy: ${CLOSED_POLICY}\r\n`,
    "Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n",
  ])
    expect(head).toContain(part);
  expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
  const message = expect.stringContaining(said);
  const docsUrl = `${ENV.DOCS_URL}/errors#invalid_request`;
  expect(JSON.parse(body)).toEqual({
    error: { code: "invalid_request", message, docsUrl, param: null },
  });
});

it("says nothing on a connection that has asked nothing", async () => {
  expect(await send(Buffer.alloc(0))).toBe("");
});

it.each([
  ["HTTP/1.0, which has no Host", Buffer.from("GET / HTTP/1.0\r\n\r\n")],
  ["a wish to go on", line("GET /", "Expect: 100-continue\r\nConnection: close\r\n")],
  ["an unknown upgrade", line("GET /", "Connection: Upgrade, close\r\nUpgrade: websocket\r\n")],
])("serves %s", async (_, bytes) => {
  expect(await send(bytes)).toMatch(/HTTP\/1\.1 200 OK/);
});

it("writes nothing into an answer under way", async () => {
  const answer = await send(line("GET /stream"), "BREW / HTTP/1.1\r\n\r\n");
  expect(answer).toContain("first");
  expect(answer).not.toContain("invalid_request");
});

it("gives no answer under way to a tunnel, and closes all of them", async () => {
  closed.length = 0;
  const held = [line("GET /held"), line("GET /stream"), line("CONNECT x:443")];
  expect(await send(Buffer.concat(held))).toBe("");
  await expect.poll(() => closed).toEqual(["/held", "/stream"]);
});

it.each(["CONNECT x:443", "BREW /"])(
  "refuses %s on a connection whose earlier answers are done",
  async (start) => {
    const answer = await send(line("GET /"), String(line(start)));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*HTTP\/1\.1 400 Bad Request/);
  },
);
