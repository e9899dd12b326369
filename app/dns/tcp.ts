import { connect } from "node:net";
import type { Ending } from "./ending.ts";
import { MAX_MESSAGE } from "./message.ts";
import { matchQuestion, type Query } from "./query.ts";
import { randomWord } from "./random.ts";

/** Pieces an answer may come in: 16 KiB are twelve segments, or thirty of the smallest that anybody sends. */
const MAX_PIECES = 40;

export type TcpReply =
  | { type: "answer"; bytes: Buffer }
  | { type: "failed"; failure: "timeout" | "refused" | "malformed" };

/**
 * One query over one TCP connection (RFC 7766), the whole of it within `timeoutMs`, however slowly
 * the bytes arrive. A message over 16 KiB, in very many pieces or to another question is "malformed".
 */
export function askOverTcp(
  query: Query,
  to: { address: string; port: number },
  timeoutMs: number,
  ending: Ending,
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
    const fail = (failure: "timeout" | "refused" | "malformed") =>
      finish({ type: "failed", failure });
    const giveUp = () => fail("timeout");
    const timer = setTimeout(giveUp, timeoutMs);
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
      if (expected > MAX_MESSAGE) return fail("malformed");
      if (size < expected + 2) {
        received.splice(0, received.length, head);
        return;
      }
      const bytes = head.subarray(2, expected + 2);
      if (bytes.length < 12 || bytes.readUInt16BE(0) !== id) return fail("malformed");
      if (matchQuestion(bytes, query) === "none") return fail("malformed");
      finish({ type: "answer", bytes });
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      fail(error.code === "ECONNREFUSED" ? "refused" : "timeout"),
    );
    socket.on("close", () => fail("malformed"));
    if (ending.isOver) giveUp();
  });
}
