import type { LabQuery } from "@deed/dns/testing/lab-server.ts";
import {
  answerFrom,
  delegation,
  empty,
  type LabRecord,
  type LabZone,
  labZone,
  toAnswer,
} from "@deed/dns/testing/lab-zone.ts";
import { LABEL, TOKEN } from "@deed/dns/testing/world.ts";
import { Chance, hashOf } from "./chance.ts";
import type { ClaimRead } from "./claim-reads.ts";
import { NET, resolverAt, type Scene, SimulatedWorld, sent } from "./simulated-world.ts";
import { own, ROOT_HOST } from "./zone-tree.ts";

/** How a server treats us. `mute`: silent over UDP. Those that are silent to us answer everyone else. */
type Nature = "honest" | "lying" | "mute" | "silent";
type Server = { host: string; address: string; nature: Nature };
type Zone = { name: string; servers: Server[] };

/**
 * Zones that a claim's path rests on: `levels` from the registry's delegation down to the one with the challenge name,
 * and `far`, which hold names of nameservers without glue.
 */
type Path = { domain: string; levels: Zone[]; far: Zone[]; resolvers: number };

const NATURES: Nature[] = ["honest", "honest", "lying", "lying", "mute", "silent"];
const [REGISTRY_HOST, ATTACKER_HOST, FIRST_HOST] = [2, 20, 30];
const FAR = ["host.alt", "dns.alt"] as const;
const LAG_MS = 30;

const count = (servers: readonly Server[], nature: Nature) =>
  servers.filter((one) => one.nature === nature).length;

/** One liar at most, one server that is silent, and, once no server lies, at least half that answer over UDP. */
function isFair(servers: readonly Server[]): boolean {
  const lying = count(servers, "lying");
  return (
    lying <= (servers.length > 1 ? 1 : 0) &&
    count(servers, "silent") <= 1 &&
    2 * (lying + count(servers, "honest")) >= servers.length
  );
}

/** Within what a read can do in 20 s and 60 packets: of two zones of the claim, one has a server that is silent. */
function drawPath(chance: Chance, resolvers: number): Path {
  const isDeep = chance.holds(0.3);
  let last = FIRST_HOST;
  const zone = (name: string, suffixes: readonly string[], most = 4): Zone => {
    const total = 1 + chance.below(most);
    const named = Array.from({ length: total }, (_, index) => ({
      host: `ns${index + 1}-${name.split(".")[0]}.${chance.pick(suffixes)}`,
      address: NET.at(last++),
    }));
    for (;;) {
      const servers = named.map((one) => ({ ...one, nature: chance.pick(NATURES) }));
      if (isFair(servers)) return { name, servers };
    }
  };
  const [host, dns] = FAR;
  const names = isDeep ? ["acme.test", "shop.acme.test"] : ["acme.test"];
  const levels = names.map((name) => zone(name, [name, host, host, dns], isDeep ? 2 : 3));
  const named = levels.flatMap(({ servers }) => servers);
  if (count(named, "silent") > 1) return drawPath(chance, resolvers);
  const all = [zone(host, isDeep ? [host] : [host, host, dns]), zone(dns, [dns])];
  const isUsed = ({ name }: Zone, by: Zone[]) =>
    by.some(({ servers }) => servers.some((one) => one.host.endsWith(`.${name}`)));
  const first = all.filter((one) => isUsed(one, levels));
  const far = all.filter((one) => isUsed(one, [...levels, ...first]));
  return { domain: names.at(-1) ?? "", levels, far, resolvers };
}

const zonesOf = ({ levels, far }: Path): Zone[] => [...levels, ...far];
const serversOf = (path: Path): Server[] => zonesOf(path).flatMap(({ servers }) => servers);

/** The same zones with each liar made honest. */
const withoutLiars = (path: Path): Path => {
  const honest = ({ name, servers }: Zone): Zone => ({
    name,
    servers: servers.map((one) => (one.nature === "lying" ? { ...one, nature: "honest" } : one)),
  });
  return { ...path, levels: path.levels.map(honest), far: path.far.map(honest) };
};

