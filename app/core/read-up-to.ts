/** Reads the first octets of a stream, at most `limit`, then stops iterating over `chunks`. */
export async function readUpTo(
  limit: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Buffer> {
  const chunksRead: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    chunksRead.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunksRead).subarray(0, limit);
}
