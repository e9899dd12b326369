import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECURSION_DESIRED } from "dns-packet";
import { ask } from "./client.ts";
import { canonical } from "./names.ts";
import { openPort, type Port } from "./port.ts";
import type { ZoneRecord } from "./records.ts";
import { Recursion } from "./recursion.ts";
import { bootstrapOf, type Registry, startRegistry } from "./registry.ts";
import { PROVIDERS, ROOT, SAMPLE_ZONES, TLDS, WITNESSES } from "./samples.ts";
import type { DnsServer, ServerFault } from "./server.ts";
import { Witness } from "./witness.ts";
import { World, type ZoneSpec } from "./world.ts";

export type PlaygroundOptions = {
  /** Zones to add to the infrastructure; the sample zones by default. */
  zones?: ZoneSpec[];
  /** Number of witnesses, at most three; three by default. */
  witnesses?: number;
  /** Milliseconds, for the witnesses' caches. */
  clock?: () => number;
};

/** Authoritative servers and recursive witnesses on loopback addresses, all on one unprivileged port. */
export type Playground = {
  /** The environment that makes the service read only this DNS. */
  env: Record<
    | "DNS_ROOT_HINTS"
    | "DNS_TRUST_ANCHORS"
    | "DNS_PORT"
    | "DNS_ALLOW_ADDRESSES"
    | "DNS_RESOLVERS"
    | "RDAP_BOOTSTRAP"
    | "RDAP_ALLOW_ADDRESSES",
    string
  >;
  port: number;
  /** The RDAP server of all suffixes. */
  registry: Pick<Registry, "askedNames" | "register">;
  /** Read access to zones, their copies and delegations, and addresses. */
  world: Pick<World, "zone" | "zoneNames" | "hasZone" | "copy" | "addressOf">;
  /**
   * Starts another nameserver and resolves to its address. If its name is in a playground zone, publishes its address
   * there.
   */
  addNameserver(host: string): Promise<string>;
  addZone(zone: ZoneSpec): void;
  removeZone(zone: string): void;
  /** Each change raises the serial on all the zone's servers, or only on `host` if given. */
  setRecords(zone: string, records: ZoneRecord[], host?: string): void;
  addRecord(zone: string, record: ZoneRecord, host?: string): void;
  deleteRecord(zone: string, matches: (record: ZoneRecord) => boolean, host?: string): void;
  /** Replaces each matching record with one record. */
  replaceRecord(zone: string, matches: (record: ZoneRecord) => boolean, by: ZoneRecord): void;
  /** `server` is a nameserver's host or a witness's name; `below` limits the fault to the names at and below it. */
  setServerFault(server: string, fault: ServerFault | null, below?: string): void;
  /** Clears, on every server, the faults set for names at and below `below`. */
  clearFaults(below: string): void;
  /** Number of messages received by one server, or by all of them. */
  received(server?: string): number;
  /** Queries every witness for TXT at a name, as anyone on the network could, so that they cache the answer. */
  primeWitnesses(name: string): Promise<void>;
  /** Makes every witness clear its cache, or only names that end in `suffix` if given. */
  flushWitnesses(suffix?: string): void;
  stop(): Promise<void>;
};

type Files = { hints: string; bootstrap: string; remove(): Promise<void> };

