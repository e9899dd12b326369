import { delegation, type LabRecord, type LabZone, labZone } from "@deed/dns/testing/lab-zone.ts";
import { LABEL, TOKEN } from "@deed/dns/testing/world.ts";
import type { Chance } from "./chance.ts";
import { drawManner, type Manner, PLAIN, TURN_MS } from "./manners.ts";

export type Hold = "honest" | "evil" | "dead";

export type Holding = "never" | "always" | "over_udp" | "over_tcp" | "at_first" | "later";

/** A nameserver's name and its real addresses. Two addresses are two machines, which may differ in everything else. */
type Named = { host: string; addresses: string[] };

/** `servers` are delegated by the zone above; `own` are in the zone's own NS RRset, which may name others. */
type Level = { zone: string; servers: Named[]; own: Named[] };

export type Machine = {
  hold: Hold;
  manner: Manner;
  holding: Holding;
  full: LabZone[];
  bare: LabZone[];
};

/** The real zones, and who controls which machine. Root and registry are honest and behave normally. */
export type ZoneTree = {
  domain: string;
  name: string;
  /** Zones from the registry's delegation down to the zone of the challenge name. */
  levels: Level[];
  /** Addresses of the servers for names without glue; empty if there are no such names. */
  far: string[];
  servers: Map<string, Machine>;
  hasIpv6: boolean;
  resolvers: number;
};

export const ROOT_HOST = 1;
const REGISTRY_HOST = 2;
export const STRANGERS = [20, 21] as const;
/** Hosts of the zones' servers; a second address is a hundred higher. */
const FIRST_HOST = 30;
const PER_ZONE = 24;
const OTHER_HOST = 126;
/** A host's address in the other family. */
const sixOf = (host: number) => `fd00::${host.toString(16)}`;
export const SIX = "fd00::/64";

/** A DNS host under another registry; its names come without glue. */
const FAR = "host.alt";

/** Only addresses of names within the zone (in bailiwick). */
const own = (zone: string, servers: readonly Named[]): Record<string, string[]> =>
  Object.fromEntries(
    servers.map(({ host, addresses }) => [host, host.endsWith(`.${zone}`) ? addresses : []]),
  );

