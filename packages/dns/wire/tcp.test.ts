import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { buildQuery } from "./message.ts";
import { askOverTcp } from "./transport.ts";

/** Starts a server that calls `serve` for each connection, and returns its port. */
async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that answers a question with a message of `octets` octets, in chunks of `piece`. */
const serverOf = (octets: number, piece: number): Promise<number> =>
  listening(async (socket) => {
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

const ask = (port: number, { timeoutMs = 5_000, signal = new AbortController().signal } = {}) =>
  askOverTcp(
    buildQuery({ name: "acme.test", type: "TXT" }),
    { address: "127.0.0.1", port },
    timeoutMs,
    signal,
  );

it.each([
  ["whole", 16_384, 20_000, 16_384],
  ["its length first", 16_384, 2 + 16_383, 16_384],
  ["in small segments", 16_384, 536, 16_384],
  ["octet by octet", 2_000, 1, "malformed"],
  ["in more pieces than segments", 16_384, 100, "malformed"],
])("takes an answer %s", async (_how, octets, piece, came) => {
  const reply = await ask(await serverOf(octets, piece));
  expect(reply.type === "answer" ? reply.bytes.length : reply.failure).toBe(came);
});

it("reports the size of a message that is too large to read", async () => {
  expect(await ask(await serverOf(16_385, 20_000))).toEqual({
    type: "failed",
    failure: "too_large",
    size: { bytes: 16_385, records: 0 },
  });
});

it.each<[string, (socket: Socket) => void, string]>([
  ["closes at once", (socket) => socket.destroy(), "tcp_refused"],
  ["breaks the connection", (socket) => socket.resetAndDestroy(), "tcp_refused"],
  [
    "takes the question and closes",
    (socket) => socket.on("data", () => socket.end()),
    "tcp_refused",
  ],
  ["says nothing", () => {}, "tcp_refused"],
  ["begins an answer and says no more", (socket) => socket.write(Buffer.from([0])), "timeout"],
  ["begins an answer and closes", (socket) => socket.end(Buffer.from([0])), "malformed"],
])("a server that %s", async (_how, serve, failure) => {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const port = await listening((socket) => {
    sockets.push(socket.on("error", () => {}));
    serve(socket);
  });
  const reply = await ask(port, { timeoutMs: 300 });
  expect(reply).toEqual({ type: "failed", failure });
});

it("reports a timeout if the read ends first", async () => {
  const controller = new AbortController();
  const port = await listening(() => controller.abort());
  const reply = await ask(port, { signal: controller.signal });
  expect(reply).toEqual({ type: "failed", failure: "timeout" });
});
