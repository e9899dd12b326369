import { createSocket, type Socket } from "node:dgram";
import { type Socket as Connection, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode } from "dns-packet";
import { lowerCase } from "../names.ts";
import type { Exchange } from "../verdict/observation.ts";
import type { Certificate } from "./certificates.ts";
import { secureServer } from "./lab-secure.ts";
import { answerFrom, empty, type LabAnswer, type LabZone } from "./lab-zone.ts";

type Transport = Exchange["transport"];

/** Longer than a read lasts. */
const PORT_WAIT_MS = 15_000;

export type LabQuery = {
  bytes: Buffer;
  id: number;
  /** The name as asked; `name` is lower case. */
  rawName: string;
  name: string;
  type: string;
  transport: Transport;
  /** Source port over UDP; 0 otherwise. */
  port: number;
  edns: boolean;
  /** DO: the query asks for signatures. */
  dnssec: boolean;
  checkingDisabled: boolean;
};

/** Messages to send back; none means silence. */
export type LabBehaviour = (query: LabQuery, server: LabServer) => Buffer[] | Promise<Buffer[]>;

export type LabOptions = {
  behaviour?: LabBehaviour;
  /** "trickle": one byte a second. */
  tcp?: "open" | "closed" | "trickle";
  /** Serves TLS or HTTPS instead. */
  secure?: { transport: "tls" | "https"; certificate: Certificate };
};

/** An authoritative server on one loopback address that can be made to misbehave. */
export class LabServer {
  seen = 0;
  private readonly udp: Socket;
  private readonly tcp: Pick<Server, "listen" | "close" | "on" | "once">;
  private closed = false;
  private readonly connections = new Set<Connection>();

  constructor(
    readonly address: string,
    readonly zones: LabZone[],
    private readonly options: LabOptions = {},
  ) {
    this.udp = createSocket("udp4");
    const { secure } = options;
    this.tcp = secure
      ? secureServer(secure.transport, secure.certificate, (bytes) =>
          this.reply(bytes, secure.transport),
        )
      : createServer();
  }

  async listen(port: number): Promise<void> {
    this.tcp.on("connection", (socket) => this.keep(socket));
    if (!this.options.secure) await this.listenOverUdp(port);
    if (this.options.tcp === "closed") return;
    await onceFree((resolve, reject) => {
      this.tcp.once("error", reject);
      this.tcp.listen(port, this.address, () => resolve());
    });
  }

  private async listenOverUdp(port: number): Promise<void> {
    this.udp.on("message", async (bytes, from) => {
      for (const reply of await this.reply(bytes, "udp", from.port)) {
        // A late answer may be ready only after the read has ended and its servers are closed.
        if (!this.closed) this.udp.send(reply, from.port, from.address);
      }
    });
    await onceFree((resolve, reject) => {
      this.udp.once("error", reject);
      this.udp.bind(port, this.address, resolve);
    });
  }

  close(): void {
    this.closed = true;
    this.udp.close();
    this.tcp.close();
    for (const connection of this.connections) connection.destroy();
  }

  /** The encoded answer from the server's zones, after `change`. */
  honest(query: LabQuery, change: (answer: LabAnswer) => LabAnswer = (answer) => answer): Buffer {
    const answer = change(
      answerFrom(this.zones, query.name, query.type, query.dnssec) ?? empty(5, false),
    );
    return encodeAnswer(query, answer);
  }

  /** Number of open connections. */
  get open(): number {
    return this.connections.size;
  }

  private keep(socket: Connection): void {
    this.connections.add(socket);
    socket.on("close", () => this.connections.delete(socket));
    socket.on("error", () => socket.destroy());
    if (this.options.secure) return;
    socket.on("data", async (chunk: Buffer) => {
      for (const reply of await this.reply(chunk.subarray(2), "tcp")) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(reply.length);
        const framed = Buffer.concat([length, reply]);
        if (this.options.tcp === "trickle") trickle(socket, framed);
        else socket.write(framed);
      }
    });
  }

  private async reply(bytes: Buffer, transport: Transport, port = 0): Promise<Buffer[]> {
    this.seen += 1;
    const query = readQuery(bytes, transport, port);
    if (!query) return [];
    return this.options.behaviour ? this.options.behaviour(query, this) : [this.honest(query)];
  }
}

/** The question of a message; null if it has none. `port`: its source port over UDP. */
export function readQuery(bytes: Buffer, transport: Transport, port = 0): LabQuery | null {
  const packet = decode(bytes);
  const [question] = packet.questions ?? [];
  if (!question) return null;
  return {
    bytes: Buffer.from(bytes),
    id: packet.id ?? 0,
    rawName: question.name,
    name: lowerCase(question.name),
    type: question.type,
    transport,
    port,
    edns: (packet.additionals ?? []).length > 0,
    dnssec: (packet.additionals ?? []).some((one) => one.type === "OPT" && one.flag_do),
    checkingDisabled: ((packet.flags ?? 0) & 0x10) !== 0,
  };
}

function trickle(socket: Connection, bytes: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent >= bytes.length || socket.destroyed) clearInterval(timer);
    else socket.write(bytes.subarray(sent, ++sent));
  }, 1_000);
  socket.on("close", () => clearInterval(timer));
}

type Executor = ConstructorParameters<typeof Promise<void>>[0];

/** Opens a port, waiting while it is in use: another test's read may have drawn it for one of its queries. */
async function onceFree(open: Executor): Promise<void> {
  for (const giveUpAt = Date.now() + PORT_WAIT_MS; ; await sleep(50)) {
    try {
      return await new Promise(open);
    } catch (error) {
      const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isInUse || Date.now() > giveUpAt) throw error;
    }
  }
}

/** Encodes an answer to a query and echoes its question as asked. */
export function encodeAnswer(query: LabQuery, answer: LabAnswer, flags = 0): Buffer {
  return encode({
    id: query.id,
    type: "response",
    flags: (answer.aa ? 0x400 : 0) | answer.rcode | flags,
    questions: [{ name: query.rawName, type: query.type as "TXT", class: "IN" }],
    answers: answer.answers,
    authorities: answer.authorities,
    additionals: answer.additionals,
  });
}
