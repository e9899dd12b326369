import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { type Daemon, runDaemon } from "../daemon.ts";
import { knotConf } from "../knot-conf.ts";
import type { Served } from "./copies.ts";
import { BIND, DIST, HOSTS, type Host, KNOT, NSD, PDNS, type ScenarioZone } from "./scenario.ts";

const run = promisify(execFile);

/** Where a program runs: its folder, the port all servers use, and its zone files. */
export type Site = { folder: string; port: number; served: Served[] };

const addresses = (hosts: Host[]) => hosts.map((host) => HOSTS[host]);
const configure = async (folder: string, name: string, lines: string[]) => {
  const file = join(folder, name);
  await writeFile(file, [...lines, ""].join("\n"));
  return file;
};

export async function startKnotd(program: string, { folder, port, served }: Site): Promise<Daemon> {
  const conf = join(folder, "knot.conf");
  const zones = served.flatMap(({ zone, file }) => [
    `  - domain: ${zone.name}`,
    `    file: ${file}`,
  ]);
  await writeFile(conf, knotConf({ folder, addresses: addresses(KNOT), port, zones }));
  return runDaemon(program, ["-c", conf]);
}

export async function startNsd(program: string, { folder, port, served }: Site): Promise<Daemon> {
  const conf = await configure(folder, "nsd.conf", [
    "server:",
    ...addresses(NSD).map((address) => `  ip-address: ${address}@${port}`),
    "  server-count: 1",
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    ...["pidfile", "zonelistfile", "xfrdfile"].map((name) => `  ${name}: "${folder}/${name}"`),
    `  xfrdir: "${folder}"`,
    `  zonesdir: "${folder}"`,
    "remote-control:",
    "  control-enable: no",
    ...served.flatMap(({ zone, file }) => [
      "zone:",
      `  name: "${zone.name}"`,
      `  zonefile: "${file}"`,
    ]),
  ]);
  return runDaemon(program, ["-d", "-c", conf]);
}

/** BIND with a view for the resolvers on 127.0.40.0/24, which serves a zone's alternative records if it has any. */
export async function startNamed(program: string, { folder, port, served }: Site): Promise<Daemon> {
  const zones = served.map(({ zone, copy, file }) => ({
    name: zone.name,
    // Nothing listens at the primary's address.
    outside: copy.orphaned
      ? `type secondary; primaries port ${port} { ${HOSTS["gone.farm.example"]}; }; file "${file}.none";`
      : `type primary; file "${file}";`,
    inside: copy.forResolvers ? `type primary; file "${file}.inside";` : 'in-view "outside";',
  }));
  const conf = await configure(folder, "named.conf", [
    "options {",
    `  directory "${folder}";`,
    `  listen-on port ${port} { ${addresses(BIND).join("; ")}; };`,
    "  listen-on-v6 { none; };",
    "  pid-file none; session-keyfile none; lock-file none;",
    "  recursion no; notify no; dnssec-validation no;",
    "};",
    "controls { };",
    'view "outside" {',
    "  match-clients { !127.0.40.0/24; any; };",
    ...zones.map(({ name, outside }) => `  zone "${name}" { ${outside} };`),
    "};",
    'view "inside" {',
    ...zones.map(({ name, inside }) => `  zone "${name}" { ${inside} };`),
    "};",
  ]);
  return runDaemon(program, ["-g", "-n", "1", "-c", conf]);
}

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

export async function startPdns(
  program: string,
  pdnsutil: string,
  { folder, port, served }: Site,
): Promise<Daemon> {
  const file = join(folder, "pdns.db");
  const database = new Database(file);
  database.exec(await readFile(SCHEMA, "utf8"));
  database.close();
  await configure(folder, "pdns.conf", [
    "launch=gsqlite3",
    `gsqlite3-database=${file}`,
    "gsqlite3-pragma-synchronous=0",
    `local-address=${addresses(PDNS).join(",")}`,
    `local-port=${port}`,
    `socket-dir=${folder}`,
    "receiver-threads=1",
    "distributor-threads=1",
    "disable-syslog=yes",
    // Disables the DNS query that checks this version for security advisories.
    "security-poll-suffix=",
  ]);
  const here = `--config-dir=${folder}`;
  for (const { zone, file } of served)
    await run(pdnsutil, [here, "load-zone", zone.name, file], { timeout: 20_000 });
  return runDaemon(program, [here, "--daemon=no", "--guardian=no"]);
}

const FRONTS = {
  "no-tcp": (name: string) =>
    `addAction(AndRule({makeRule("${name}."), TCPRule(true)}), DropAction())`,
  truncates: (name: string) =>
    `addAction(AndRule({makeRule("${name}."), TCPRule(false)}), TCAction())`,
  slow: (name: string) => `addAction(makeRule("${name}."), DelayAction(1500))`,
};

export async function startDnsdist(
  program: string,
  { folder, port }: Omit<Site, "served">,
  zones: ScenarioZone[],
): Promise<Daemon> {
  const [first = "", ...others] = addresses(DIST);
  const conf = await configure(folder, "dnsdist.conf", [
    `setLocal("${first}:${port}")`,
    ...others.map((address) => `addLocal("${address}:${port}")`),
    'setSecurityPollSuffix("")',
    `newServer({address="${HOSTS["nsd1.farm.example"]}:${port}"}):setUp()`,
    ...zones.flatMap(({ name, front }) => (front ? [FRONTS[front](name)] : [])),
  ]);
  return runDaemon(program, ["--supervised", "--disable-syslog", "-C", conf]);
}