/** Writes root hints, and a bootstrap file that leads to the RDAP server. */
async function writeFiles(registryUrl: string): Promise<Files> {
  const directory = await mkdtemp(join(tmpdir(), "deed-playground-"));
  const files = {
    hints: join(directory, "named.root"),
    bootstrap: join(directory, "rdap-dns.json"),
  };
  const line = (...fields: string[]) =>
    fields
      .map((field) => field.padEnd(24))
      .join("")
      .trimEnd();
  const hints = [
    line(".", "3600000", "NS", `${ROOT.host}.`),
    line(`${ROOT.host}.`, "3600000", "A", ROOT.address),
  ];
  await writeFile(files.hints, `${hints.join("\n")}\n`);
  await writeFile(files.bootstrap, bootstrapOf(registryUrl));
  return { ...files, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** RFC 1035 section 4.1.1. */
const SERVFAIL = 2;

const SPARE_ADDRESSES = Array.from({ length: 100 }, (_, index) => `127.0.0.${index + 101}`);

function buildWorld(port: Port, zones: ZoneSpec[]): World {
  const world = new World();
  for (const { host, address } of [ROOT, ...TLDS, ...PROVIDERS.flatMap(({ servers }) => servers)])
    port.serve(address, world.addNameserver(host, address).handle);
  const signing = "signed";
  world.addZone({ name: "", nameservers: [ROOT.host], signing });
  for (const { zone, host } of TLDS) world.addZone({ name: zone, nameservers: [host], signing });
  for (const { zones: zoneNames, servers } of PROVIDERS)
    for (const name of zoneNames)
      world.addZone({ name, nameservers: servers.map(({ host }) => host) });
  for (const zone of zones) world.addZone(zone);
  return world;
}

/** Starts the playground on a free port. Rejects with advice if the loopback addresses are missing. */
export async function startPlayground(options: PlaygroundOptions = {}): Promise<Playground> {
  const port = await openPort(
    [ROOT, ...TLDS, ...PROVIDERS.flatMap(({ servers }) => servers), ...WITNESSES].map(
      ({ address }) => address,
    ),
  );
  const world = buildWorld(port, options.zones ?? SAMPLE_ZONES);
  const recursion = new Recursion([ROOT.address], port.number);
  const signing = (zone: string) => (world.hasZone(zone) ? world.zone(zone).signing : "unsigned");
  const witnesses = new Map(
    WITNESSES.slice(0, options.witnesses ?? WITNESSES.length).map(({ name, address }) => {
      const witness = new Witness(recursion, signing, options.clock ?? Date.now);
      port.serve(address, witness.handle);
      return [name, { witness, address }];
    }),
  );
  const registry = await startRegistry(world);
  const files = await writeFiles(registry.url);
  const spareAddresses = SPARE_ADDRESSES.values();
  const server = (name: string): DnsServer => {
    const match = world.server(name) ?? witnesses.get(name)?.witness;
    if (!match) throw new Error(`the playground has no server ${name}`);
    return match;
  };
  const all = () => [...world.servers(), ...[...witnesses.values()].map(({ witness }) => witness)];

  return {
    port: port.number,
    registry,
    world,
    env: {
      DNS_ROOT_HINTS: files.hints,
      DNS_TRUST_ANCHORS: world.trustAnchor,
      DNS_PORT: String(port.number),
      DNS_ALLOW_ADDRESSES: "127.0.0.0/8",
      DNS_RESOLVERS: [...witnesses]
        .map(([name, { address }]) => `${name}=${address}:${port.number}`)
        .join(","),
      RDAP_BOOTSTRAP: files.bootstrap,
      RDAP_ALLOW_ADDRESSES: "127.0.0.1/32",
    },
    addNameserver: async (host) => {
      const { value: address } = spareAddresses.next();
      if (!address) throw new Error("the playground has no address left for another nameserver");
      await port.open(address);
      port.serve(address, world.addNameserver(host, address).handle);
      return address;
    },
    addZone: (zone) => world.addZone(zone),
    removeZone: (zone) => world.removeZone(zone),
    setRecords: (zone, records, host) => world.edit(zone, () => records, host),
    addRecord: (zone, record, host) => world.edit(zone, (records) => [...records, record], host),
    deleteRecord: (zone, matches, host) =>
      world.edit(zone, (records) => records.filter((record) => !matches(record)), host),
    replaceRecord: (zone, matches, by) =>
      world.edit(zone, (records) => records.map((record) => (matches(record) ? by : record))),
    setServerFault: (name, fault, below) => server(name).setFault(fault, canonical(below ?? "")),
    clearFaults: (below) => {
      for (const dnsServer of all()) dnsServer.clearFaults(canonical(below));
    },
    received: (name) =>
      (name === undefined ? all() : [server(name)]).reduce(
        (sum, dnsServer) => sum + dnsServer.received,
        0,
      ),
    primeWitnesses: async (name) => {
      const prime = async (address: string) => {
        const question = { name, type: "TXT", flags: RECURSION_DESIRED };
        // A busy machine loses queries, and a witness does not cache a failure.
        for (let tries = 0; tries < 50; tries++) {
          const answer = await ask({ address, port: port.number }, question);
          if (answer && ((answer.flags ?? 0) & 15) !== SERVFAIL) return;
        }
        throw new Error(`the resolver ${address} cannot resolve ${name}`);
      };
      await Promise.all([...witnesses.values()].map(({ address }) => prime(address)));
    },
    flushWitnesses: (suffix = "") => {
      for (const { witness } of witnesses.values()) witness.flush(canonical(suffix));
    },
    stop: async () => {
      await Promise.all([port.close(), registry.stop(), files.remove()]);
    },
  };
}
