/** The lab's servers, each a separate knotd if it has a zone, and their host names. */
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
  /** Hosts in the zone's own NS records; default the parent's. */
  ownNameservers?: string[];
  /** The servers that have it, each with its records; of a zone that Knot signs, one. */
  on: Partial<Record<KnotName, string[]>>;
  /** Addresses of servers outside the lab that have it, which resolvers ask too; a list per resolver if these differ. */
  at?: string[] | string[][];
  /** Addresses that resolvers still ask, as if the registry had corrected the delegation since. */
  before?: string[];
  /** Address records in the registry, as lines. */
  glue?: string[];
  /** Signed by Knot. */
  signed?: true;
  /** Signed by BIND's dnssec-signzone before it is served. Replacing its records leaves it unsigned. */
  presigned?: Presigned;
  /** DS records in the parent, as lines, in place of those of the zone's keys. */
  ds?: string[];
  /** SOA REFRESH and MINIMUM (also the TTL of the SOA record), in seconds. */
  refresh?: number;
  minimum?: number;
};

/** When signatures are valid, in seconds from now; lines to leave out, and lines whose signature to change. */
export type Presigned = { from: number; until: number; without?: RegExp; spoiled?: RegExp };

const GLUE = Object.values(KNOTS);

const within = (host: string, zone: string) => zone === "." || host.endsWith(`.${zone}`);
const dotted = (name: string) => (name === "." ? "." : `${name}.`);

/** The parent's records at a zone cut. */
const delegation = ({ name, delegatedTo, glue = [] }: LabZone) => [
  ...delegatedTo.map((host) => `${dotted(name)} NS ${dotted(host)}`),
  ...glue,
];

/** A DS record for a key that no zone here has. */
export const foreignDs = (name: string) =>
  `${name}. 300 DS 60485 13 2 ${"0123456789ABCDEF".repeat(4)}`;

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

/** The root, the registries and the nameservers' zone: parents of the given zones. `ds`: DS records by zone. */
export function infrastructure(zones: LabZone[], ds: ReadonlyMap<string, string>): LabZone[] {
  const dns: LabZone = { name: "dns.example", delegatedTo: [NS1, NS2], on: { ns1: [], ns2: [] } };
  const below = (tld: string) => [dns, ...zones].filter(({ name }) => within(name, tld));
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
