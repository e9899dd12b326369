import { createSocket } from "node:dgram";
import { createServer, type Socket } from "node:net";

/** Answers one message; null sends nothing. */
export type Handler = (message: Buffer, transport: "udp" | "tcp") => Promise<Buffer | null>;
export type Listener = { close(): Promise<void> };

const IDLE_TIMEOUT_MS = 5_000;

/** Answers the framed messages of a TCP stream (RFC 1035 section 4.2.2) in order. */
function serveStream(socket: Socket, handle: Handler) {
  let pending: Buffer = Buffer.alloc(0);
  let answered: Promise<void> = Promise.resolve();
  const reply = async (message: Buffer) => {
    const response = await handle(message, "tcp");
    if (!response || socket.destroyed) return;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(response.length);
    socket.write(Buffer.concat([length, response]));
  };
  socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const message = pending.subarray(2, end);
      pending = pending.subarray(end);
      answered = answered.then(() => reply(message));
    }
  });
}

function listenUdp(address: string, port: number, handle: Handler): Promise<Listener> {
  const socket = createSocket("udp4");
  let open = true;
  socket.on("message", async (message, from) => {
    const response = await handle(message, "udp");
    if (response && open) socket.send(response, from.port, from.address);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off("error", reject).on("error", () => {});
      resolve({
        close: () =>
          new Promise((done) => {
            open = false;
            socket.close(done);
          }),
      });
    });
  });
}

function listenTcp(address: string, port: number, handle: Handler): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serveStream(socket, handle);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve({
        close: () =>
          new Promise((done) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => done());
          }),
      });
    });
  });
}

/** Serves DNS over UDP and TCP on one address and port. Rejects with the system's error if either is in use. */
export async function listen(address: string, port: number, handle: Handler): Promise<Listener> {
  const udp = await listenUdp(address, port, handle);
  try {
    const tcp = await listenTcp(address, port, handle);
    return {
      close: async () => {
        await Promise.all([udp.close(), tcp.close()]);
      },
    };
  } catch (error) {
    await udp.close();
    throw error;
  }
}
