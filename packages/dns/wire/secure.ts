import { randomInt } from "node:crypto";
import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from "node:http2";
import { isIPv6 } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { frameMessage, MAX_MESSAGE_OCTETS, matchQuestion, type Query } from "./message.ts";

const CONNECT_TIMEOUT_MS = 3_000;
/** A connection closes after this idle time, which is longer than the timeout of any question. */
const IDLE_MS = 10_000;
const MEDIA_TYPE = "application/dns-message";

export type Security = {
  transport: "tls" | "https";
  host: string | null;
  path: string;
};

type Peer = { address: string; port: number };
/** "untrusted": the certificate does not match the name or address, or no trusted authority signed it. */
type Failure = "timeout" | "refused" | "malformed" | "untrusted";
type SecureReply =
  | { type: "answer"; bytes: Buffer; date?: string | undefined }
  | { type: "failed"; failure: Failure };
/** Is called at most once, with "lost" if the connection ends first. */
type Settle = (reply: SecureReply | "lost") => void;

type Connection = {
  ask(query: Query, settle: Settle): () => void;
  close(): void;
};

const failedReply = (failure: Failure) => ({ type: "failed", failure }) as const;

/** Opens a channel per secure witness. `authorities` are CA certificates (PEM); undefined for Node's built-in ones. */
export function secureChannels<W extends Peer & { secure?: Security }>(
  witnesses: readonly W[],
  authorities: string[] | undefined,
): Map<W, SecureChannel> {
  return new Map(
    witnesses.flatMap((witness) =>
      witness.secure ? [[witness, new SecureChannel(witness, witness.secure, authorities)]] : [],
    ),
  );
}

/** All reads share one connection. It opens on demand and closes after some idle seconds. */
export class SecureChannel {
  private connection: Promise<Connection | Failure> | null = null;

  constructor(
    private readonly peer: Peer,
    readonly secure: Security,
    private readonly authorities: string[] | undefined,
    private readonly idleMs = IDLE_MS,
  ) {}

  /** An open connection may be dead without notice, so a question lost on it is asked again on a new one. */
  ask(query: Query, timeoutMs: number, signal: AbortSignal): Promise<SecureReply> {
    return new Promise((resolve) => {
      let isDone = false;
      let forget = () => {};
      const finish = (reply: SecureReply) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        forget();
        resolve(reply);
      };
      const giveUp = () => finish(failedReply("timeout"));
      const attempt = async () => {
        const isReused = this.connection !== null;
        const opening = this.connection ?? this.open();
        const connection = await opening;
        if (isDone) return;
        if (typeof connection === "string") return finish(failedReply(connection));
        try {
          forget = connection.ask(query, (reply) => {
            if (reply !== "lost") return finish(reply);
            this.dropConnection(opening);
            if (isReused && !isDone) void attempt();
            else giveUp();
          });
        } catch {
          finish(failedReply("refused"));
        }
      };
      const timer = setTimeout(() => {
        // The connection may be dead: the next question opens another, and this one closes when idle.
        this.connection = null;
        giveUp();
      }, timeoutMs);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
      else void attempt();
    });
  }

  close(): void {
    void this.connection?.then((opened) => typeof opened === "string" || opened.close());
    this.connection = null;
  }

  private open(): Promise<Connection | Failure> {
    const onEnd = () => this.dropConnection(opening);
    const opening = openTls(this.peer, this.secure, this.authorities)
      .then((socket) => {
        if (typeof socket === "string") return socket;
        return this.secure.transport === "tls"
          ? dnsOverTls(socket, this.idleMs, onEnd)
          : dnsOverHttps(socket, this.secure, this.peer, this.idleMs, onEnd);
      })
      .catch(() => "refused" as const);
    void opening.then((opened) => typeof opened === "string" && onEnd());
    this.connection = opening;
    return opening;
  }

  private dropConnection(connection: typeof this.connection): void {
    if (this.connection === connection) this.connection = null;
  }
}

