/** A question as a server in front of a knotd sees it. */
export type Asked = {
  bytes: Buffer;
  transport: "udp" | "tcp";
  /** In the letters of the question, without the trailing dot. */
  name: string;
  type: number;
  hasEdns: boolean;
  /** The address that asks, and whether it is the reader's. */
  from: string;
  isOurs: boolean;
};

const HEADER = 12;
const OURS = "127.0.0.1";
const [QR, AA, TC] = [0x8000, 0x400, 0x200];

/** The end of the question's name. */
function nameEnd(bytes: Buffer): number {
  let at = HEADER;
  while (bytes[at]) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}

export function readQuestion(bytes: Buffer, transport: Asked["transport"], from: string): Asked {
  const end = nameEnd(bytes);
  const labels: string[] = [];
  for (let at = HEADER; bytes[at]; at += (bytes[at] ?? 0) + 1)
    labels.push(bytes.toString("latin1", at + 1, at + 1 + (bytes[at] ?? 0)));
  return {
    bytes,
    transport,
    name: labels.join("."),
    type: bytes.readUInt16BE(end),
    hasEdns: bytes.readUInt16BE(10) > 0,
    from,
    isOurs: from === OURS,
  };
}

/** Sets and clears bits of the header's second word. */
export function withFlags(bytes: Buffer, { set = 0, clear = 0 }): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16BE((bytes.readUInt16BE(2) | set) & ~clear, 2);
  return changed;
}

/** An empty authoritative answer. */
export function answerOf(query: Buffer): Buffer {
  const bytes = withFlags(query.subarray(0, nameEnd(query) + 4), { set: QR | AA, clear: 0xf });
  bytes.fill(0, 6, HEADER);
  return bytes;
}

export const rcode = (query: Buffer, code: number) => withFlags(answerOf(query), { set: code });
export const truncated = (query: Buffer) => withFlags(answerOf(query), { set: TC });

/** The question's name in lower case. */
export function lowered(bytes: Buffer): Buffer {
  const end = nameEnd(bytes);
  const name = bytes.toString("latin1", HEADER, end).toLowerCase();
  return Buffer.concat([
    bytes.subarray(0, HEADER),
    Buffer.from(name, "latin1"),
    bytes.subarray(end),
  ]);
}

/** A CNAME of the name asked to parked.invalid, with a TTL of five minutes. */
export function aliasOf(query: Buffer): Buffer {
  const target = Buffer.from("\x06parked\x07invalid\0", "latin1");
  const record = Buffer.from([0xc0, HEADER, 0, 5, 0, 1, 0, 0, 1, 44, 0, target.length]);
  const bytes = Buffer.concat([answerOf(query), record, target]);
  bytes.writeUInt16BE(1, 6);
  return bytes;
}

/** A datagram that answers nothing. */
export const NO_QUESTION = Buffer.alloc(HEADER + 5);
