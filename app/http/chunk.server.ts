import type { ServerResponse } from "node:http";

const END = Buffer.from("\r\n");

/** The last bytes that were made a chunk, and the chunk: many streams are sent the same in a row. */
let last: { bytes: Uint8Array; chunk: Buffer } | null = null;

function chunkOf(bytes: Uint8Array): Buffer {
  if (last?.bytes !== bytes) {
    const head = Buffer.from(`${bytes.byteLength.toString(16)}\r\n`);
    last = { bytes, chunk: Buffer.concat([head, bytes, END]) };
  }
  return last.chunk;
}

/**
 * Adds bytes to an answer that is under way and not compressed. Where it is sent in chunks they leave at once as one
 * buffer; `response.write` keeps four until the turn is over, and copies for each answer what all are sent.
 * False where what waits is more than a socket holds as a rule.
 */
export function writeChunk(response: ServerResponse, bytes: Uint8Array): boolean {
  const { socket } = response;
  if (socket?.writable && response.chunkedEncoding && !response.writableEnded)
    return socket.write(chunkOf(bytes));
  return response.write(bytes);
}
