import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createWebServer } from "./web-server.server.ts";

it("keeps an idle connection longer than a reverse proxy does, from its first answer on", async () => {
  const server = createWebServer((_, response) => response.end("ok"), "http://localhost/docs");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=65");
  server.closeAllConnections();
  server.close();
});
