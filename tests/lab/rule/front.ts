import { createSocket } from "node:dgram";
import { connect, createServer, type Socket } from "node:net";
import type { Manner, Turn } from "./manners.ts";
import { readQuestion } from "./message.ts";

/** The longest that a knotd takes, in milliseconds. */
const PATIENCE = 5_000;

export type Front = { close(): void };
type Transport = Turn["transport"];

/** What a server at an address answers; null if nothing, or not in time. */
export const forward = (bytes: Buffer, transport: Transport, address: string, port: number) =>
  transport === "udp" ? overUdp(bytes, address, port) : overTcp(bytes, address, port);

function overUdp(bytes: Buffer, address: string, port: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    socket.on("error", () => end(null));
    socket.on("message", (answer) => end(answer));
    socket.send(bytes, port, address);
  });
}

function overTcp(bytes: Buffer, address: string, port: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => socket.write(framed(bytes)));
    const end = (answer: Buffer | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE, () => end(null));
    socket.on("error", () => end(null));
    socket.on("close", () => end(null));
    onMessages(socket, end);
  });
}

function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Calls `take` with each message of a stream, which has its length before it (RFC 1035 section 4.2.2). */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      take(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
}

/** Listens in front of a server. `behind`: the addresses that a turn asks. */
export async function openFront(
  address: string,
  port: number,
  manner: Manner,
  behind: { own: string; has: string; not: string },
): Promise<Front> {
  const turn = (bytes: Buffer, transport: Transport, from: string) => {
    const ask = (to: string) => forward(bytes, transport, to, port);
    return manner.answer({
      ...readQuestion(bytes, transport, from),
      ask: () => ask(behind.own),
      askThat: (backend) => ask(behind[backend]),
    });
  };
  const answers = async (bytes: Buffer, transport: Transport, from: string) => {
    const answer = await turn(bytes, transport, from);
    return answer === null ? [] : [answer].flat();
  };
  const open: Front[] = [];
  if (manner.only !== "tcp") {
    const socket = createSocket("udp4");
    let isOpen = true;
    socket.on("message", async (bytes, from) => {
      const sent = await answers(bytes, "udp", from.address);
      if (isOpen) for (const one of sent) socket.send(one, from.port, from.address);
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(port, address, resolve);
    });
    open.push({
      close: () => {
        isOpen = false;
        socket.close();
      },
    });
  }
  if (manner.only !== "udp") open.push(await listen(address, port, answers));
  return {
    close: () => {
      for (const one of open) one.close();
    },
  };
}

async function listen(
  address: string,
  port: number,
  answers: (bytes: Buffer, transport: Transport, from: string) => Promise<Buffer[]>,
): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const from = socket.remoteAddress ?? "";
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    onMessages(socket, async (bytes) => {
      for (const one of await answers(bytes, "tcp", from))
        if (!socket.destroyed) socket.write(framed(one));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Relays connections to another address, byte for byte. */
export async function relay(from: string, to: string, port: number): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(port, to);
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on("error", () => {
        client.destroy();
        onward.destroy();
      });
    }
    client.pipe(onward).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, from, resolve));
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
