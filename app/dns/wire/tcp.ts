import { connect } from "node:net";
import type { AnswerSize } from "../message-size.ts";
import { MAX_MESSAGE } from "../message-size.ts";
import type { Cancellation } from "./cancellation.ts";
import { matchQuestion, type Query } from "./query.ts";
import { randomWord } from "./random.ts";

/** Pieces an answer may come in: 16 KiB are twelve segments, or thirty of the smallest that anybody sends. */
const MAX_PIECES = 40;

/** What the other side, or what stands before it, does to a connection; other errors are this machine's. */
const TURNED_AWAY = new Set(["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ETIMEDOUT", "EPIPE"]);
/** Octets of a header (RFC 1035 section 4.1.1), and where in it the records of the answer section are counted. */
const HEADER = 12;
const ANSWERS_AT = 6;

type Failed = "timeout" | "tcp_refused" | "malformed";
export type TcpReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "failed"; failure: Failed }
  | { type: "failed"; failure: "too_large"; size: AnswerSize };

/**
 * One query over one TCP connection (RFC 7766), the whole of it within `timeoutMs`, however slowly the bytes arrive.
 * "tcp_refused": not an octet came, whether the connection was refused, never made, or closed. A message over 16 KiB is
 * "too_large"; one in very many pieces or to another question is "malformed".
 */
export function askOverTcp(
  query: Query,
  to: { address: string; port: number },
  timeoutMs: number,
  ending: Cancellation,
): Promise<TcpReply> {
  return new Promise((resolve) => {
    const id = randomWord();
    query.bytes.writeUInt16BE(id, 0);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);

    const received: Buffer[] = [];
    let size = 0;
    let pieces = 0;
    const socket = connect({ host: to.address, port: to.port });
    const finish = (reply: TcpReply) => {
      clearTimeout(timer);
      ending.spare(giveUp);
      socket.destroy();
      resolve(reply);
    };
    const fail = (failure: Failed) => finish({ type: "failed", failure });
    const orRefused = (failure: Failed) => fail(size === 0 ? "tcp_refused" : failure);
    const giveUp = () => fail("timeout");
    const timer = setTimeout(() => orRefused("timeout"), timeoutMs);
    ending.tell(giveUp);

    socket.setNoDelay(true);
    socket.on("connect", () => socket.write(Buffer.concat([length, query.bytes])));
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk);
      size += chunk.length;
      pieces += 1;
      if (pieces > MAX_PIECES) return fail("malformed");
      if (size < 2) return;
      const head = received.length === 1 ? chunk : Buffer.concat(received);
      const expected = head.readUInt16BE(0);
      if (expected < HEADER) return fail("malformed");
      if (expected > MAX_MESSAGE && size >= HEADER + 2) {
        if (head.readUInt16BE(2) !== id) return fail("malformed");
        const records = head.readUInt16BE(2 + ANSWERS_AT);
        const answerSize = { bytes: expected, records };
        return finish({ type: "failed", failure: "too_large", size: answerSize });
      }
      if (size < expected + 2) {
        received.splice(0, received.length, head);
        return;
      }
      const bytes = head.subarray(2, expected + 2);
      if (bytes.readUInt16BE(0) !== id) return fail("malformed");
      if (matchQuestion(bytes, query) === "none") return fail("malformed");
      finish({ type: "answer", bytes });
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      TURNED_AWAY.has(error.code ?? "") ? orRefused("timeout") : fail("timeout"),
    );
    socket.on("close", () => orRefused("malformed"));
    if (ending.isOver) giveUp();
  });
}
