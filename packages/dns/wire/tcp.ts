import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { type AnswerSize, MAX_MESSAGE } from "../protocol.ts";
import { matchQuestion, type Query } from "./query.ts";

/** The longest that a connection may take to be established; the answer itself may take longer. */
const CONNECT_MS = 2_000;
/** Limit on the chunks of an answer: 16 KiB take twelve segments, or thirty of the smallest in use. */
const MAX_CHUNKS = 40;

/** Errors caused by the peer or by a middlebox; any other error is local. */
const PEER_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ETIMEDOUT", "EPIPE"]);
/** Octets of a header (RFC 1035 section 4.1.1). */
const HEADER = 12;

type Failed = "timeout" | "tcp_refused" | "malformed";
export type TcpReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "failed"; failure: Failed }
  | { type: "failed"; failure: "too_large"; size: AnswerSize };

/**
 * Sends one query over one TCP connection (RFC 7766), in at most `timeoutMs` overall. "tcp_refused": not a single octet
 * came. "too_large": over 16 KiB. "malformed": in too many chunks, or for another question.
 */
export function askOverTcp(
  query: Query,
  to: { address: string; port: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TcpReply> {
  return new Promise((resolve) => {
    const id = randomInt(0x1_0000);
    query.bytes.writeUInt16BE(id, 0);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);

    const received: Buffer[] = [];
    let size = 0;
    let chunks = 0;
    const socket = connect({ host: to.address, port: to.port });
    const finish = (reply: TcpReply) => {
      clearTimeout(timer);
      clearTimeout(connecting);
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(reply);
    };
    const fail = (failure: Failed) => finish({ type: "failed", failure });
    const orRefused = (failure: Failed) => fail(size === 0 ? "tcp_refused" : failure);
    const giveUp = () => fail("timeout");
    const timer = setTimeout(() => orRefused("timeout"), timeoutMs);
    const connecting = setTimeout(() => orRefused("timeout"), Math.min(CONNECT_MS, timeoutMs));
    signal.addEventListener("abort", giveUp);

    socket.setNoDelay(true);
    socket.on("connect", () => {
      clearTimeout(connecting);
      socket.write(Buffer.concat([length, query.bytes]));
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
      if (expected > MAX_MESSAGE && size >= HEADER + 2) {
        if (head.readUInt16BE(2) !== id) return fail("malformed");
        const answerSize = { bytes: expected, records: head.readUInt16BE(8) };
        return finish({ type: "failed", failure: "too_large", size: answerSize });
      }
      if (size < expected + 2) return void received.splice(0, received.length, head);
      const bytes = head.subarray(2, expected + 2);
      if (bytes.readUInt16BE(0) !== id || matchQuestion(bytes, query) === "none")
        return fail("malformed");
      finish({ type: "answer", bytes });
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      PEER_ERRORS.has(error.code ?? "") ? orRefused("timeout") : fail("timeout"),
    );
    socket.on("close", () => orRefused("malformed"));
    if (signal.aborted) giveUp();
  });
}
