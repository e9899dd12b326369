import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { connect } from "node:net";
import { frameMessage, matchQuestion, type Query } from "./message.ts";

const LOWEST_PORT = 1024;
const PORT_ATTEMPTS = 8;
/** How many datagrams on one socket may match no query before the server is asked only over TCP. */
export const MAX_NOISE = 20;

/** "noisy": most datagrams from there match no query. "unsent": the system refused. "no_route": it always will. */
export type UdpReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "case_changed" | "noisy" | "unsent" | "no_route" };

type Server = { address: string; port: number };
type Settle = (reply: UdpReply) => void;

/**
 * One connected socket per server and read, on a random port: no port stays open long enough to be found (SAD DNS,
 * CVE-2020-25705). A reply must match id and question, including letter case (RFC 5452, draft-vixie-dns-0x20).
 */
export class UdpSockets {
  private readonly sockets = new Map<string, ServerSocket>();
  private isClosed = false;

  /** No socket uses `avoidedPort`, since servers on this machine may need it. */
  constructor(private readonly avoidedPort: number) {}

  /** `settle` is called at most once, asynchronously. The returned function forgets the query. */
  send(query: Query, to: Server, settle: Settle): () => void {
    if (this.isClosed) return () => {};
    const key = `${to.address} ${to.port}`;
    const socket = this.sockets.get(key) ?? new ServerSocket(to, this.avoidedPort);
    this.sockets.set(key, socket);
    return socket.send(query, settle);
  }

  close(): void {
    this.isClosed = true;
    for (const socket of this.sockets.values()) socket.close();
    this.sockets.clear();
  }
}

class ServerSocket {
  private readonly pending = new Map<number, { query: Query; settle: Settle }>();
  private readonly socket: Socket | null;
  private state: "open" | "connected" | "no_route" = "open";
  private noise = 0;

  constructor(
    private readonly server: Server,
    avoidedPort: number,
  ) {
    const { address, port } = server;
    const binding = boundSocket(address.includes(":") ? 6 : 4, avoidedPort);
    this.socket = typeof binding === "string" ? null : binding;
    if (binding === "EAFNOSUPPORT") this.state = "no_route";
    this.socket?.on("message", (bytes, from) => this.receive(bytes, from.address, from.port));
    this.socket?.connect(port, address, (error?: Error) => {
      this.state = error ? "no_route" : "connected";
    });
    this.socket?.unref();
  }

  send(query: Query, settle: Settle): () => void {
    let id = randomInt(0x1_0000);
    while (this.pending.has(id)) id = randomInt(0x1_0000);
    query.bytes.writeUInt16BE(id, 0);
    this.pending.set(id, { query, settle });
    // Queries from one turn of the event loop are sent together.
    const flush = setImmediate(() =>
      this.noise > MAX_NOISE ? this.settle(id, { type: "noisy" }) : this.transmit(id, query),
    );
    return () => {
      clearImmediate(flush);
      this.pending.delete(id);
    };
  }

  close(): void {
    this.pending.clear();
    if (this.noise <= MAX_NOISE) this.socket?.close();
  }

  private transmit(id: number, query: Query): void {
    if (!this.pending.has(id)) return;
    if (this.state !== "connected")
      this.settle(id, { type: this.state === "open" ? "unsent" : "no_route" });
    else {
      this.socket?.send(query.bytes, (error) => {
        // ECONNREFUSED is an ICMP message about an earlier packet. Anybody can forge it, so it counts as silence.
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

  private countNoise(): void {
    this.noise += 1;
    if (this.noise !== MAX_NOISE + 1) return;
    this.socket?.close();
    for (const id of [...this.pending.keys()]) this.settle(id, { type: "noisy" });
  }

  private receive(bytes: Buffer, address: string, port: number): void {
    // Before it was connected, the socket briefly accepted datagrams from anybody.
    if (address !== this.server.address || port !== this.server.port || bytes.length < 12) return;
    const id = bytes.readUInt16BE(0);
    const pending = this.pending.get(id);
    const match = pending ? matchQuestion(bytes, pending.query) : "none";
    if (match === "none") this.countNoise();
    else this.settle(id, match === "case" ? { type: "case_changed" } : { type: "answer", bytes });
  }
}

function boundSocket(family: 4 | 6, avoidedPort: number): Socket | string {
  let failure = "";
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    let hasFailed = false;
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      // Without a DNS lookup, bind reports at once that a port is in use.
      lookup: (address, _options, done) => done(null, address, family),
    });
    // Later errors are ICMP messages and are ignored like other noise.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      hasFailed = true;
      failure = error.code ?? "";
    });
    socket.bind(randomPort(avoidedPort));
    if (!hasFailed) return socket;
    socket.close();
  }
  return failure;
}