/** A certificate in `ca` must have signed that of the host or, without a host, that of the address. */
function openTls({ address, port }: Peer, { host, transport }: Security, ca: string[] | undefined) {
  return new Promise<TLSSocket | Failure>((resolve) => {
    const fail = (failure: Failure) => {
      resolve(failure);
      socket.destroy();
    };
    const socket = connect({
      host: address,
      port,
      // This overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      ...(host === null ? {} : { servername: host }),
      ...(ca && { ca }),
      ...(transport === "https" ? { ALPNProtocols: ["h2"] } : {}),
    });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => fail("timeout"));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (socket.authorizationError) return fail("untrusted");
      fail(error.code === "ECONNREFUSED" ? "refused" : "timeout");
    });
    socket.once("secureConnect", () => {
      if (transport === "https" && socket.alpnProtocol !== "h2") return fail("refused");
      socket.removeAllListeners("timeout");
      socket.setTimeout(0);
      socket.setNoDelay(true);
      socket.unref();
      resolve(socket);
    });
  });
}

/** DNS over TLS (RFC 7858). A length precedes each message; answers come in any order. `onEnd` is called at the end. */
function dnsOverTls(socket: TLSSocket, idleMs: number, onEnd: () => void): Connection {
  const pending = new Map<number, { query: Query; settle: Settle }>();
  let received: Buffer = Buffer.alloc(0);

  const finish = () => {
    onEnd();
    socket.destroy();
    const waiting = [...pending.values()];
    pending.clear();
    for (const { settle } of waiting) settle("lost");
  };
  const deliver = (bytes: Buffer) => {
    const id = bytes.length < 12 ? -1 : bytes.readUInt16BE(0);
    const question = pending.get(id);
    pending.delete(id);
    if (!question) return;
    const isAnswer = matchQuestion(bytes, question.query) !== "none";
    question.settle(isAnswer ? { type: "answer", bytes } : failedReply("malformed"));
  };

  socket.setTimeout(idleMs, finish);
  socket.on("close", finish);
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const length = received.readUInt16BE(0);
      if (received.length < length + 2) return;
      deliver(received.subarray(2, length + 2));
      received = received.subarray(length + 2);
    }
  });
  return {
    ask: (query, settle) => {
      let id = randomInt(0x1_0000);
      while (pending.has(id)) id = randomInt(0x1_0000);
      query.bytes.writeUInt16BE(id, 0);
      pending.set(id, { query, settle });
      socket.write(frameMessage(query));
      return () => pending.delete(id);
    },
    close: finish,
  };
}

/** DNS over HTTPS (RFC 8484): one POST per question in one HTTP/2 session. `onEnd` is called when the session ends. */
async function dnsOverHttps(
  socket: TLSSocket,
  { host, path }: Security,
  { address, port }: Peer,
  idleMs: number,
  onEnd: () => void,
): Promise<Connection> {
  // This module is loaded on demand to shorten startup.
  const { connect, constants } = await import("node:http2");
  const name = host ?? address;
  const session = connect(`https://${isIPv6(name) ? `[${name}]` : name}:${port}`, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  session.unref();
  session.setTimeout(idleMs, () => session.destroy());
  // An error also reaches each open stream, which settles its question.
  for (const event of ["goaway", "close", "error"]) session.on(event, onEnd);

  const ask = (query: Query, settle: Settle): (() => void) => {
    // With id 0, equal questions are equal messages and can be cached (RFC 8484 section 4.1).
    query.bytes.writeUInt16BE(0, 0);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      accept: MEDIA_TYPE,
      "content-type": MEDIA_TYPE,
      "content-length": query.bytes.length,
    });
    const received: Buffer[] = [];
    let size = 0;
    let date: string | undefined;
    let isDone = false;
    const forget = () => {
      isDone = true;
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const finish = (reply: SecureReply | "lost") => {
      if (isDone) return;
      forget();
      settle(reply);
    };
    stream.on("response", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
      if (headers[":status"] !== 200) return finish(failedReply("refused"));
      date = headers.date;
      if (headers["content-type"]?.toLowerCase() !== MEDIA_TYPE) finish(failedReply("malformed"));
    });
    stream.on("data", (chunk: Buffer) => {
      received.push(chunk);
      size += chunk.length;
      if (size > MAX_MESSAGE_OCTETS) finish(failedReply("malformed"));
    });
    stream.on("end", () => {
      const bytes = Buffer.concat(received);
      const isAnswer =
        bytes.length >= 12 && bytes.readUInt16BE(0) === 0 && matchQuestion(bytes, query) !== "none";
      if (isAnswer) finish({ type: "answer", bytes, date });
      else if (size > 0) finish(failedReply("malformed"));
    });
    stream.on("error", () => finish("lost"));
    stream.on("close", () => finish("lost"));
    stream.end(query.bytes);
    return forget;
  };
  return { ask, close: () => session.destroy() };
}
