import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { type AddressInfo, connect, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Listens on a port of 127.0.0.1. `stop` ends it with its connections. */
export async function listening(server: Server | HttpServer) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  };
  return { port, stop };
}

/** Listens until the test ends. Resolves to the port. */
export async function portOf(server: Server | HttpServer): Promise<number> {
  const { port, stop } = await listening(server);
  onTestFinished(stop);
  return port;
}

/** Sends these bytes, then `then` once something came back. Resolves to everything until the connection ends. */
export function sendBytes(port: number, bytes: string | Buffer, then = ""): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  if (then) socket.once("data", () => socket.write(then));
  return text(socket);
}
