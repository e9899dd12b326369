import { createSocket, type Socket } from "node:dgram";
import { matchQuestion, type Query } from "./query.ts";
import { randomBelow, randomWord } from "./random.ts";

const LOWEST_PORT = 1024;
const PORT_ATTEMPTS = 8;
/** Datagrams on one socket that answer nothing asked there; past it the server is asked over TCP alone. */
export const MAX_NOISE = 20;

/**
 * What came back for a query. "recased": the right server echoed the question in other letters; "noisy": what claims to
 * come from it is mostly noise: it may be asked over TCP. "unsent": the system refused to send; "no_way": as it will
 * again, having no way to such an address.
 */
export type UdpReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "recased" | "noisy" | "unsent" | "no_way" };

type Server = { address: string; port: number };
type Settle = (reply: UdpReply) => void;

/**
 * The UDP sockets of one read: one a server, on a random port, connected to it, closed with the read, so
 * that no port stays long enough to be found and the system drops what anybody else sends there
 * (SAD DNS, CVE-2020-25705). A reply counts only with the query's id and its question to the letter's case
 * (RFC 5452, draft-vixie-dns-0x20); anything else is waited past.
 */
export class UdpSockets {
  private readonly sockets = new Map<string, ServerSocket>();
  private closed = false;

  /** `avoid`: a port no socket takes, because servers of this machine may want it. */
  constructor(private readonly avoid: number) {}

  /** Sends a query; `settle` is called at most once, and later. The function returned forgets the query. */
  send(query: Query, to: Server, settle: Settle): () => void {
    if (this.closed) return () => {};
    const key = `${to.address} ${to.port}`;
    let socket = this.sockets.get(key);
    if (!socket) {
      socket = new ServerSocket(to, this.avoid);
      this.sockets.set(key, socket);
    }
    return socket.send(query, settle);
  }

  close(): void {
    this.closed = true;
    for (const socket of this.sockets.values()) socket.close();
    this.sockets.clear();
  }
}

/** One socket, and the queries under way on it by id. */
class ServerSocket {
  private readonly pending = new Map<number, { query: Query; settle: Settle }>();
  private readonly socket: Socket | null;
  private state: "open" | "connected" | "no_way" = "open";
  private noise = 0;

  constructor(
    private readonly server: Server,
    avoid: number,
  ) {
    const { address, port } = server;
    const bound = boundSocket(address.includes(":") ? 6 : 4, avoid);
    this.socket = typeof bound === "string" ? null : bound;
    if (bound === "EAFNOSUPPORT") this.state = "no_way";
    this.socket?.on("message", (bytes, from) => this.receive(bytes, from.address, from.port));
    this.socket?.connect(port, address, (error?: Error) => {
      this.state = error ? "no_way" : "connected";
    });
    this.socket?.unref();
  }

  send(query: Query, settle: Settle): () => void {
    let id = randomWord();
    while (this.pending.has(id)) id = randomWord();
    query.bytes.writeUInt16BE(id, 0);
    this.pending.set(id, { query, settle });
    // What one turn of the event loop asks leaves together.
    const leaving = setImmediate(() =>
      this.noise > MAX_NOISE ? this.settle(id, { type: "noisy" }) : this.hand(id, query),
    );
    return () => {
      clearImmediate(leaving);
      this.pending.delete(id);
    };
  }

  close(): void {
    this.pending.clear();
    if (this.noise <= MAX_NOISE) this.socket?.close();
  }

  private hand(id: number, query: Query): void {
    if (!this.pending.has(id)) return;
    if (this.state !== "connected")
      this.settle(id, { type: this.state === "open" ? "unsent" : "no_way" });
    else {
      this.socket?.send(query.bytes, (error) => {
        // ECONNREFUSED is an ICMP message about an earlier packet, which anybody may forge: silence, no refusal.
        if (error && (error as NodeJS.ErrnoException).code !== "ECONNREFUSED")
          this.settle(id, { type: "unsent" });
      });
    }
  }

  private settle(id: number, reply: UdpReply): void {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.settle(reply);
  }

  /** What answers nothing costs a look each: a server that sends much of it is heard no more. */
  private passOver(): void {
    this.noise += 1;
    if (this.noise !== MAX_NOISE + 1) return;
    this.socket?.close();
    for (const id of [...this.pending.keys()]) this.settle(id, { type: "noisy" });
  }

  private receive(bytes: Buffer, address: string, port: number): void {
    // Before it was connected, the socket was open to everybody for a moment.
    if (address !== this.server.address || port !== this.server.port || bytes.length < 12) return;
    const id = bytes.readUInt16BE(0);
    const pending = this.pending.get(id);
    const match = pending ? matchQuestion(bytes, pending.query) : "none";
    if (match === "none") this.passOver();
    else this.settle(id, match === "case" ? { type: "recased" } : { type: "answer", bytes });
  }
}

/** A socket on a random port; where the system gives none, the code of its last error. */
function boundSocket(family: 4 | 6, avoid: number): Socket | string {
  let failure = "";
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    let failed = false;
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      // Addresses only: nothing is ever looked up, and a port that is taken shows at once.
      lookup: (address, _options, done) => done(null, address, family),
    });
    // Later errors are ICMP messages, waited past like any other noise.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      failed = true;
      failure = error.code ?? "";
    });
    socket.bind(randomPort(avoid));
    if (!failed) return socket;
    socket.close();
  }
  return failure;
}

/** From all ports above the privileged ones: twice as many as the system would draw from. */
function randomPort(avoid: number): number {
  const port = LOWEST_PORT + randomBelow(65_536 - LOWEST_PORT);
  return port === avoid ? randomPort(avoid) : port;
}
