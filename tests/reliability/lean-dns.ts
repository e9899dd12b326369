/**
 * A DNS of two hundred thousand names in a separate process: a root, com, and a hundred servers of zones n<i>.com.
 * Every tenth name has its token; the others lack it. `lean-dns.ts <port>` prints "ready".
 */
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from "dns-packet";
import { freePort, newFolder } from "../support/service.ts";
import { seededToken } from "./seed.ts";

const ROOT = "127.1.0.1";
const COM = ["127.1.0.2", "127.1.0.3"];
const HOSTS = 50;
const NXDOMAIN = 3;

const hostAddress = (host: number, side: number) => `127.1.${side + 1}.${host + 1}`;

type Server = [host: string, address: string];
const COM_SERVERS = COM.map((address, i): Server => [`${"ab"[i]}.registry.com`, address]);
const serversOf = (zone: string): Server[] => {
  const host = Number(/\d+/.exec(zone)?.[0] ?? 0) % HOSTS;
  return [0, 1].map((side) => [`${"ab"[side]}.dns${host}.com`, hostAddress(host, side)]);
};
const isPublished = (zone: string) => Number(/\d+/.exec(zone)?.[0] ?? 1) % 10 === 0;

const ns = (name: string, servers: Server[]): Answer[] =>
  servers.map(([data]) => ({ name, type: "NS", ttl: 300, data }));
const soa = (name: string): Answer[] => [
  {
    name,
    type: "SOA",
    ttl: 300,
    data: {
      ...{ mname: `a.${name}`, rname: `b.${name}`, serial: 2026010100 },
      ...{ refresh: 3600, retry: 600, expire: 86_400, minimum: 60 },
    },
  },
];
const missing = (zone: string): Packet => ({
  flags: AUTHORITATIVE_ANSWER | NXDOMAIN,
  authorities: soa(zone),
});
const referral = (zone: string, servers: Server[]): Packet => ({
  flags: 0,
  authorities: ns(zone, servers),
  additionals: servers.map(([name, data]) => ({ name, type: "A", ttl: 300, data })),
});

type Content = (name: string, type: string) => Packet;

const atRoot: Content = (name) =>
  name.endsWith("com") ? referral("com", COM_SERVERS) : missing("");

const atCom: Content = (name) => {
  if (name === "com") return { answers: ns("com", COM_SERVERS) };
  const zone = name.split(".").slice(-2).join(".");
  return referral(zone, serversOf(zone));
};

const atZone: Content = (name, type) => {
  const zone = name.split(".").slice(-2).join(".");
  const isToken = name === `_service-challenge.${zone}` && isPublished(zone);
  if (name !== zone && !isToken) return missing(zone);
  if (isToken && type === "TXT")
    return { answers: [{ name, type: "TXT", ttl: 300, data: seededToken(zone) }] };
  if (name === zone && type === "SOA") return { answers: soa(zone) };
  if (name === zone && type === "NS") return { answers: ns(zone, serversOf(zone)) };
  return { authorities: soa(zone) };
};

function respond(query: Buffer, content: Content): Buffer {
  const { id = 0, questions: [question] = [] } = decode(query);
  const { name = "", type = "A" } = question ?? {};
  const bytes = encode({
    type: "response",
    id,
    flags: AUTHORITATIVE_ANSWER,
    questions: [{ name, type }],
    ...content(name.toLowerCase(), type),
  });
  // The codec splits labels that hold a dot.
  query.copy(bytes, 12, 12, 12 + Buffer.byteLength(name) + 2);
  return bytes;
}

function serve(address: string, port: number, content: Content) {
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

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2]);
  serve(ROOT, port, atRoot);
  for (const address of COM) serve(address, port, atCom);
  for (let host = 0; host < HOSTS; host++)
    for (const side of [0, 1]) serve(hostAddress(host, side), port, atZone);
  setTimeout(() => console.log("ready"), 300);
}

export async function startLeanDns() {
  const hints = join(newFolder(), "named.root");
  writeFileSync(hints, `. 3600000 NS a.root.example.\na.root.example. 3600000 A ${ROOT}\n`);
  const port = String(await freePort());
  const child = spawn(process.execPath, ["--import", "tsx", import.meta.filename, port], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", () => reject(new Error("the DNS of the test did not start")));
  });
  return {
    env: {
      DNS_ROOT_HINTS: hints,
      DNS_TRUST_ANCHORS: "none",
      DNS_PORT: port,
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: "",
      RATE_LIMIT_DNS_ADDRESS: "100000000/1",
    },
    stop: () => child.kill("SIGKILL"),
  };
}
