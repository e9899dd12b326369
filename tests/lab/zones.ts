/** The lab's servers, each a separate knotd if it holds a zone, and their host names. */
export const KNOTS = {
  root: { address: "127.0.40.1", host: "a.root.example" },
  tld: { address: "127.0.40.2", host: "a.nic.example" },
  ns1: { address: "127.0.40.3", host: "ns1.dns.example" },
  ns2: { address: "127.0.40.4", host: "ns2.dns.example" },
} as const;
export type KnotName = keyof typeof KNOTS;

export const NS1 = KNOTS.ns1.host;
export const NS2 = KNOTS.ns2.host;
export const TLD = KNOTS.tld.host;

/** A zone of the lab. Records are zone file lines relative to the zone. */
export type LabZone = {
  name: string;
  /** Hosts in the parent's NS records. */
  delegatedTo: string[];
  /** Hosts in the zone's own NS records; the parent's by default. */
  ownNameservers?: string[];
  /** The servers that hold it, each with its records. A signed zone is held by ns1 and transferred to ns2. */
  on: Partial<Record<KnotName, string[]>>;
  /** Addresses of servers outside the lab that hold it; resolvers query them too. By resolver, if they query others. */
  at?: string[] | string[][];
  /** Addresses that resolvers ask in place of its servers, as if the registry had been corrected since they asked it. */
  before?: string[];
  /** Resolvers query `at` alone, which stands in front of the servers that hold it. */
  fronted?: true;
  /** Address records in the registry, as lines. */
  glue?: string[];
  /** Signed by Knot. */
  signed?: true;
  /** Signed by BIND's dnssec-signzone before it is served. Replacing its records leaves it unsigned. */
  presigned?: Presigned;
  /** DS records in the parent, as lines, instead of those of the zone's keys. */
  ds?: string[];
  /** SOA REFRESH and MINIMUM (also the TTL of the SOA record), in seconds. */
  refresh?: number;
  minimum?: number;
};

/** When signatures are valid, in seconds from now; lines to leave out, and lines with a signature to change. */
export type Presigned = { from: number; until: number; without?: RegExp; spoiled?: RegExp };

const GLUE = Object.values(KNOTS);

const within = (host: string, zone: string) => zone === "." || host.endsWith(`.${zone}`);
const dotted = (name: string) => (name === "." ? "." : `${name}.`);

/** The parent's side of a zone cut. */
const delegation = ({ name, delegatedTo, glue = [] }: LabZone) => [
  ...delegatedTo.map((host) => `${dotted(name)} NS ${dotted(host)}`),
  ...glue,
];

/** A DS record for a key that no zone here has. */
export const foreignDs = (name: string) =>
  `${name}. 300 DS 60485 13 2 ${"0123456789ABCDEF".repeat(4)}`;

/** The text of one server's zone file. */
export function zoneFile(zone: Omit<LabZone, "on">, records: string[], serial: number): string {
  const hosts = zone.ownNameservers ?? zone.delegatedTo;
  const minimum = zone.minimum ?? 300;
  return [
    `$ORIGIN ${dotted(zone.name)}`,
    "$TTL 300",
    `@ ${minimum} SOA ${dotted(hosts[0] ?? NS1)} hostmaster.example. ${serial} ${zone.refresh ?? 3600} 900 86400 ${minimum}`,
    ...hosts.map((host) => `@ NS ${dotted(host)}`),
    ...GLUE.filter(({ host }) => within(host, zone.name)).map(
      ({ host, address }) => `${dotted(host)} A ${address}`,
    ),
    ...records,
    "",
  ].join("\n");
}

/** The root, the registries and the nameservers' zone, as parents of the given zones. `ds` holds DS records by zone. */
export function infrastructure(zones: LabZone[], ds: ReadonlyMap<string, string>): LabZone[] {
  const dns: LabZone = { name: "dns.example", delegatedTo: [NS1, NS2], on: { ns1: [], ns2: [] } };
  const children = [dns, ...zones];
  const below = (tld: string) => children.filter(({ name }) => within(name, tld));
  const com = { name: "com", delegatedTo: [TLD], on: { tld: below("com").flatMap(delegation) } };
  const signedBelow = (names: LabZone[]) =>
    names.flatMap((zone) => zone.ds ?? ds.get(zone.name) ?? []);
  const example: LabZone = {
    name: "example",
    delegatedTo: [TLD],
    signed: true,
    on: { tld: [...below("example").flatMap(delegation), ...signedBelow(below("example"))] },
  };
  const root: LabZone = {
    name: ".",
    delegatedTo: [KNOTS.root.host],
    signed: true,
    on: { root: [...[com, example].flatMap(delegation), ...signedBelow([example])] },
  };
  return [root, com, example, dns];
}
