import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { seededToken } from "../reliability/seed.ts";
import { freePort } from "../support/service.ts";

/** Never queried, so every answer from this address is forged. */
const STRANGER = "127.3.0.99";
/** How often a forged answer differs from the question only in the case of one letter: once in so many queries. */
const CASE_EVERY = 16;
const AUTHORITATIVE = 0x8400;

export type Seen = {
  /** Queries over UDP. */
  udp: number;
  /** Connections over TCP. */
  tcp: number;
  forged: number;
  sourcePorts: Set<number>;
  ids: Set<number>;
  letters: number;
  capitals: number;
};

export type Forger = { port: number; seen: Seen; stop(): void };

const isLetter = (byte: number) => /[a-z]/i.test(String.fromCharCode(byte));

/** Where the name in a query ends, and the zone under com that it belongs to. */
function nameIn(query: Buffer): { end: number; zone: string } {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString("latin1", end + 1, end + 1 + length).toLowerCase());
    end += 1 + length;
  }
  return { end, zone: labels.slice(-2).join(".") };
}

/** The answer an attacker would send: it contains the token. */
function forgery(query: Buffer): Buffer {
  const { end, zone } = nameIn(query);
  const token = Buffer.from(seededToken(zone));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(AUTHORITATIVE, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(1, 6);
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 1, 44, 0, token.length + 1]);
  return Buffer.concat([
    header,
    query.subarray(12, end + 5),
    record,
    Buffer.from([token.length]),
    token,
  ]);
}

function altered(bytes: Buffer, at: number, bits: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}

async function bound(address: string, port: number): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(port, address);
  await once(socket, "listening");
  return socket;
}

/** Relays TCP unchanged. */
async function relayTcp(address: string, port: number, to: number, seen: Seen): Promise<Server> {
  const server = createServer((client) => {
    seen.tcp += 1;
    const upstream = connect(to, address);
    for (const end of [client, upstream])
      end.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    client.pipe(upstream).pipe(client);
  });
  server.listen(port, address);
  await once(server, "listening");
  return server;
}

/**
 * Sits in front of the servers at `addresses`, on another port, and sends several forged answers to every query before
 * the true one: from another address, from another port, with another id, to another question and, once in CASE_EVERY
 * queries, with a letter's case changed. Records how the queries were made.
 */
export async function startForger(addresses: readonly string[], to: number): Promise<Forger> {
  const port = await freePort();
  const seen: Seen = {
    udp: 0,
    tcp: 0,
    forged: 0,
    sourcePorts: new Set(),
    ids: new Set(),
    letters: 0,
    capitals: 0,
  };
  const stranger = await bound(STRANGER, port);
  const open: { close(): void }[] = [stranger];

  const note = (query: Buffer, from: RemoteInfo) => {
    seen.udp += 1;
    seen.sourcePorts.add(from.port);
    seen.ids.add(query.readUInt16BE(0));
    for (const byte of query.subarray(12, nameIn(query).end)) {
      if (!isLetter(byte)) continue;
      seen.letters += 1;
      if (byte < 0x60) seen.capitals += 1;
    }
  };

  for (const address of addresses) {
    const [front, otherPort, back] = await Promise.all([
      bound(address, port),
      bound(address, 0),
      bound(address, 0),
    ]);
    const askers = new Map<number, { from: RemoteInfo; id: number }>();
    let count = 0;
    front.on("message", (query, from) => {
      note(query, from);
      const send = (socket: Socket, bytes: Buffer) => {
        seen.forged += 1;
        socket.send(bytes, from.port, from.address);
      };
      const forged = forgery(query);
      send(stranger, forged);
      send(otherPort, forged);
      send(front, altered(forged, 1, 1));
      // Changes the last octet of the first label, which makes it another name.
      send(front, altered(forged, 12 + (query[12] ?? 0), 1));
      count += 1;
      if (count % CASE_EVERY === 0) {
        const letter = query.subarray(12).findIndex(isLetter);
        send(front, altered(forged, 12 + letter, 0x20));
      }
      const id = count & 0xffff;
      askers.set(id, { from, id: query.readUInt16BE(0) });
      query.writeUInt16BE(id, 0);
      back.send(query, to, address);
    });
    back.on("message", (answer) => {
      const asker = askers.get(answer.readUInt16BE(0));
      if (!asker) return;
      answer.writeUInt16BE(asker.id, 0);
      front.send(answer, asker.from.port, asker.from.address);
    });
    open.push(front, otherPort, back, await relayTcp(address, port, to, seen));
  }
  return {
    port,
    seen,
    stop: () => {
      for (const socket of open) socket.close();
    },
  };
}
