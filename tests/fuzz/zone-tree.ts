import { delegation, type LabRecord, type LabZone, labZone } from "#app/dns/testing/lab-zone.ts";
import { LABEL, TOKEN } from "#app/dns/testing/world.ts";
import type { Chance } from "./chance.ts";

export type Hold = "honest" | "evil" | "dead";

/** A nameserver's name and its real address. */
type Named = { host: string; address: string };

/** The real zones, who controls which server, and which servers have the token. Root and registry are honest. */
export type ZoneTree = {
  domain: string;
  name: string;
  /** Zones from the registry's delegation down to the one that contains the challenge name. */
  levels: { zone: string; servers: Named[] }[];
  /** By address: who controls the server, and its zones. */
  servers: Map<string, { hold: Hold; zones: LabZone[] }>;
  /**
   * Whether a read may find the token: every honest server of the last zone has it, or the attacker alone controls a
   * zone on the way.
   */
  mayBeFound: boolean;
};

export const ROOT_HOST = 1;
export const REGISTRY_HOST = 2;
/** The attacker's own servers. */
export const STRANGERS = [20, 21] as const;

/** A DNS host under another registry, whose names come without glue. */
const FAR = "host.alt";

/** Only addresses of names within the zone (in bailiwick). */
const own = (zone: string, servers: readonly Named[]): Record<string, string[]> =>
  Object.fromEntries(
    servers.map(({ host, address }) => [host, host.endsWith(`.${zone}`) ? [address] : []]),
  );

export function growTree(chance: Chance, at: (host: number) => string): ZoneTree {
  const domain = chance.pick(["acme.test", "shop.acme.test", "a.shop.acme.test"]);
  const name = `${LABEL}.${domain}`;
  const cuts = ["shop.acme.test", "a.shop.acme.test", name].filter(
    (cut) => name.endsWith(cut) && chance.holds(0.4),
  );
  const zones = ["acme.test", ...new Set(cuts)];
  const holds = new Map<string, Hold>();
  const hold = (address: string) => {
    const known = holds.get(address);
    if (known) return known;
    const chosen = chance.pick<Hold>(["honest", "honest", "honest", "evil", "evil", "dead"]);
    holds.set(address, chosen);
    return chosen;
  };

  const far: Named[] = Array.from({ length: 1 + chance.below(3) }, (_, index) => ({
    host: `dns${index + 1}.${FAR}`,
    address: at(11 + index),
  }));
  const levels: ZoneTree["levels"] = [];
  for (const [depth, zone] of zones.entries()) {
    const above = levels[depth - 1]?.servers ?? [];
    const servers = Array.from({ length: 1 + chance.below(4) }, (_, index): Named => {
      const shared = above[index];
      if (shared && chance.holds(0.3)) return shared;
      const address = at(30 + 4 * depth + index);
      const parent = zones[depth - 1] ?? zone;
      const suffix = chance.pick([zone, zone, parent, FAR]);
      return { host: `ns${depth}${index}.${suffix}`, address };
    });
    levels.push({ zone, servers });
  }

  const all = levels.flatMap(({ servers }) => servers);
  const last = levels.at(-1)?.servers ?? [];
  // The guarantee is that one honest server lacking the token suffices.
  const withToken = new Set(chance.holds(0.3) ? last : chance.some(last));
  const addressesIn = (zone: string): LabRecord[] =>
    [...new Map(all.map((one) => [one.host, one])).values()]
      .filter(({ host }) => host.endsWith(`.${zone}`) && zoneOf(zones, host) === zone)
      .map(({ host, address }) => ({ name: host, type: "A", data: address }));

  const servers: ZoneTree["servers"] = new Map();
  const put = (address: string, zone: LabZone) => {
    const known = servers.get(address) ?? { hold: hold(address), zones: [] };
    known.zones.push(zone);
    servers.set(address, known);
  };
  for (const [depth, { zone, servers: named }] of levels.entries()) {
    const child = levels[depth + 1];
    for (const one of named) {
      const token = !child && withToken.has(one);
      const records: LabRecord[] = [
        ...addressesIn(zone),
        ...(child ? delegation(child.zone, own(zone, child.servers)) : []),
        ...(token ? [{ name, type: "TXT" as const, data: TOKEN }] : []),
      ];
      put(one.address, once(labZone(zone, own(zone, named), records)));
    }
  }
  const farZone = once(labZone(FAR, own(FAR, far), addressesIn(FAR)));
  for (const { address } of far) put(address, farZone);
  const registry = labZone("test", { "ns.test": [at(REGISTRY_HOST)] }, [
    ...delegation("acme.test", own("acme.test", levels[0]?.servers ?? [])),
    ...delegation("evil.test", { "ns.evil.test": [at(STRANGERS[0])] }),
  ]);
  const other = labZone("alt", { "ns.alt": [at(REGISTRY_HOST)] }, delegation(FAR, own(FAR, far)));
  const root = labZone(".", { "a.root": [at(ROOT_HOST)] }, [
    ...delegation("test", { "ns.test": [at(REGISTRY_HOST)] }),
    ...delegation("alt", { "ns.alt": [at(REGISTRY_HOST)] }),
  ]);
  servers.set(at(ROOT_HOST), { hold: "honest", zones: [root] });
  servers.set(at(REGISTRY_HOST), { hold: "honest", zones: [registry, other] });
  for (const host of STRANGERS) servers.set(at(host), { hold: "evil", zones: [] });

  const isHonest = ({ address }: Named) => holds.get(address) === "honest";
  const usesFar = all.some(({ host }) => host.endsWith(`.${FAR}`));
  const isTaken =
    levels.some((level) => !level.servers.some(isHonest)) || (usesFar && !far.some(isHonest));
  // If the servers of a parent zone also hold the last zone with the token, they show no zone cut, because they are
  // authoritative for it too.
  const hasToken = (one: Named) => last.includes(one) && withToken.has(one);
  const isEverywhere = levels.some((level) => level.servers.filter(isHonest).every(hasToken));
  const mayBeFound = isTaken || isEverywhere;
  return { domain, name, levels, servers, mayBeFound };
}

/** The deepest of the zones that contains a name. */
const zoneOf = (zones: readonly string[], name: string) =>
  zones.findLast((zone) => name.endsWith(`.${zone}`)) ?? (name.endsWith(FAR) ? FAR : "");

/** Removes duplicate records. */
const once = (zone: LabZone): LabZone => ({
  ...zone,
  records: [...new Map(zone.records.map((one) => [JSON.stringify(one), one])).values()],
});
