import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerUnreadable } from "./unreadable.server.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url !== "/stream") return void response.end("ok");
    response.write("first");
  });
  answerUnreadable(server, "http://localhost/docs");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that comes back until the connection ends, `then` sent once something did. */
const send = (bytes: Buffer, then = "") =>
  new Promise<string>((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(bytes);
    let text = "";
    socket.on("data", (chunk) => {
      if (text === "" && then) socket.write(then);
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
const line = (start: string, headers = "Host: x\r\n") =>
  Buffer.from(`${start} HTTP/1.1\r\n${headers}\r\n`);

it.each([
  ["a name as it is typed", line("GET /api/zones/bücher.example"), "percent-escaped"],
  ["a method of nobody", line("BREW /api/domains"), "method"],
  ["17 KiB of headers", line("GET /", `X-Long: ${"x".repeat(17_000)}\r\n`), "16 KiB"],
  ["no HTTP at all", Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1]), ""],
  ["two lengths", line("POST /", "Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n"), ""],
])("answers %s with the envelope, and closes", async (_, bytes, said) => {
  const answer = await send(bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain("Content-Type: application/json; charset=utf-8");
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({
    error: {
      code: "invalid_request",
      message: expect.stringContaining(said),
      docsUrl: "http://localhost/docs/errors#invalid_request",
    },
  });
});

it("writes nothing into an answer under way", async () => {
  const answer = await send(line("GET /stream"), "BREW / HTTP/1.1\r\n\r\n");
  expect(answer).toContain("first");
  expect(answer).not.toContain("invalid_request");
});

it("answers on a connection whose earlier answers are done", async () => {
  const answer = await send(line("GET /"), "BREW / HTTP/1.1\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*HTTP\/1\.1 400 Bad Request/);
});
