import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { Server } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Authority, type Certificate } from "../testing/certificates.ts";
import { framed, portOf } from "../testing/lab-server.ts";
import { buildQuery } from "./message.ts";
import { SecureChannel, type Security } from "./secure.ts";

const HOST = "127.90.1.1";
const NAME = "dns.lab.test";
const TYPE = { "content-type": "application/dns-message" };
const query = () => buildQuery({ name: "acme.test", type: "TXT" });
const closing: (() => void)[] = [];

let authority: Authority;
let certificate: Certificate;
beforeAll(() => {
  authority = new Authority();
  certificate = authority.issue([HOST, NAME]);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Listens, and counts the connections accepted and those still open. */
async function listen(server: Server) {
  const open = new Set<{ destroy(): void }>();
  const count = { port: 0, made: 0, open };
  server.on("connection", (socket) => {
    count.made += 1;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  count.port = await portOf(server, HOST);
  closing.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return count;
}

function https(answer: (query: Buffer, stream: ServerHttp2Stream, path: string) => void) {
  const server = createSecureServer(certificate);
  server.on("stream", (stream, headers) => {
    const received: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => received.push(chunk));
    stream.on("end", () => answer(Buffer.concat(received), stream, String(headers[":path"])));
  });
  return listen(server as unknown as Server);
}

function tls(answer: (messages: Buffer, socket: TLSSocket) => void) {
  const server = createServer(certificate, (socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => answer(chunk, socket));
  });
  return listen(server);
}

function channel(
  port: number,
  secure: Partial<Security> = {},
  authorities = [authority.cert],
  idleMs?: number,
) {
  const settings = { transport: "https" as const, host: null, path: "/dns-query", ...secure };
  const made = new SecureChannel({ address: HOST, port }, settings, authorities, idleMs);
  closing.push(() => made.close());
  return made;
}

const reply = (bytes: Buffer) => {
  const answer = Buffer.from(bytes);
  answer[2] = 0x80;
  return answer;
};
const honest = (bytes: Buffer, stream: ServerHttp2Stream) => {
  stream.respond({ ":status": 200, ...TYPE });
  stream.end(reply(bytes));
};
const failed = (failure: string) => ({ type: "failed", failure });
const ask = (one: SecureChannel, ms = 2_000) => one.ask(query(), ms, new AbortController().signal);

describe("a question over HTTPS", () => {
  it("is a POST of the message with id 0, over one shared connection", async () => {
    const asked: { id: number; path: string }[] = [];
    const server = await https((bytes, stream, path) => {
      asked.push({ id: bytes.readUInt16BE(0), path });
      honest(bytes, stream);
    });
    const one = channel(server.port);
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(one)));
    replies.push(await ask(one));
    expect(replies.map(({ type }) => type)).toEqual(Array(11).fill("answer"));
    expect(asked).toEqual(Array(11).fill({ id: 0, path: "/dns-query" }));
    expect(server.made).toBe(1);
  });

  const status = (code: number) => (_: Buffer, stream: ServerHttp2Stream) =>
    stream.respond({ ":status": code, location: "/" }, { endStream: true });
  const body =
    (change: (reply: Buffer) => Buffer, type = TYPE) =>
    (bytes: Buffer, stream: ServerHttp2Stream) => {
      stream.respond({ ":status": 200, ...type });
      stream.end(change(reply(bytes)));
    };
  const patched = (at: number) => (bytes: Buffer) => {
    bytes.writeUInt8(0x78, at);
    return bytes;
  };

  it.each<[string, (bytes: Buffer, stream: ServerHttp2Stream) => void, string]>([
    ["a redirect", status(302), "refused"],
    ["too many requests", status(429), "refused"],
    ["another type", body((bytes) => bytes, { "content-type": "text/html" }), "malformed"],
    ["another id", body(patched(1)), "malformed"],
    ["another question", body(patched(13)), "malformed"],
    ["over 64 KiB", body((bytes) => Buffer.concat([bytes, Buffer.alloc(65_535)])), "malformed"],
    ["nothing", () => {}, "timeout"],
  ])("answered with %s fails", async (_, answer, failure) => {
    const server = await https(answer);
    const limitMs = failure === "timeout" ? 500 : 5_000;
    expect(await ask(channel(server.port), limitMs)).toEqual(failed(failure));
  });

  it("needs HTTP/2", async () => {
    const server = await tls((_, socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    expect(await ask(channel(server.port))).toEqual(failed("refused"));
  });
});

describe("a question over TLS", () => {
  const secure = { transport: "tls", path: "" } as const;

  it("accepts answers in any order, in fragments or batches, over one connection", async () => {
    let received = Buffer.alloc(0);
    const server = await tls((chunk, socket) => {
      received = Buffer.concat([received, chunk]);
      const size = 2 + received.readUInt16BE(0);
      if (received.length < 3 * size) return;
      const answers = [2, 1, 0].map((at) =>
        framed(reply(received.subarray(at * size + 2, (at + 1) * size))),
      );
      const all = Buffer.concat([framed(reply(Buffer.alloc(40))), ...answers]);
      socket.write(all.subarray(0, 45));
      setImmediate(() => socket.write(all.subarray(45)));
    });
    const one = channel(server.port, secure);
    const replies = await Promise.all([ask(one), ask(one), ask(one)]);
    expect(replies.map(({ type }) => type)).toEqual(["answer", "answer", "answer"]);
    expect(server.made).toBe(1);
  });

  it("rejects answers to other questions", async () => {
    const wrong = await tls((chunk, socket) => {
      const answer = reply(chunk.subarray(2));
      answer.writeUInt8(0x78, 13);
      socket.write(framed(answer));
    });
    expect(await ask(channel(wrong.port, secure))).toEqual(failed("malformed"));
  });
});

describe.each(["tls", "https"] as const)("a connection over %s", (transport) => {
  const secure = { transport, path: transport === "tls" ? "" : "/dns-query" };
  const serve = () =>
    transport === "https"
      ? https(honest)
      : tls((chunk, socket) => socket.write(framed(reply(chunk.subarray(2)))));

  it("trusts only the address or host name in the certificate, whatever the environment says", async () => {
    const { port } = await serve();
    const one = async (host: string | null, authorities?: string[]) => {
      const got = await ask(channel(port, { ...secure, host }, authorities));
      return got.type === "failed" ? got.failure : got.type;
    };
    expect(await one(null)).toBe("answer");
    expect(await one(NAME)).toBe("answer");
    expect(await one("dns.other.test")).toBe("untrusted");
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect(await one("dns.other.test")).toBe("untrusted");
    expect(await one(null, [new Authority().cert])).toBe("untrusted");
  });

  it("reopens a dead connection", async () => {
    const server = await serve();
    const one = channel(server.port, secure);
    await ask(one);
    for (const socket of server.open) socket.destroy();
    expect((await ask(one)).type).toBe("answer");
    expect(server.made).toBe(2);
  });

  it("reports refusal, silence and cancellation", async () => {
    const gone = await serve();
    for (const close of closing.splice(0)) close();
    expect(await ask(channel(gone.port, secure))).toEqual(failed("refused"));
    const controller = new AbortController();
    const server = await tls(() => controller.abort());
    const one = channel(server.port, { transport: "tls" });
    expect(await one.ask(query(), 2_000, controller.signal)).toEqual(failed("timeout"));
  });

  it("closes when idle, and reopens", async () => {
    const server = await serve();
    const one = channel(server.port, secure, [authority.cert], 300);
    await ask(one);
    expect(server.open.size).toBe(1);
    await expect.poll(() => server.open.size).toBe(0);
    expect((await ask(one)).type).toBe("answer");
  });
});
