import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { portOf } from "../testing/lab-server.ts";
import { openRead } from "../testing/one-world.ts";
import { buildQuery } from "./message.ts";
import { askOverTcp, type LargeTurn } from "./transport.ts";

async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer(serve);
  onTestFinished(() => void server.close());
  return portOf(server);
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
      await setTimeout(1);
    }
  });

const ask = (
  port: number,
  {
    timeoutMs = 5_000,
    signal = new AbortController().signal,
    largeTurn,
  }: { timeoutMs?: number; signal?: AbortSignal; largeTurn?: LargeTurn } = {},
) =>
  askOverTcp(
    buildQuery({ name: "acme.test", type: "TXT" }),
    { address: "127.0.0.1", port },
    timeoutMs,
    signal,
    largeTurn,
  );

it.each([
  ["whole", 65_535, 70_000, 65_535],
  ["its length first", 65_535, 2 + 65_534, 65_535],
  ["in small segments", 65_535, 536, 65_535],
  ["in more pieces than segments", 65_535, 100, "malformed"],
])("takes an answer %s", async (_how, octets, piece, came) => {
  const reply = await ask(await serverOf(octets, piece));
  expect(reply.type === "answer" ? reply.bytes.length : reply.failure).toBe(came);
});

it("does not blame a server for a connection that opened while this process was held up", async () => {
  const reply = ask(await serverOf(100, 100));
  await new Promise(process.nextTick);
  // Longer than a connection may take to open.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
  expect(await reply).toMatchObject({ type: "answer" });
});

it("takes large answers of one read one at a time", async () => {
  const { read } = openRead();
  const leave = await read.largeTurn();
  const replies: number[] = [];
  let waiting = 0;
  const largeTurn = () => {
    waiting += 1;
    return read.largeTurn();
  };
  const asked = [16_385, 16_385, 16_384].map(async (octets) => {
    const reply = await ask(await serverOf(octets, 1_000), { largeTurn });
    if (reply.type === "answer") replies.push(reply.bytes.length);
  });
  await asked[2];
  await expect.poll(() => waiting).toBe(2);
  expect(replies).toEqual([16_384]);
  leave();
  await Promise.all(asked);
  expect(replies).toEqual([16_384, 16_385, 16_385]);
});

it("lets the next large answer in when one fails", async () => {
  const { read } = openRead();
  const stalled = await listening((socket) => socket.write(Buffer.from([0xff, 0xff])));
  const first = ask(stalled, { timeoutMs: 300, largeTurn: read.largeTurn });
  const next = ask(await serverOf(16_385, 1_000), { largeTurn: read.largeTurn });
  expect((await first).type).toBe("failed");
  expect((await next).type).toBe("answer");
});

/** Sends an octet ten times a second. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write("@"), 100);
  socket.on("close", () => clearInterval(timer));
}

it.each<[string, (socket: Socket) => void, string]>([
  ["closes at once", (socket) => socket.destroy(), "tcp_refused"],
  ["breaks the connection", (socket) => socket.resetAndDestroy(), "tcp_refused"],
  ["closes on a question", (socket) => socket.on("data", () => socket.end()), "tcp_refused"],
  ["says nothing", () => {}, "tcp_refused"],
  ["begins an answer and says no more", (socket) => socket.write(Buffer.from([0])), "timeout"],
  ["trickles an answer", trickle, "timeout"],
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
  expect(await ask(port, { timeoutMs: 1_000 })).toEqual({ type: "failed", failure });
});

it("reports a timeout if the read ends first", async () => {
  const controller = new AbortController();
  const port = await listening(() => controller.abort());
  const reply = await ask(port, { signal: controller.signal });
  expect(reply).toEqual({ type: "failed", failure: "timeout" });
});
