import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Certificate } from "@deed/dns/testing/certificates.ts";
import { type Daemon, runDaemon } from "./daemon.ts";
import type { Software } from "./software.ts";
import { KNOTS, type KnotName, type LabZone } from "./zones.ts";

export const UNBOUNDS = [
  { name: "north", address: "127.0.40.11" },
  { name: "east", address: "127.0.40.12" },
  { name: "west", address: "127.0.40.13" },
] as const;

/** A stub zone, still validated: a delegation would send unbound to port 53, which needs a privilege. */
const stub = (zone: LabZone, port: number, resolver: number) => [
  "stub-zone:",
  `  name: "${zone.name}"`,
  "  stub-prime: no",
  ...[
    ...(zone.before ? [] : (Object.keys(zone.on) as KnotName[])).map((name) => KNOTS[name].address),
    ...(zone.before ?? zone.at ?? []).flatMap((one, index) =>
      typeof one === "string" ? one : index === resolver ? one : [],
    ),
  ].map((address) => `  stub-addr: ${address}@${port}`),
];

export type Ports = { plain: number; tls: number; https: number };

/** Starts a validating resolver with the root's key, given as a DS record, as its trust anchor. */
export async function startUnbound(
  { unbound }: Software,
  address: string,
  base: string,
  ports: Ports,
  { key, cert }: Certificate,
  zones: LabZone[],
  anchor: string,
): Promise<Daemon> {
  const resolver = UNBOUNDS.findIndex((one) => one.address === address);
  const folder = join(base, `unbound-${address}`);
  await mkdir(folder);
  const conf = join(folder, "unbound.conf");
  const lines = [
    "server:",
    `  directory: "${folder}"`,
    '  username: ""',
    '  chroot: ""',
    '  pidfile: ""',
    '  logfile: ""',
    "  use-syslog: no",
    "  do-daemonize: no",
    ...Object.values(ports).map((port) => `  interface: ${address}@${port}`),
    `  tls-port: ${ports.tls}`,
    `  https-port: ${ports.https}`,
    `  tls-service-key: "${join(folder, "key.pem")}"`,
    `  tls-service-pem: "${join(folder, "cert.pem")}"`,
    `  outgoing-interface: ${address}`,
    "  access-control: 127.0.0.0/8 allow",
    "  do-ip6: no",
    "  do-not-query-localhost: no",
    "  num-threads: 1",
    '  module-config: "validator iterator"',
    `  trust-anchor: "${anchor}"`,
    "  ede: yes",
    ...zones.flatMap((zone) => stub(zone, ports.plain, resolver)),
    "remote-control:",
    "  control-enable: no",
    "",
  ];
  await writeFile(join(folder, "key.pem"), key, { mode: 0o600 });
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(conf, lines.join("\n"));
  return runDaemon(unbound, ["-d", "-c", conf]);
}
