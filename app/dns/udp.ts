import { createSocket, type Socket } from "node:dgram";
import { matchQuestion, type Query } from "./query.ts";
import { randomBelow, randomWord } from "./random.ts";

const SOCKETS = 16;
/** A socket is replaced after so many queries, so that no port stays guessable for long. */
const QUERIES_A_SOCKET = 256;
const LOWEST_PORT = 1024;
const PORT_ATTEMPTS = 8;

/**
 * What came back for a query. "case": the right server echoed the question in other letters, so the
 * answer is not believed, but the server may be asked over TCP. "unsent": the system refused to send.
 */
export type UdpReply = { type: "answer"; bytes: Buffer } | { type: "case" } | { type: "unsent" };

type Pending = {
  query: Query;
  address: string;
  port: number;
  settle: (reply: UdpReply) => void;
};

/** One socket on a random port, and the queries under way on it by id. */
class Lane {
  readonly pending = new Map<number, Pending>();
  sent = 0;
  closed = false;
  private readonly socket: Socket;

  constructor(
    family: 4 | 6,
    port: number,
    private readonly dead: (lane: Lane) => void,
  ) {
    this.socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      // Addresses only: nothing is ever looked up.
      lookup: (address, _options, done) => done(null, address, family),
    });
    this.socket.on("message", (bytes, from) => this.receive(bytes, from.address, from.port));
    this.socket.on("error", () => this.fail());
    this.socket.bind(port);
    this.socket.unref();
  }

  send(pending: Pending): number {
    let id = randomWord();
    while (this.pending.has(id)) id = randomWord();
    pending.query.bytes.writeUInt16BE(id, 0);
    this.pending.set(id, pending);
    this.sent += 1;
    return id;
  }

  /** Hands a query to the system, unless it was forgotten meanwhile. */
  hand(id: number, pending: Pending): void {
    if (this.pending.get(id) !== pending) return;
    this.socket.send(pending.query.bytes, pending.port, pending.address, (error) => {
      if (error && this.pending.delete(id)) pending.settle({ type: "unsent" });
    });
  }

  private receive(bytes: Buffer, address: string, port: number): void {
    if (bytes.length < 12) return;
    const id = bytes.readUInt16BE(0);
    const pending = this.pending.get(id);
    if (!pending || pending.address !== address || pending.port !== port) return;
    const match = matchQuestion(bytes, pending.query);
    if (match === "none") return;
    this.pending.delete(id);
    pending.settle(match === "case" ? { type: "case" } : { type: "answer", bytes });
  }

  fail(): void {
    this.closed = true;
    this.dead(this);
    for (const pending of this.pending.values()) pending.settle({ type: "unsent" });
    this.pending.clear();
    this.close();
  }

  close(): void {
    this.closed = true;
    try {
      this.socket.close();
    } catch {
      // Closed already.
    }
  }
}

/**
 * UDP queries over a pool of sockets on random ports. A reply counts only from the address and port
 * asked, with the query's id and its question to the letter's case (RFC 5452, draft-vixie-dns-0x20);
 * anything else is waited past.
 */
export class UdpPool {
  private readonly lanes: Record<4 | 6, Lane[]> = { 4: [], 6: [] };
  private readonly retired = new Set<Lane>();
  private closed = false;
  private outbox: { lane: Lane; id: number; pending: Pending }[] = [];
  private readonly flush = () => {
    const leaving = this.outbox;
    this.outbox = [];
    for (const { lane, id, pending } of leaving) lane.hand(id, pending);
  };

  /** `avoid`: a port no socket of the pool takes, because servers of this machine may want it. */
  constructor(private readonly avoid: number) {}

  /** Sends a query; `settle` is called at most once, and later. The function returned forgets the query. */
  send(query: Query, to: { address: string; port: number }, settle: Pending["settle"]): () => void {
    const lane = this.lane(to.address.includes(":") ? 6 : 4);
    if (!lane) {
      const refusal = setImmediate(settle, { type: "unsent" });
      return () => clearImmediate(refusal);
    }
    const pending = { query, address: to.address, port: to.port, settle };
    const id = lane.send(pending);
    if (this.outbox.push({ lane, id, pending }) === 1) setImmediate(this.flush);
    if (lane.sent >= QUERIES_A_SOCKET) this.retire(lane);
    return () => {
      lane.pending.delete(id);
      this.sweep();
    };
  }

  close(): void {
    this.closed = true;
    for (const lane of [...this.lanes[4], ...this.lanes[6], ...this.retired]) lane.fail();
  }

  private lane(family: 4 | 6): Lane | null {
    if (this.closed) return null;
    const lanes = this.lanes[family];
    const chosen = lanes[randomBelow(SOCKETS)];
    if (chosen) return chosen;
    let lane: Lane | undefined;
    // A port that is taken closes the lane while it is made.
    for (let attempt = 0; attempt < PORT_ATTEMPTS && (!lane || lane.closed); attempt += 1) {
      lane = new Lane(family, this.freePort(), (dead) => this.drop(dead));
    }
    if (!lane || lane.closed) return null;
    lanes.push(lane);
    return lane;
  }

  private freePort(): number {
    const port = LOWEST_PORT + randomBelow(65_536 - LOWEST_PORT);
    return port === this.avoid ? this.freePort() : port;
  }

  private drop(lane: Lane): void {
    for (const family of [4, 6] as const) {
      this.lanes[family] = this.lanes[family].filter((other) => other !== lane);
    }
    this.retired.delete(lane);
  }

  private retire(lane: Lane): void {
    this.drop(lane);
    this.retired.add(lane);
  }

  private sweep(): void {
    for (const lane of this.retired) {
      if (lane.pending.size > 0) continue;
      this.retired.delete(lane);
      lane.close();
    }
  }
}
