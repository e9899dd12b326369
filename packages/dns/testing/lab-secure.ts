import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import type { Certificate } from "./certificates.ts";

type Reply = (bytes: Buffer) => Promise<Buffer[]>;

/** Creates a DNS over TLS or HTTPS server that answers each message with `reply`. It is not listening yet. */
export function secureServer(
  transport: "tls" | "https",
  certificate: Certificate,
  reply: Reply,
): Server | Http2SecureServer {
  return transport === "tls" ? tlsServer(certificate, reply) : httpsServer(certificate, reply);
}

function tlsServer(certificate: Certificate, reply: Reply): Server {
  return createServer(certificate, (socket: Socket) => {
    let received: Buffer = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const message = received.subarray(2, end);
        received = received.subarray(end);
        void reply(message).then((answers) => {
          for (const answer of answers) {
            const length = Buffer.alloc(2);
            length.writeUInt16BE(answer.length);
            socket.write(Buffer.concat([length, answer]));
          }
        });
      }
    });
  });
}

function httpsServer(certificate: Certificate, reply: Reply): Http2SecureServer {
  const server = createSecureServer(certificate);
  server.on("stream", (stream, headers) => {
    const received: Buffer[] = [];
    stream.on("error", () => stream.destroy());
    stream.on("data", (chunk: Buffer) => received.push(chunk));
    stream.on("end", async () => {
      const type = headers["content-type"];
      if (headers[":method"] !== "POST" || headers[":path"] !== "/dns-query" || !type) {
        return stream.respond({ ":status": 404 }, { endStream: true });
      }
      for (const answer of await reply(Buffer.concat(received))) {
        if (stream.destroyed) return;
        stream.respond({ ":status": 200, "content-type": type });
        stream.end(answer);
      }
    });
  });
  return server;
}
