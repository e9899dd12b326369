import { Agent, request } from "node:http";

export type Sent = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
};

export type Received = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The response was still open when the client left: an event stream. */
  isOpen: boolean;
};

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
/** How long an event stream is read before the client leaves. */
const STREAM_MS = 40;
const GIVE_UP_MS = 15_000;

export function send(url: string, { method, target, headers, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, method, path: target, headers, timeout: GIVE_UP_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        let isOpen = false;
        const done = () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: Buffer.concat(chunks).toString("utf8"),
            isOpen,
          });
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("end", done);
        incoming.once("error", (error) => (isOpen ? done() : reject(error)));
        if (!incoming.headers["content-type"]?.startsWith("text/event-stream")) return;
        const leaving = setTimeout(() => {
          isOpen = true;
          incoming.destroy();
          done();
        }, STREAM_MS);
        incoming.once("end", () => clearTimeout(leaving));
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer in ${GIVE_UP_MS} ms`)));
    outgoing.once("error", reject);
    outgoing.end(body ?? undefined);
  });
}
