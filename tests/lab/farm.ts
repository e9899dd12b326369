import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { askUdp } from "@deed/playground/client.ts";
import Database from "better-sqlite3";
import { newFolder } from "../support/service.ts";
import { type Daemon, runDaemon } from "./daemon.ts";
import { type Lab, startLab, waitFor } from "./lab.ts";
import { findSoftware } from "./software.ts";
import { type LabZone, NS1, NS2, zoneFile } from "./zones.ts";

const run = promisify(execFile);

/** The zones' servers, by host name. */
export const HOSTS = {
  "nsd1.farm.example": "127.0.42.21",
  "nsd2.farm.example": "127.0.42.22",
  // BIND listens only on addresses assigned to an interface.
  "bind1.farm.example": "127.0.0.1",
  "pdns1.farm.example": "127.0.42.41",
  "pdns2.farm.example": "127.0.42.42",
  // unbound, a resolver mistaken for a nameserver.
  "office.farm.example": "127.0.40.11",
} as const;

export const HOSTS_OF = {
  nsd: ["nsd1.farm.example", "nsd2.farm.example"],
  named: ["bind1.farm.example"],
  pdns_server: ["pdns1.farm.example", "pdns2.farm.example"],
} as const satisfies Record<string, (keyof typeof HOSTS)[]>;
export type Program = keyof typeof HOSTS_OF;

export type FarmZone = Pick<LabZone, "name" | "delegatedTo" | "minimum"> & {
  program?: Program;
  /** Zone file lines relative to the zone, without its SOA and NS. */
  records: string[];
  /** What resolvers get instead (a BIND view). */
  forResolvers?: string[];
  /** A secondary with an unreachable primary, so that there is no copy. */
  orphaned?: boolean;
  /** The zone's name in the program's settings if it differs: a zone above. */
  servedAs?: string;
};

const PROGRAMS = Object.keys(HOSTS_OF) as Program[];
export const FARM_PROGRAMS = [...PROGRAMS, "pdnsutil"] as const;
/** The zone as resolvers may see it, and its primary, where nothing listens. */
const INSIDE = ".inside";
const NOBODY = "127.0.42.99";

/** Where a program runs: its folder, the servers' port, its zones, and each zone's file. */
type Site = {
  folder: string;
  port: number;
  zones: FarmZone[];
  fileOf(zone: FarmZone): string;
};

const addresses = (program: Program) => HOSTS_OF[program].map((host) => HOSTS[host]);
async function configure(folder: string, name: string, lines: string[]) {
  const file = join(folder, name);
  await writeFile(file, [...lines, ""].join("\n"));
  return file;
}

async function startNsd(program: string, { folder, port, zones, fileOf }: Site): Promise<Daemon> {
  const conf = await configure(folder, "nsd.conf", [
    "server:",
    ...addresses("nsd").map((address) => `  ip-address: ${address}@${port}`),
    "  server-count: 1",
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    ...["pidfile", "zonelistfile", "xfrdfile"].map((name) => `  ${name}: "${folder}/${name}"`),
    `  xfrdir: "${folder}"`,
    `  zonesdir: "${folder}"`,
    "remote-control:",
    "  control-enable: no",
    ...zones.map((zone) => `zone:\n  name: "${zone.name}"\n  zonefile: "${fileOf(zone)}"`),
  ]);
  return runDaemon(program, ["-d", "-c", conf]);
}

