import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { openRead } from "../testing/one-world.ts";
import { type ExchangeOptions, exchange } from "./exchange.ts";

/** An exchange with a server on loopback that passes each query to `onQuery`. */
async function ask(
  onQuery: (query: Buffer, answer: (bytes: Buffer) => void) => void,
  patience?: number,
  options?: ExchangeOptions,
) {
  const server = createSocket("udp4");
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  server.on("message", (query, { port, address }) =>
    onQuery(query, (bytes) => server.send(bytes, port, address)),
  );
  const { port } = server.address();
  const { read } = openRead({ port, patience });
  const target = { server: "ns1.acme.test", address: "127.0.0.1", port };
  const question = { name: "acme.test", type: "TXT" } as const;
  const reply = await exchange({ read, target, question, faultOf: () => null }, options);
  return { read, reply, target };
}

it("takes an answer that came while this process was held up, and asks no second time", async () => {
  const { read, reply } = await ask((query, answer) => {
    const bytes = Buffer.from(query);
    bytes.writeUInt16BE(0x8400, 2);
    answer(bytes);
    // Longer than the timeout of the first try.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  });
  expect(reply.failure).toBeNull();
  expect(read.exchanges).toHaveLength(1);
});

it("asks a silent server twice, for as much of the usual time as its patience has it", async () => {
  const { read, reply } = await ask(() => {}, 0.01);
  expect(reply).toEqual({ message: null, failure: "timeout" });
  expect(read.exchanges).toHaveLength(2);
  // With the usual patience, the two tries take this long.
  expect(performance.now() - read.startedAt).toBeLessThan(4_500);
});

it("asks an address that was silent over UDP and TCP once a question, and over TCP no more", async () => {
  const { read, reply, target } = await ask(() => {}, 0.2, { insist: true });
  const again = (type: "A" | "AAAA", options?: ExchangeOptions) =>
    exchange({ read, target, question: { name: "acme.test", type }, faultOf: () => null }, options);
  expect([reply, await again("A"), await again("AAAA", { tcp: true })]).toEqual(
    Array(3).fill({ message: null, failure: "timeout" }),
  );
  const transports = read.exchanges.map(({ transport }) => transport);
  expect(transports.join()).toBe("udp,udp,tcp,udp,udp");
});
