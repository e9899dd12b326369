import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { type AddressInfo, type Socket as Connection, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { decode, encode } from "dns-packet";
import { lowerCase } from "../names.ts";
import type { Exchange } from "../verdict/observation.ts";
import type { Certificate } from "./certificates.ts";
import { answerFrom, empty, type LabAnswer, type LabZone } from "./lab-zone.ts";

type Transport = Exchange["transport"];

/** Longer than any read. */
const PORT_WAIT_MS = 15_000;

export type LabQuery = {
  bytes: Buffer;
  id: number;
  /** The name as asked; `name` is lower case. */
  rawName: string;
  name: string;
  type: string;
  transport: Transport;
  from: string;
  edns: boolean;
  /** DO: the query asks for signatures. */
  dnssec: boolean;
  checkingDisabled: boolean;
};

/** Messages to send back; none means silence. */
export type LabBehaviour = (query: LabQuery, server: LabServer) => Buffer[] | Promise<Buffer[]>;

export type LabOptions = {
  behaviour?: LabBehaviour;
  udp?: "closed";
  /** "loses_first": the first connection ends without an answer. */
  tcp?: "open" | "closed" | "loses_first";
  /** Serves TLS or HTTPS instead. */
  secure?: { transport: "tls" | "https"; certificate: Certificate };
};

/** An authoritative server on one loopback address that can be made to misbehave. */
export class LabServer {
  seen = 0;
  private readonly udp: Socket;
  private readonly tcp: Pick<Server, "listen" | "close" | "on" | "once">;
  private closed = false;
  private hasLost = false;
  private readonly connections = new Set<Connection>();

  constructor(
    readonly address: string,
    readonly zones: LabZone[],
    private readonly options: LabOptions = {},
  ) {
    this.udp = createSocket("udp4");
    const { transport, certificate = { key: "", cert: "" } } = options.secure ?? {};
    if (transport === "https") this.tcp = this.httpsServer(certificate);
    else this.tcp = transport ? createTlsServer(certificate) : createServer();
    this.tcp.on("connection", (socket) => this.keep(socket));
    if (transport !== "https")
      this.tcp.on(transport ? "secureConnection" : "connection", (socket) => this.serve(socket));
  }

  async listen(port: number): Promise<void> {
    if (!this.options.secure && this.options.udp !== "closed") await this.listenOverUdp(port);
    if (this.options.tcp === "closed") return;
    await onceFree((resolve, reject) => {
      this.tcp.once("error", reject);
      this.tcp.listen(port, this.address, () => resolve());
    });
  }

  private async listenOverUdp(port: number): Promise<void> {
    this.udp.on("message", async (bytes, from) => {
      for (const reply of await this.reply(bytes, "udp", from.address)) {
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

  /** The encoded answer from the server's zones, changed by `change`. */
  honest(query: LabQuery, change: (answer: LabAnswer) => LabAnswer = (answer) => answer): Buffer {
    const answer = change(
      answerFrom(this.zones, query.name, query.type, query.dnssec) ?? empty(5, false),
    );
    return encodeAnswer(query, answer);
  }

  get open(): number {
    return this.connections.size;
  }

  private keep(socket: Connection): void {
    this.connections.add(socket);
    socket.on("close", () => this.connections.delete(socket));
    socket.on("error", () => socket.destroy());
  }

  private serve(socket: Connection): void {
    socket.on("error", () => socket.destroy());
    if (this.options.tcp === "loses_first" && !this.hasLost) {
      this.hasLost = true;
      socket.destroy();
      return;
    }
    const transport = this.options.secure?.transport ?? "tcp";
    onMessages(socket, async (message) => {
      for (const reply of await this.reply(message, transport, socket.remoteAddress)) {
        if (!socket.destroyed) socket.write(framed(reply));
      }
    });
  }

  private httpsServer(certificate: Certificate) {
    const server = createSecureServer(certificate);
    server.on("stream", (stream, headers) => {
      const received: Buffer[] = [];
      stream.on("error", () => stream.destroy());
      stream.on("data", (chunk: Buffer) => received.push(chunk));
      stream.on("end", async () => {
        const type = headers["content-type"];
        if (headers[":method"] !== "POST" || headers[":path"] !== "/dns-query" || !type)
          return stream.respond({ ":status": 404 }, { endStream: true });
        for (const answer of await this.reply(Buffer.concat(received), "https")) {
          if (stream.destroyed) return;
          stream.respond({ ":status": 200, "content-type": type });
          stream.end(answer);
        }
      });
    });
    return server;
  }

  private async reply(bytes: Buffer, transport: Transport, from = ""): Promise<Buffer[]> {
    this.seen += 1;
    const query = readQuery(bytes, transport, from);
    if (!query) return [];
    return this.options.behaviour ? this.options.behaviour(query, this) : [this.honest(query)];
  }
}

/** The free port at which the server listens from now on. */
export async function portOf(server: Pick<Server, "listen" | "address">, host = "127.0.0.1") {
  await once(server.listen(0, host), "listening");
  return (server.address() as AddressInfo).port;
}

/** A message in TCP format: its length in front (RFC 1035 section 4.2.2). */
export function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function onMessages(socket: Connection, take: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      take(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
}

/** The question of a message; null if it has none. */
export function readQuery(bytes: Buffer, transport: Transport, from = ""): LabQuery | null {
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
    from,
    edns: (packet.additionals ?? []).length > 0,
    dnssec: (packet.additionals ?? []).some((one) => one.type === "OPT" && one.flag_do),
    checkingDisabled: ((packet.flags ?? 0) & 0x10) !== 0,
  };
}

/** Opens a port; if it is in use, waits, since another test's read may have drawn it for a query. */
async function onceFree(open: ConstructorParameters<typeof Promise<void>>[0]): Promise<void> {
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
  // The codec drops a dot after a line break: put a character there that no other name has.
  const [ending] = /[\r\n]/.exec(query.rawName) ?? [];
  const encodable = <T extends { name: string }>(one: T) =>
    ending ? { ...one, name: one.name.replace(ending, "\x7f") } : one;
  const bytes = encode({
    id: query.id,
    type: "response",
    flags: (answer.aa ? 0x400 : 0) | answer.rcode | flags,
    questions: [encodable({ name: query.rawName, type: query.type as "TXT", class: "IN" })],
    answers: answer.answers.map(encodable),
    authorities: answer.authorities,
    additionals: answer.additionals,
  });
  for (const [at, octet] of bytes.entries())
    if (ending && at >= 12 && octet === 0x7f) bytes[at] = ending.charCodeAt(0);
  const asked = query.bytes.subarray(12, 14 + Buffer.byteLength(query.rawName));
  // The codec splits labels that have a dot.
  if (asked.includes(".")) asked.copy(bytes, 12);
  return bytes;
}