/** A random port above the privileged ones, from twice as many as the system's ephemeral range has. */
function randomPort(avoidedPort: number): number {
  const port = randomInt(LOWEST_PORT, 0x1_0000);
  return port === avoidedPort ? randomPort(avoidedPort) : port;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** A read takes one longer answer at a time, so that many servers cannot send that much at once. */
const LARGE_OCTETS = 16 * 1024;
/** The most chunks of an answer. 64 KiB take 48 segments, or 125 of the smallest in use. */
const MAX_CHUNKS = 160;

/** Errors caused by the peer or by a middlebox; any other error is local. */
const PEER_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ETIMEDOUT", "EPIPE"]);
const HEADER = 12;

type TcpFailure = "timeout" | "tcp_refused" | "malformed";
export type TcpReply = { type: "answer"; bytes: Buffer } | { type: "failed"; failure: TcpFailure };
/** Waits while the read takes another large answer. Resolves to a function that lets the next one in. */
export type LargeTurn = () => Promise<() => void>;

/** Asks on its own connection (RFC 7766). "tcp_refused": no octet came. "malformed": too many chunks, or no answer. */
export function askOverTcp(
  query: Query,
  to: { address: string; port: number },
  timeoutMs: number,
  signal: AbortSignal,
  largeTurn: LargeTurn = async () => () => {},
): Promise<TcpReply> {
  return new Promise((resolve) => {
    const id = randomInt(0x1_0000);
    query.bytes.writeUInt16BE(id, 0);
    const received: Buffer[] = [];
    let size = 0;
    let chunks = 0;
    let turn: ReturnType<LargeTurn> | undefined;
    const socket = connect({ host: to.address, port: to.port });
    const finish = (reply: TcpReply) => {
      clearTimeout(timer);
      clearTimeout(connecting);
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      turn?.then((leave) => leave());
      resolve(reply);
    };
    const fail = (failure: TcpFailure) => finish({ type: "failed", failure });
    const failAfterData = (failure: TcpFailure) => fail(size === 0 ? "tcp_refused" : failure);
    const giveUp = () => fail("timeout");
    // Data that arrived while this process was busy is taken before the time counts as over.
    const expire = () => failAfterData("timeout");
    const expireUnopened = () => socket.connecting && expire();
    const timer = setTimeout(() => setImmediate(expire), timeoutMs);
    const connectMs = Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
    const connecting = setTimeout(() => setImmediate(expireUnopened), connectMs);
    signal.addEventListener("abort", giveUp);

    socket.setNoDelay(true);
    socket.on("connect", () => {
      clearTimeout(connecting);
      socket.write(frameMessage(query));
    });
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk);
      size += chunk.length;
      chunks += 1;
      if (chunks > MAX_CHUNKS) return fail("malformed");
      if (size < 2) return;
      const head = received.length === 1 ? chunk : Buffer.concat(received);
      const expected = head.readUInt16BE(0);
      if (expected < HEADER) return fail("malformed");
      if (expected > LARGE_OCTETS && !turn) {
        socket.pause();
        turn = largeTurn();
        turn.then(() => socket.resume());
      }
      if (size < expected + 2) return void received.splice(0, received.length, head);
      const bytes = head.subarray(2, expected + 2);
      if (bytes.readUInt16BE(0) !== id || matchQuestion(bytes, query) === "none")
        return fail("malformed");
      finish({ type: "answer", bytes });
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      PEER_ERRORS.has(error.code ?? "") ? failAfterData("timeout") : fail("timeout"),
    );
    socket.on("close", () => failAfterData("malformed"));
    if (signal.aborted) giveUp();
  });
}