const ownOf = ({ name, servers }: Zone, addressOf: (server: Server) => string) =>
  own(
    name,
    servers.map((one) => ({ host: one.host, addresses: [addressOf(one)] })),
  );

/** A zone as its servers have it; `forged`: every address is the attacker's, and the token is there. */
function dataOf(path: Path, zone: Zone, hasToken: boolean, forged: boolean): LabZone {
  const { name, servers } = zone;
  const addressOf = ({ address }: Server) => (forged ? NET.at(ATTACKER_HOST) : address);
  const glue = (at: Zone) => ownOf(at, addressOf);
  const inZone = serversOf(path).filter(
    (one) => one.host.endsWith(`.${name}`) && !servers.includes(one),
  );
  const child = path.levels[path.levels.indexOf(zone) + 1];
  const isBottom = zone === path.levels.at(-1);
  const records: LabRecord[] = [
    ...inZone
      .filter(({ host }) => !child || !host.endsWith(`.${child.name}`))
      .map((one): LabRecord => ({ name: one.host, type: "A", data: addressOf(one) })),
    ...(child && path.levels.includes(zone) ? delegation(child.name, glue(child)) : []),
    ...(isBottom && hasToken
      ? [{ name: `${LABEL}.${path.domain}`, type: "TXT" as const, data: TOKEN }]
      : []),
  ];
  return labZone(name, glue(zone), records);
}

/** `published`: by those who hold the domain, on all servers that do not lie. */
type Claim = { path: Path; seed: number; published: boolean };

const hasLiar = (path: Path) => serversOf(path).some(({ nature }) => nature === "lying");

/** Answers to us as each server's nature has it, and resolvers of which one in each read meets no liar. */
function sceneOf({ path, seed, published }: Claim): Scene {
  const real = new Map(zonesOf(path).map((one) => [one, dataOf(path, one, published, false)]));
  const forged = zonesOf(path).map((one) => dataOf(path, one, true, true));
  const listed = (zone: Zone) => ownOf(zone, ({ address }) => address);
  const alt = path.far.flatMap((one) => delegation(one.name, listed(one)));
  const [top] = path.levels;
  const ns = NET.at(REGISTRY_HOST);
  const registry = [
    labZone("test", { "ns.test": [ns] }, top ? delegation(top.name, listed(top)) : []),
    labZone("alt", { "ns.alt": [ns] }, alt),
  ];
  const root = labZone(".", { "a.root": [NET.at(ROOT_HOST)] }, [
    ...delegation("test", { "ns.test": [ns] }),
    ...delegation("alt", { "ns.alt": [ns] }),
  ]);
  const machines = new Map<string, { nature: Nature; zones: LabZone[] }>([
    [NET.at(ROOT_HOST), { nature: "honest", zones: [root] }],
    [ns, { nature: "honest", zones: registry }],
    [NET.at(ATTACKER_HOST), { nature: "lying", zones: forged }],
  ]);
  for (const zone of zonesOf(path)) {
    const fake = dataOf(path, zone, true, true);
    const given = real.get(zone);
    for (const { address, nature } of zone.servers)
      machines.set(address, { nature, zones: [nature === "lying" ? fake : (given ?? fake)] });
  }
  const resolved = (index: number, { name, type }: LabQuery, round: number) => {
    const read = new Chance(seed ^ hashOf(`resolvers ${round}`));
    const isMeeting = index === read.below(path.resolvers);
    const isDeceived = !isMeeting && hasLiar(path) && read.holds(0.9);
    if (type === "NS") {
      const zone = zonesOf(path).find((one) => one.name === name);
      const hosts = zone?.servers.map(({ host }) => host) ?? [];
      const answers = hosts.map((data) => toAnswer({ name, type, data }));
      return { ...empty(0, false), answers };
    }
    const isThere = type === "TXT" && (published || isDeceived);
    const answers = isThere ? [toAnswer({ name, type: "TXT", data: TOKEN })] : [];
    return { ...empty(0, false), answers };
  };
  return {
    domain: path.domain,
    resolvers: path.resolvers,
    hasIpv6: false,
    reply: (address, query, _time, round) => {
      const index = resolverAt(address);
      if (index >= 0) return sent(query, resolved(index, query, round), LAG_MS);
      const machine = machines.get(address);
      if (!machine || machine.nature === "silent") return [];
      if (machine.nature === "mute" && query.transport === "udp") return [];
      const answer = answerFrom(machine.zones, query.name, query.type);
      return sent(query, answer ?? empty(5, false), LAG_MS);
    },
  };
}

