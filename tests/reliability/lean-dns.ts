/**
 * A DNS of two hundred thousand names in a separate process: a root, com, and a hundred servers of zones n<i>.com.
 * Every tenth name has its token; the others lack it. `lean-dns.ts <port>` prints "ready".
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeAnswer, LabServer } from "@deed/dns/testing/lab-server.ts";
import type { LabAnswer } from "@deed/dns/testing/lab-zone.ts";
import type { Answer } from "dns-packet";
import { freePort, newFolder } from "../support/service.ts";
import { seededToken } from "./seed.ts";

const ROOT = "127.1.0.1";
const COM = ["127.1.0.2", "127.1.0.3"];
const HOSTS = 50;

const hostAddress = (host: number, side: number) => `127.1.${side + 1}.${host + 1}`;
const numberOf = (zone: string) => Number(/\d+/.exec(zone)?.[0] ?? 1);

type Server = [host: string, address: string];
const COM_SERVERS = COM.map((address, i): Server => [`${"ab"[i]}.registry.com`, address]);
const serversOf = (zone: string): Server[] => {
  const host = numberOf(zone) % HOSTS;
  return [0, 1].map((side) => [`${"ab"[side]}.dns${host}.com`, hostAddress(host, side)]);
};

const ns = (name: string, servers: Server[]): Answer[] =>
  servers.map(([data]) => ({ name, type: "NS", ttl: 300, data }));
const soa = (name: string): Answer[] => {
  const times = { refresh: 3600, retry: 600, expire: 86_400, minimum: 60 };
  const data = { mname: `a.${name}`, rname: `b.${name}`, serial: 2026010100, ...times };
  return [{ name, type: "SOA", ttl: 300, data }];
};
const answer = (more: Partial<LabAnswer>): LabAnswer => ({
  ...{ rcode: 0, aa: true, answers: [], authorities: [], additionals: [] },
  ...more,
});
const missing = (zone: string) => answer({ rcode: 3, authorities: soa(zone) });
const referral = (zone: string, servers: Server[]) =>
  answer({
    aa: false,
    authorities: ns(zone, servers),
    additionals: servers.map(([name, data]) => ({ name, type: "A", ttl: 300, data })),
  });
const zoneOf = (name: string) => name.split(".").slice(-2).join(".");

const atRoot = (name: string) =>
  name.endsWith("com") ? referral("com", COM_SERVERS) : missing("");

const atCom = (name: string) =>
  name === "com"
    ? answer({ answers: ns("com", COM_SERVERS) })
    : referral(zoneOf(name), serversOf(zoneOf(name)));

function atZone(name: string, type: string): LabAnswer {
  const zone = zoneOf(name);
  const isToken = name === `_service-challenge.${zone}` && numberOf(zone) % 10 === 0;
  if (name !== zone && !isToken) return missing(zone);
  if (isToken && type === "TXT")
    return answer({ answers: [{ name, type, ttl: 300, data: seededToken(zone) }] });
  if (name === zone && type === "SOA") return answer({ answers: soa(zone) });
  if (name === zone && type === "NS") return answer({ answers: ns(zone, serversOf(zone)) });
  return answer({ authorities: soa(zone) });
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2]);
  const hosts = Array.from({ length: 2 * HOSTS }, (_, i) => hostAddress(i >> 1, i & 1));
  const contents = [
    [atRoot, ROOT],
    ...COM.map((one) => [atCom, one]),
    ...hosts.map((one) => [atZone, one]),
  ] as [typeof atZone, string][];
  const servers = contents.map(
    ([content, address]) =>
      new LabServer(address, [], {
        behaviour: (query) => [encodeAnswer(query, content(query.name, query.type))],
      }),
  );
  await Promise.all(servers.map((server) => server.listen(port)));
  console.log("ready");
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
