import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createWebServer } from "./web-server.server.ts";

const ENV = { BASE_URL: "http://localhost", DOCS_URL: "http://localhost/docs" };

it("keeps an idle connection longer than a reverse proxy does, from its first answer on", async () => {
  const server = createWebServer((_, response) => response.end("ok"), ENV);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=65");
  server.closeAllConnections();
  server.close();
});

it("refuses a request without Host with the envelope, and never hands it on", async () => {
  const server = createWebServer((_, response) => response.end("ok"), ENV);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
  server.close();
});
