import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { exchange } from "./exchange.ts";
import { Network, Read } from "./read.ts";

it("takes an answer that came while this process was held up, and asks no second time", async () => {
  const server = createSocket("udp4");
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  server.on("message", (query, from) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8400, 2);
    server.send(answer, from.port, from.address);
    // Longer than the first try has.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  });
  const settings = { rootHints: [], trustAnchors: [], witnesses: [], allowAddresses: [] };
  const { port } = server.address();
  const read = new Read(new Network({ ...settings, port }), new AbortController().signal);
  onTestFinished(() => read.finish());
  const target = { server: "ns1.acme.test", address: "127.0.0.1", port };
  const reply = await exchange(read, target, { name: "acme.test", type: "TXT" }, () => null);
  expect(reply.failure).toBeNull();
  expect(read.exchanges).toHaveLength(1);
});
