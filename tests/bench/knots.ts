import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "dns-packet";
import { type Daemon, runDaemon } from "../lab/daemon.ts";
import { knotConf } from "../lab/knot-conf.ts";
import { seededToken } from "../reliability/seed.ts";
import { freePort } from "../support/service.ts";

const ROOT_SERVER = "127.3.0.1";
export const COM_SERVER = "127.3.0.2";
/** DNS hosts, each with two nameservers at two addresses. Zone n<i>.com is at host i modulo HOSTS. */
const HOSTS = 20;
const addressOf = (host: number, side: number) => `127.3.${side + 1}.${host + 1}`;
const hostName = (host: number, side: number) => `ns${side + 1}.host${host}.com.`;
const nameservers = Array.from({ length: HOSTS }, (_, host) =>
  [0, 1].map((side) => ({ name: hostName(host, side), address: addressOf(host, side) })),
).flat();
/** Addresses of the nameservers of all zones; one knotd serves them all. */
export const ZONE_SERVERS = nameservers.map(({ address }) => address);

/** Every address that a read of one of the zones queries. */
export const SERVERS = [ROOT_SERVER, COM_SERVER, ...ZONE_SERVERS];

/** Of every zone, in seconds. */
export const NEGATIVE_TTL = 60;
const SOA = `@ 300 SOA ns1.host0.com. hostmaster.host0.com. 1 3600 900 86400 ${NEGATIVE_TTL}`;
const START_MS = 120_000;

/** Every tenth zone publishes the token of its claim. */
export const isPublished = (i: number): boolean => i % 10 === 0;
export const zoneName = (i: number): string => `n${i}.com`;

export type Knots = {
  port: number;
  hints: { host: string; addresses: string[] }[];
  /** The same as a service's environment: DNS_ROOT_HINTS and so on. */
  env: Record<string, string>;
  stop(): Promise<void>;
};

const lines = (...records: string[]) => `${records.join("\n")}\n`;
const record = (name: string) => `_service-challenge 300 TXT "${seededToken(name)}"`;
/** The file shared by the zones of one host that lack the record. */
const bareFile = (i: number) => `bare${i % HOSTS}.zone`;

type Zone = { name: string; file: string };

const configured = (folder: string, addresses: readonly string[], port: number, zones: Zone[]) =>
  knotConf({
    folder,
    addresses,
    port,
    workers: 2,
    log: "error",
    template: ["    semantic-checks: off"],
    zones: zones.flatMap(({ name, file }) => [`  - domain: ${name}`, `    file: ${file}`]),
  });

function start(
  base: string,
  id: string,
  addresses: readonly string[],
  port: number,
  files: Record<string, string>,
  zones: Zone[],
): Daemon {
  const folder = join(base, id);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "knot.conf"), configured(folder, addresses, port, zones));
  return runDaemon("knotd", ["-c", join(folder, "knot.conf")]);
}

/** Whether a server answers authoritatively for a zone's SOA. */
async function serves(address: string, port: number, zone: string): Promise<boolean> {
  const socket = createSocket("udp4");
  try {
    const query = encode({
      type: "query",
      id: 1,
      questions: [{ name: zone, type: "SOA", class: "IN" }],
    });
    socket.send(query, port, address);
    const [reply]: Buffer[] = await once(socket, "message", { signal: AbortSignal.timeout(300) });
    return reply !== undefined && ((reply[2] ?? 0) & 4) !== 0 && ((reply[3] ?? 0) & 15) === 0;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

async function ready(daemon: Daemon, address: string, port: number, zone: string) {
  const giveUpAt = Date.now() + START_MS;
  while (!(await serves(address, port, zone))) {
    if (!daemon.running() || Date.now() > giveUpAt)
      throw new Error(`knotd did not come up at ${address}:\n${daemon.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts three knotd: the root, com, and the nameservers of the zones n0.com, n1.com, …, each at two addresses. */
export async function startKnots(zones: number): Promise<Knots> {
  const base = mkdtempSync(join(tmpdir(), "deed-knots-"));
  const port = await freePort();
  const names = Array.from({ length: zones }, (_, i) => zoneName(i));
  const ns = (zone: string, i: number) =>
    [0, 1].map((side) => `${zone} NS ${hostName(i % HOSTS, side)}`);
  const daemons = [
    start(
      base,
      "root",
      [ROOT_SERVER],
      port,
      {
        "root.zone": [
          "$ORIGIN .",
          "$TTL 300",
          SOA,
          ". NS a.root.example.",
          `a.root.example. A ${ROOT_SERVER}`,
          "com. NS a.registry.com.",
          `a.registry.com. A ${COM_SERVER}`,
          "",
        ].join("\n"),
      },
      [{ name: ".", file: "root.zone" }],
    ),
    start(
      base,
      "com",
      [COM_SERVER],
      port,
      {
        "com.zone": [
          "$ORIGIN com.",
          "$TTL 300",
          SOA,
          "@ NS a.registry.com.",
          `a.registry A ${COM_SERVER}`,
          ...nameservers.map(({ name, address }) => `${name} A ${address}`),
          ...names.flatMap((name, i) => ns(`${name}.`, i)),
          "",
        ].join("\n"),
      },
      [{ name: "com.", file: "com.zone" }],
    ),
    start(
      base,
      "zones",
      ZONE_SERVERS,
      port,
      {
        ...Object.fromEntries(
          Array.from({ length: HOSTS }, (_, host) => [
            bareFile(host),
            lines(SOA, ...ns("@", host)),
          ]),
        ),
        ...Object.fromEntries(
          names.flatMap((name, i) =>
            isPublished(i) ? [[`${name}.zone`, lines(SOA, ...ns("@", i), record(name))]] : [],
          ),
        ),
      },
      names.map((name, i) => ({
        name: `${name}.`,
        file: isPublished(i) ? `${name}.zone` : bareFile(i),
      })),
    ),
  ];
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
    rmSync(base, { recursive: true, force: true });
  };
  try {
    const [root, com, zone] = daemons;
    if (root) await ready(root, ROOT_SERVER, port, ".");
    if (com) await ready(com, COM_SERVER, port, "com");
    if (zone)
      for (const address of ZONE_SERVERS) await ready(zone, address, port, zoneName(zones - 1));
  } catch (error) {
    await stop();
    throw error;
  }
  const file = join(base, "named.root");
  writeFileSync(file, `. 3600000 NS a.root.example.\na.root.example. 3600000 A ${ROOT_SERVER}\n`);
  return {
    port,
    hints: [{ host: "a.root.example", addresses: [ROOT_SERVER] }],
    env: {
      DNS_ROOT_HINTS: file,
      DNS_PORT: String(port),
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: "",
      RATE_LIMIT_DNS_ADDRESS: "100000000/1",
    },
    stop,
  };
}
