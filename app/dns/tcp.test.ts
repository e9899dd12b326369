import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Ending } from "./ending.ts";
import { buildQuery } from "./query.ts";
import { askOverTcp } from "./tcp.ts";

/** A server that answers a question with a message of this many octets, in pieces of so many. */
async function serverOf(octets: number, piece: number): Promise<number> {
  const server = createServer(async (socket: Socket) => {
    socket.setNoDelay(true).on("error", () => {});
    const [query] = (await once(socket, "data")) as [Buffer];
    const answer = Buffer.concat([query, Buffer.alloc(octets - query.length + 2)]);
    answer.writeUInt16BE(octets, 0);
    answer.writeUInt16BE(0x8400, 4);
    for (let at = 0; at < answer.length && !socket.destroyed; at += piece) {
      socket.write(answer.subarray(at, at + piece));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function ask(octets: number, piece: number) {
  const query = buildQuery({ name: "acme.test", type: "TXT" });
  const to = { address: "127.0.0.1", port: await serverOf(octets, piece) };
  const reply = await askOverTcp(query, to, 5_000, new Ending());
  return reply.type === "answer" ? reply.bytes.length : reply.failure;
}

it.each([
  ["whole", 16_384, 20_000, 16_384],
  ["its length first", 16_384, 2 + 16_383, 16_384],
  ["in small segments", 16_384, 536, 16_384],
  ["octet by octet", 2_000, 1, "malformed"],
  ["in more pieces than segments", 16_384, 100, "malformed"],
])("takes an answer %s", async (_how, octets, piece, came) => {
  expect(await ask(octets, piece)).toBe(came);
});
