import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Application = { origin: string; stop(): void };

/** Somebody else's application on this machine, whose every page embeds `src`. `host` makes it another site than Deed. */
export async function startApplication(
  src: () => string,
  host = "127.0.0.1",
): Promise<Application> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><title>Acme</title><h1>Acme</h1><p>Prove your domain below.</p><iframe src="${src()}" title="Prove your domain" width="100%" height="1100"></iframe></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
