import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createConnection } from "node:net";
import { type DecodedPacket, decode, encode, type RecordType } from "dns-packet";

const MAX_TRIES = 2;
const TIMEOUT_MS = 500;

export type Endpoint = { address: string; port: number };
export type Question = {
  name: string;
  type: string;
  /** Header bits besides the opcode, for example RECURSION_DESIRED. */
  flags?: number;
  /** Advertised UDP payload size; 1232 by default, null for no EDNS. */
  payload?: number | null;
};

function encodeQuery(id: number, ask: Question): Buffer {
  const payload = ask.payload === undefined ? 1232 : ask.payload;
  return encode({
    type: "query",
    id,
    flags: ask.flags ?? 0,
    questions: [{ name: ask.name || ".", type: ask.type as RecordType, class: "IN" }],
    additionals:
      payload === null
        ? []
        : [
            {
              type: "OPT",
              name: ".",
              udpPayloadSize: payload,
              extendedRcode: 0,
              ednsVersion: 0,
              flags: 0,
              flag_do: false,
              options: [],
            },
          ],
  });
}

function decodeReply(bytes: Buffer, id: number): DecodedPacket | null {
  try {
    const packet = decode(bytes);
    return packet.id === id && packet.flag_qr ? packet : null;
  } catch {
    return null;
  }
}

/** Sends one query over UDP. Null if no usable answer arrives in time. */
export function askUdp(
  server: Endpoint,
  ask: Question,
  timeoutMs = TIMEOUT_MS,
): Promise<DecodedPacket | null> {
  const id = randomInt(65_536);
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    const settle = (packet: DecodedPacket | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().close();
      resolve(packet);
    };
    const timer = setTimeout(() => settle(null), timeoutMs);
    socket.on("error", () => settle(null));
    socket.on("message", (bytes) => {
      const packet = decodeReply(bytes, id);
      if (packet) settle(packet);
    });
    socket.connect(server.port, server.address, () => socket.send(encodeQuery(id, ask)));
  });
}

/** Sends one query over TCP. Null if no usable answer arrives in time. */
export function askTcp(
  server: Endpoint,
  ask: Question,
  timeoutMs = TIMEOUT_MS,
): Promise<DecodedPacket | null> {
  const id = randomInt(65_536);
  const query = encodeQuery(id, ask);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  const socket = createConnection({ host: server.address, port: server.port });
  let pending: Buffer = Buffer.alloc(0);
  return new Promise((resolve) => {
    const settle = (packet: DecodedPacket | null) => {
      socket.destroy();
      resolve(packet);
    };
    socket.setTimeout(timeoutMs, () => settle(null));
    socket.on("error", () => settle(null));
    socket.on("close", () => settle(null));
    socket.on("connect", () => socket.write(Buffer.concat([length, query])));
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0))
        settle(decodeReply(pending.subarray(2, 2 + pending.readUInt16BE(0)), id));
    });
  });
}

/** Queries over UDP, retries once after a timeout, and uses TCP if the answer was truncated. */
export async function ask(server: Endpoint, question: Question): Promise<DecodedPacket | null> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const packet = await askUdp(server, question);
    if (packet) return packet.flag_tc ? askTcp(server, question) : packet;
  }
  return null;
}