/** BIND with a view for the resolvers on 127.0.40.0/24, with a zone's alternative records if it has any. */
async function startNamed(program: string, { folder, port, zones, fileOf }: Site): Promise<Daemon> {
  const outside = (zone: FarmZone) =>
    zone.orphaned
      ? `type secondary; primaries port ${port} { ${NOBODY}; }; file "${fileOf(zone)}.none";`
      : `type primary; file "${fileOf(zone)}";`;
  const inside = (zone: FarmZone) =>
    zone.forResolvers ? `type primary; file "${fileOf(zone)}${INSIDE}";` : 'in-view "outside";';
  const conf = await configure(folder, "named.conf", [
    "options {",
    `  directory "${folder}";`,
    `  listen-on port ${port} { ${addresses("named").join("; ")}; };`,
    "  listen-on-v6 { none; };",
    "  pid-file none; session-keyfile none; lock-file none;",
    "  recursion no; notify no; dnssec-validation no;",
    "};",
    "controls { };",
    'view "outside" {',
    "  match-clients { !127.0.40.0/24; any; };",
    ...zones.map((zone) => `  zone "${zone.name}" { ${outside(zone)} };`),
    "};",
    'view "inside" {',
    ...zones.map((zone) => `  zone "${zone.name}" { ${inside(zone)} };`),
    "};",
  ]);
  return runDaemon(program, ["-g", "-n", "1", "-c", conf]);
}

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

async function startPdns(
  program: string,
  { folder, port, zones, fileOf }: Site,
  pdnsutil: string,
): Promise<Daemon> {
  const file = join(folder, "pdns.db");
  const database = new Database(file);
  database.exec(await readFile(SCHEMA, "utf8"));
  database.close();
  await configure(folder, "pdns.conf", [
    "launch=gsqlite3",
    `gsqlite3-database=${file}`,
    "gsqlite3-pragma-synchronous=0",
    `local-address=${addresses("pdns_server").join(",")}`,
    `local-port=${port}`,
    `socket-dir=${folder}`,
    "receiver-threads=1",
    "distributor-threads=1",
    "disable-syslog=yes",
    // Disables the DNS query that checks this version for security advisories.
    "security-poll-suffix=",
  ]);
  const here = `--config-dir=${folder}`;
  for (const zone of zones)
    await run(pdnsutil, [here, "load-zone", zone.servedAs ?? zone.name, fileOf(zone)], {
      timeout: 20_000,
    });
  return runDaemon(program, [here, "--daemon=no", "--guardian=no"]);
}

const STARTS: Record<Program, (program: string, site: Site, pdnsutil: string) => Promise<Daemon>> =
  { nsd: startNsd, named: startNamed, pdns_server: startPdns };

/** A lab zone with the delegations' hosts. */
const HOST_RECORDS = Object.entries(HOSTS).map(([host, address]) => `${host}. A ${address}`);
const HOSTS_ZONE: LabZone = {
  name: "farm.example",
  delegatedTo: [NS1, NS2],
  on: { ns1: HOST_RECORDS, ns2: HOST_RECORDS },
};

/** Starts every program once, on 127.0.42.0/24, below the lab's root and registries; those have `labZones`. */
export async function startFarm(zones: FarmZone[], labZones: LabZone[]) {
  const { software, missing } = findSoftware(FARM_PROGRAMS);
  if (missing.length > 0) throw new Error(`the farm needs ${missing.join(", ")}`);
  const base = newFolder();
  const daemons: Daemon[] = [];
  let lab: Lab | null = null;
  const stop = async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
    await lab?.stop();
  };
  try {
    lab = await startLab([HOSTS_ZONE, ...labZones]);
    const { plain: port } = lab.ports;
    for (const program of PROGRAMS) {
      const folder = join(base, program);
      await mkdir(folder);
      const fileOf = ({ name }: FarmZone) => join(folder, `${name}.zone`);
      const own = zones.filter((zone) => zone.program === program);
      for (const zone of own) {
        const { servedAs = zone.name } = zone;
        await writeFile(fileOf(zone), zoneFile({ ...zone, name: servedAs }, zone.records, 1));
        if (zone.forResolvers)
          await writeFile(`${fileOf(zone)}${INSIDE}`, zoneFile(zone, zone.forResolvers, 1));
      }
      const site = { folder, port, zones: own, fileOf };
      const daemon = await STARTS[program](software[program], site, software.pdnsutil);
      daemons.push(daemon);
      const [address = ""] = addresses(program);
      for (const { name } of own.filter(({ orphaned }) => !orphaned))
        await waitFor(`${name} on ${program}`, daemon, async () => {
          const packet = await askUdp({ address, port }, { name, type: "SOA" }, 2_000);
          return packet?.flag_aa === true;
        });
    }
    return { lab, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
