import { randomInt } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { MAX_MESSAGE } from "../dnssec/records.ts";
import { matchQuestion, type Query } from "./message.ts";
import type { SecureReply, SecureTransport } from "./tls.ts";

/** DNS over TLS (RFC 7858): length-prefixed messages, answers in any order. `ended`: it takes no more questions. */
export function dnsOverTls(socket: TLSSocket, idleMs: number, ended: () => void): SecureTransport {
  const pending = new Map<
    number,
    { query: Query; settle: (reply: SecureReply | "lost") => void }
  >();
  let received: Buffer = Buffer.alloc(0);

  const finish = (reply: SecureReply | "lost") => {
    ended();
    socket.destroy();
    const waiting = [...pending.values()];
    pending.clear();
    for (const { settle } of waiting) settle(reply);
  };
  const deliver = (bytes: Buffer) => {
    const id = bytes.length < 12 ? -1 : bytes.readUInt16BE(0);
    const asked = pending.get(id);
    pending.delete(id);
    // The query for this answer has ended.
    if (!asked) return;
    const isAnswer = matchQuestion(bytes, asked.query) !== "none";
    asked.settle(isAnswer ? { type: "answer", bytes } : { type: "failed", failure: "malformed" });
  };

  socket.setTimeout(idleMs, () => finish("lost"));
  socket.on("close", () => finish("lost"));
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const length = received.readUInt16BE(0);
      if (length > MAX_MESSAGE) return finish({ type: "failed", failure: "malformed" });
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
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.bytes.length);
      socket.write(Buffer.concat([length, query.bytes]));
      return () => pending.delete(id);
    },
    close: () => finish("lost"),
  };
}