type Outcome = Claim & { reads: ClaimRead[] };

const isProved = ({ reads }: Outcome) => reads.at(-1)?.decision.outcome === "found";

/** Whether a server of the path is silent altogether, so that a proof waits for its second read. */
export const hasSilent = ({ path }: Outcome) =>
  serversOf(path).some(({ nature }) => nature === "silent");

/** Reads a claim of a path on simulated sockets and time, as often as the service would. */
async function readPaths(claims: Claim[]): Promise<Outcome[]> {
  const world = new SimulatedWorld();
  const outcomes: Outcome[] = [];
  try {
    for (const claim of claims) {
      const { seed } = claim;
      const reads = await world.read(seed, sceneOf(claim));
      outcomes.push({ ...claim, reads });
    }
    return outcomes;
  } finally {
    world.close();
  }
}

const drawPaths = (zones: number, seed: number, resolvers: number) =>
  Array.from({ length: zones }, (_, index) => {
    const own = (seed + Math.imul(index, 0x9e3779b1)) | 0;
    return { seed: own, path: drawPath(new Chance(own), resolvers), published: false };
  });

const most = (outcomes: readonly Outcome[], of: (read: ClaimRead) => number) =>
  Math.max(0, ...outcomes.flatMap(({ reads }) => reads.map(of)));

/** The attack on as many zones, and the same zones without liars. */
export async function attackOnSilence({ zones, seed }: { zones: number; seed: number }) {
  const drawn = [0, 3].flatMap((resolvers) => drawPaths(zones, seed, resolvers));
  const attacked = await readPaths(drawn);
  const honest = await readPaths(
    drawPaths(zones, seed, 3).map(({ path, seed }) => ({
      ...{ seed, path: withoutLiars(path), published: true },
    })),
  );
  const wrong = attacked.filter(isProved);
  const unproved = honest.filter((one) => !isProved(one));
  const waiting = honest.filter((one) => isProved(one) && one.reads.length > 1);
  return {
    attacked,
    honest,
    /** Proved though liars alone had the token. */
    wrong,
    unproved,
    /** Proved by a second read. */
    waiting,
    longestMs: most(honest, ({ seen }) => seen.durationMs),
    mostPackets: most(honest, ({ seen }) => seen.packets),
  };
}

export function toldOfSilence(report: Awaited<ReturnType<typeof attackOnSilence>>): string {
  const { attacked, honest, wrong, unproved, waiting, longestMs, mostPackets } = report;
  const liars = attacked.filter(({ path }) => hasLiar(path));
  const seeds = (all: readonly Outcome[]) =>
    all.slice(0, 9).map(({ seed, path }) => `${seed}/${path.resolvers}`);
  const by = (resolvers: number) =>
    `${wrong.filter(({ path }) => path.resolvers === resolvers).length} of ${liars.filter(({ path }) => path.resolvers === resolvers).length} with ${resolvers} resolvers`;
  return [
    `zones with a liar, proved on its word: ${by(0)}, ${by(3)} ${seeds(wrong)}`,
    `the same ${honest.length} zones without liars: ${honest.length - unproved.length} proved, ${waiting.length} of them by a second read; ${honest.filter(hasSilent).length} have a silent server ${seeds(unproved)}`,
    `at most ${longestMs} ms and ${mostPackets} packets`,
  ].join("\n");
}