export function growTree(chance: Chance, at: (host: number) => string): ZoneTree {
  const domain = chance.pick(["acme.test", "shop.acme.test", "a.shop.acme.test"]);
  const name = `${LABEL}.${domain}`;
  const cuts = ["shop.acme.test", "a.shop.acme.test", name].filter(
    (cut) => name.endsWith(cut) && chance.holds(0.4),
  );
  const zones = ["acme.test", ...new Set(cuts)];
  const addressesOf = (host: number): string[] => {
    if (!chance.holds(0.3)) return [at(host)];
    return chance.pick([[sixOf(host)], [at(host), sixOf(host)], [at(host), at(host + 100)]]);
  };

  const far: Named[] = Array.from({ length: 1 + chance.below(3) }, (_, index) => ({
    host: `dns${index + 1}.${FAR}`,
    addresses: [at(11 + index)],
  }));
  const levels: ZoneTree["levels"] = [];
  for (const [depth, zone] of zones.entries()) {
    const above = levels[depth - 1]?.servers ?? [];
    const count = chance.holds(0.04) ? 14 + chance.below(8) : chance.pick([1, 2, 2, 3, 3, 4]);
    const servers = Array.from({ length: count }, (_, index): Named => {
      const shared = above[index];
      if (shared && chance.holds(0.3)) return shared;
      const addresses = addressesOf(FIRST_HOST + PER_ZONE * depth + index);
      const suffix = chance.pick([zone, zone, zones[depth - 1] ?? zone, FAR]);
      return { host: `ns${depth}${index}.${suffix}`, addresses };
    });
    levels.push({ zone, servers, own: servers });
  }

  const bottom = levels.at(-1);
  if (bottom && chance.holds(0.2)) {
    // Other names for the same machines, and perhaps one for another machine.
    const renamed = bottom.servers.map(({ host, addresses }) => ({ host: `x${host}`, addresses }));
    const other = { host: `other.${bottom.zone}`, addresses: [at(OTHER_HOST)] };
    bottom.own = chance.pick([renamed, [...bottom.servers, other], [...renamed.slice(1), other]]);
  }
  const all = levels.flatMap((level) => [...level.servers, ...level.own]);
  const last = bottom ? [...addressesAt(bottom), ...addressesOwn(bottom)] : [];
  // The guarantee: one honest server without the token prevents a proof.
  const isPublished = chance.holds(0.3);
  const holdings = new Map(
    last.map((address) => [address, isPublished ? "always" : drawHolding(chance)]),
  );
  const addressesIn = (zone: string): LabRecord[] =>
    [...new Map(all.map((one) => [one.host, one])).values()]
      .filter(({ host }) => host.endsWith(`.${zone}`) && zoneOf(zones, host) === zone)
      .flatMap(({ host, addresses }) =>
        addresses.map((data) => ({ name: host, type: data.includes(":") ? "AAAA" : "A", data })),
      );

  const servers: ZoneTree["servers"] = new Map();
  const put = (address: string, bare: LabZone, full = bare) => {
    const known = servers.get(address) ?? {
      hold: chance.pick<Hold>(["honest", "honest", "honest", "evil", "evil", "evil", "dead"]),
      manner: drawManner(chance),
      holding: holdings.get(address) ?? "never",
      full: [],
      bare: [],
    };
    known.bare.push(once(bare));
    known.full.push(once(full));
    servers.set(address, known);
  };
  const token: LabRecord = { name, type: "TXT", data: TOKEN };
  for (const [depth, level] of levels.entries()) {
    const { zone } = level;
    const child = levels[depth + 1];
    const records = [
      ...addressesIn(zone),
      ...(child ? delegation(child.zone, own(zone, child.servers)) : []),
    ];
    const zoneWith = (more: LabRecord[]) =>
      labZone(zone, own(zone, level.own), [...records, ...more]);
    for (const address of new Set([...addressesAt(level), ...addressesOwn(level)]))
      put(address, zoneWith([]), zoneWith(child ? [] : [token]));
  }
  const farZone = labZone(FAR, own(FAR, far), addressesIn(FAR));
  const farAddresses = far.flatMap(({ addresses }) => addresses);
  for (const address of farAddresses) put(address, farZone);
  const registry = labZone("test", { "ns.test": [at(REGISTRY_HOST)] }, [
    ...delegation("acme.test", own("acme.test", levels[0]?.servers ?? [])),
    ...delegation("evil.test", { "ns.evil.test": [at(STRANGERS[0])] }),
  ]);
  const other = labZone("alt", { "ns.alt": [at(REGISTRY_HOST)] }, delegation(FAR, own(FAR, far)));
  const root = labZone(".", { "a.root": [at(ROOT_HOST)] }, [
    ...delegation("test", { "ns.test": [at(REGISTRY_HOST)] }),
    ...delegation("alt", { "ns.alt": [at(REGISTRY_HOST)] }),
  ]);
  const plain = (hold: Hold, zones: LabZone[]): Machine => ({
    ...{ hold, manner: PLAIN, holding: "never", full: zones, bare: zones },
  });
  servers.set(at(ROOT_HOST), plain("honest", [root]));
  servers.set(at(REGISTRY_HOST), plain("honest", [registry, other]));
  for (const host of STRANGERS) servers.set(at(host), plain("evil", []));
  return {
    domain,
    name,
    levels,
    far: all.some(({ host }) => host.endsWith(`.${FAR}`)) ? farAddresses : [],
    servers,
    hasIpv6: chance.holds(0.3),
    resolvers: chance.pick([0, 1, 3, 3, 3]),
  };
}

const drawHolding = (chance: Chance): Holding => {
  if (chance.holds(0.5)) return "never";
  if (chance.holds(0.7)) return "always";
  return chance.pick(["over_udp", "over_tcp", "at_first", "later"]);
};

export function holdsToken({ holding }: Machine, transport: string, at: number): boolean {
  if (holding === "at_first") return at < TURN_MS;
  if (holding === "later") return at >= TURN_MS;
  return holding === "always" || holding === `over_${transport}`;
}

export const zonesOf = (machine: Machine, transport: string, at: number): LabZone[] =>
  holdsToken(machine, transport, at) ? machine.full : machine.bare;

const unique = (named: readonly Named[]) => [
  ...new Set(named.flatMap(({ addresses }) => addresses)),
];
export const addressesAt = ({ servers }: Level): string[] => unique(servers);
export const addressesOwn = ({ own }: Level): string[] => unique(own);

const zoneOf = (zones: readonly string[], name: string) =>
  zones.findLast((zone) => name.endsWith(`.${zone}`)) ?? (name.endsWith(FAR) ? FAR : "");

const once = (zone: LabZone): LabZone => ({
  ...zone,
  records: [...new Map(zone.records.map((one) => [JSON.stringify(one), one])).values()],
});
