import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from "node:http2";
import { isIPv6 } from "node:net";
import type { TLSSocket } from "node:tls";
import { MAX_MESSAGE } from "../dnssec/records.ts";
import { matchQuestion, type Query } from "./message.ts";
import type { Secure, SecureReply, SecureTransport } from "./tls.ts";

const MEDIA_TYPE = "application/dns-message";

/** DNS over HTTPS (RFC 8484): one POST per question over one HTTP/2 session. `ended`: it takes no more questions. */
export async function openDnsOverHttps(
  socket: TLSSocket,
  { host, path }: Secure,
  { address, port }: { address: string; port: number },
  idleMs: number,
  ended: () => void,
): Promise<SecureTransport> {
  // Loaded on demand to shorten startup.
  const { connect, constants } = await import("node:http2");
  const name = host ?? address;
  const session = connect(`https://${isIPv6(name) ? `[${name}]` : name}:${port}`, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  session.unref();
  session.setTimeout(idleMs, () => session.destroy());
  session.on("goaway", ended);
  session.on("close", ended);
  // The error also reaches each open stream, which settles its question.
  session.on("error", ended);

  const ask = (query: Query, settle: (reply: SecureReply | "lost") => void): (() => void) => {
    // RFC 8484 section 4.1: id 0, so that equal questions are equal messages.
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
    let over = false;
    const forget = () => {
      over = true;
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const finish = (reply: SecureReply | "lost") => {
      if (over) return;
      forget();
      settle(reply);
    };
    const fail = (failure: "refused" | "malformed") => finish({ type: "failed", failure });
    stream.on("response", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
      if (headers[":status"] !== 200) return fail("refused");
      date = headers.date;
      if (headers["content-type"]?.toLowerCase() !== MEDIA_TYPE) fail("malformed");
    });
    stream.on("data", (chunk: Buffer) => {
      received.push(chunk);
      size += chunk.length;
      if (size > MAX_MESSAGE) fail("malformed");
    });
    stream.on("end", () => {
      const bytes = Buffer.concat(received);
      const isAnswer =
        bytes.length >= 12 && bytes.readUInt16BE(0) === 0 && matchQuestion(bytes, query) !== "none";
      if (isAnswer) finish({ type: "answer", bytes, date });
      else if (size > 0) fail("malformed");
    });
    stream.on("error", () => finish("lost"));
    stream.on("close", () => finish("lost"));
    stream.end(query.bytes);
    return forget;
  };
  return { ask, close: () => session.destroy() };
}
