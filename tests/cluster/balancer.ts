import { createServer, request } from "node:http";
import type { Cluster } from "./cluster.ts";
import { anyOf } from "./visitor.ts";

export type Balancer = {
  url: string;
  sent: Map<string, number>;
  stop(): Promise<void>;
};

/** A load balancer at BASE_URL that sends every request to a random machine, even within one browser. */
export async function startBalancer(cluster: Cluster): Promise<Balancer> {
  const { hostname, port } = new URL(cluster.baseUrl);
  const next = anyOf(cluster.machines);
  const sent = new Map<string, number>();
  const server = createServer((incoming, response) => {
    const machine = next();
    sent.set(machine.address, (sent.get(machine.address) ?? 0) + 1);
    const outgoing = request(machine.url + incoming.url, {
      method: incoming.method ?? "GET",
      headers: {
        ...incoming.headers,
        "x-forwarded-for": incoming.socket.remoteAddress ?? "",
      },
      localAddress: hostname,
      agent: false,
    });
    outgoing.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.once("error", () => response.destroy());
    response.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  return {
    url: cluster.baseUrl,
    sent,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
