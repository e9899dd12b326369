/**
 * A DNS of two hundred thousand names in a separate process: a root, com, and a hundred servers of zones n<i>.com.
 * Every tenth name has its token; the others lack it. `lean-dns.ts <port>` prints "ready".
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { seededToken } from "./seed.ts";

const ROOT = "127.1.0.1";
const COM = ["127.1.0.2", "127.1.0.3"];
const HOSTS = 50;
const TYPES = { A: 1, NS: 2, SOA: 6, TXT: 16 };
const AUTHORITATIVE = 0x8400;
const NXDOMAIN = 3;

const hostAddress = (host: number, side: number) => `127.1.${side + 1}.${host + 1}`;
const label = (text: string) => Buffer.from([text.length, ...Buffer.from(text)]);
const encoded = (name: string) =>
  Buffer.concat([...(name === "" ? [] : name.split(".").map(label)), Buffer.from([0])]);

const record = (name: string, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encoded(name), fixed, data]);
};
const ns = (zone: string, hosts: string[]) =>
  hosts.map((host) => record(zone, TYPES.NS, encoded(host)));
const addresses = (pairs: [string, string][]) =>
  pairs.map(([host, address]) =>
    record(host, TYPES.A, Buffer.from(address.split(".").map(Number))),
  );
const soa = (zone: string) => {
  const numbers = Buffer.alloc(20);
  [2026010100, 3600, 600, 86_400, 60].forEach((value, at) => {
    numbers.writeUInt32BE(value, at * 4);
  });
  return record(
    zone,
    TYPES.SOA,
    Buffer.concat([encoded(`a.${zone}`), encoded(`b.${zone}`), numbers]),
  );
};
const txt = (name: string, value: string) => record(name, TYPES.TXT, label(value));

type Content = {
  code?: number;
  answers?: Buffer[];
  authorities?: Buffer[];
  additionals?: Buffer[];
};

const COM_SERVERS: [string, string][] = COM.map((address, i) => [
  `${"ab"[i]}.registry.com`,
  address,
]);
const serversOf = (zone: string): [string, string][] => {
  const host = Number(/\d+/.exec(zone)?.[0] ?? 0) % HOSTS;
  return [0, 1].map((side) => [`${"ab"[side]}.dns${host}.com`, hostAddress(host, side)]);
};
const isPublished = (zone: string) => Number(/\d+/.exec(zone)?.[0] ?? 1) % 10 === 0;

const referral = (zone: string, servers: [string, string][]): Content => ({
  code: 0x8000,
  authorities: ns(
    zone,
    servers.map(([host]) => host),
  ),
  additionals: addresses(servers),
});

function atRoot(name: string): Content {
  return name.endsWith("com")
    ? referral("com", COM_SERVERS)
    : { code: AUTHORITATIVE | NXDOMAIN, authorities: [soa("")] };
}

function atCom(name: string): Content {
  if (name === "com")
    return {
      answers: ns(
        "com",
        COM_SERVERS.map(([host]) => host),
      ),
    };
  const zone = name.split(".").slice(-2).join(".");
  return referral(zone, serversOf(zone));
}

function atZone(name: string, type: number): Content {
  const zone = name.split(".").slice(-2).join(".");
  if (name === `_service-challenge.${zone}` && isPublished(zone))
    return type === TYPES.TXT
      ? { answers: [txt(name, seededToken(zone))] }
      : { authorities: [soa(zone)] };
  if (name !== zone) return { code: AUTHORITATIVE | NXDOMAIN, authorities: [soa(zone)] };
  if (type === TYPES.SOA) return { answers: [soa(zone)] };
  if (type === TYPES.NS)
    return {
      answers: ns(
        zone,
        serversOf(zone).map(([host]) => host),
      ),
    };
  return { authorities: [soa(zone)] };
}

/** Answers a query with one question, without EDNS. */
function respond(query: Buffer, content: (name: string, type: number) => Content): Buffer {
  let end = 12;
  const labels: string[] = [];
  for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
    labels.push(query.toString("latin1", end + 1, end + 1 + length).toLowerCase());
    end += 1 + length;
  }
  const type = query.readUInt16BE(end + 1);
  const {
    code = AUTHORITATIVE,
    answers = [],
    authorities = [],
    additionals = [],
  } = content(labels.join("."), type);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(code, 2);
  [1, answers.length, authorities.length, additionals.length].forEach((count, at) => {
    header.writeUInt16BE(count, 4 + 2 * at);
  });
  return Buffer.concat([
    header,
    query.subarray(12, end + 5),
    ...answers,
    ...authorities,
    ...additionals,
  ]);
}

function serve(address: string, port: number, content: (name: string, type: number) => Content) {
  const udp = createSocket("udp4");
  udp.on("message", (query, from) => {
    udp.send(respond(query, content), from.port, from.address);
  });
  udp.bind(port, address);
  createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const answer = respond(chunk.subarray(2), content);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    });
  }).listen(port, address);
}

const port = Number(process.argv[2] ?? 0);
if (port > 0) {
  serve(ROOT, port, atRoot);
  for (const address of COM) serve(address, port, atCom);
  for (let host = 0; host < HOSTS; host++)
    for (const side of [0, 1]) serve(hostAddress(host, side), port, atZone);
  setTimeout(() => console.log("ready"), 300);
}
