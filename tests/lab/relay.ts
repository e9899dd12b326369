import { connect, createServer, type Socket } from "node:net";

/** Relays connections to another address, byte for byte. */
export async function relay(from: string, to: string, port: number): Promise<{ close(): void }> {
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
