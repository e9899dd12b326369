import dgram from "node:dgram";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { framed } from "@deed/dns/testing/lab-server.ts";
import type { SimulatedTime } from "./simulated-time.ts";

/** A message that comes back, and how long after the question. */
export type Sent = { bytes: Buffer; afterMs: number };

export type Peers = {
  /** Over TCP, null means that nothing listens there. */
  ask(address: string, transport: "udp" | "tcp", bytes: Buffer): Sent[] | null;
  hasRoute(address: string): boolean;
};

const failed = (code: string) => Object.assign(new Error(code), { code });
const HANDSHAKE_MS = 10;

/** A UDP socket in the reader's use: connected to one server. */
class Datagrams extends EventEmitter {
  private to = { address: "", port: 0 };
  private isClosed = false;

  constructor(
    private readonly time: SimulatedTime,
    private readonly peers: Peers,
  ) {
    super();
  }

  bind(): void {}
  unref(): void {}

  connect(port: number, address: string, done: (error?: Error) => void): void {
    this.to = { address, port };
    const hasRoute = this.peers.hasRoute(address);
    queueMicrotask(() => (hasRoute ? done() : done(failed("ENETUNREACH"))));
  }

  send(bytes: Buffer): void {
    const { address, port } = this.to;
    for (const one of this.peers.ask(address, "udp", Buffer.from(bytes)) ?? [])
      this.time.plan(one.afterMs, () => {
        if (!this.isClosed) this.emit("message", one.bytes, { address, port });
      });
  }

  close(): void {
    this.isClosed = true;
  }
}

/** A TCP connection in the reader's use: one question, written at once. */
class Connection extends EventEmitter {
  private isDestroyed = false;

  constructor(
    private readonly time: SimulatedTime,
    private readonly peers: Peers,
    private readonly address: string,
  ) {
    super();
    this.later(HANDSHAKE_MS, () => {
      if (peers.hasRoute(address)) this.emit("connect");
      else this.emit("error", failed("ENETUNREACH"));
    });
  }

  setNoDelay(): void {}
  unref(): void {}

  write(asked: Buffer): void {
    const sent = this.peers.ask(this.address, "tcp", Buffer.from(asked.subarray(2)));
    if (!sent) this.later(0, () => this.emit("error", failed("ECONNREFUSED")));
    for (const { bytes, afterMs } of sent ?? [])
      this.later(afterMs, () => this.emit("data", framed(bytes)));
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  private later(ms: number, run: () => void): void {
    this.time.plan(ms, () => {
      if (!this.isDestroyed) run();
    });
  }
}

const { createSocket } = dgram;
const { connect } = net;

/** Puts `peers` below the reader's own sockets: everything above the system's interface is the real product. */
export function install(time: SimulatedTime, peers: Peers): void {
  Object.assign(dgram, { createSocket: () => new Datagrams(time, peers) });
  Object.assign(net, {
    connect: ({ host }: { host: string }) => new Connection(time, peers, host),
  });
  syncBuiltinESMExports();
}

export function uninstall(): void {
  Object.assign(dgram, { createSocket });
  Object.assign(net, { connect });
  syncBuiltinESMExports();
}
