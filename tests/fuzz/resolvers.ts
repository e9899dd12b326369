import { isIPv6 } from "node:net";
import { answerFrom, empty, type LabAnswer, toAnswer } from "@deed/dns/testing/lab-zone.ts";
import { TOKEN } from "@deed/dns/testing/world.ts";
import { Chance, hashOf } from "./chance.ts";
import { answersResolvers, transportsOf } from "./manners.ts";
import {
  addressesAt,
  addressesOwn,
  holdsToken,
  type Machine,
  type ZoneTree,
  zonesOf,
} from "./zone-tree.ts";

const ttl = 300;
export const FIRST_RESOLVER = 3;

type Asked = {
  tree: ZoneTree;
  seed: number;
  /** The number of the resolver, from 0, and of the claim's read. */
  index: number;
  round: number;
  name: string;
  type: string;
  time: number;
};

/**
 * A resolver asks one server of a zone, perhaps the attacker's. In each read, one random resolver meets an honest server
 * without the token, if any such server answers resolvers: if neither they nor the reader reach one, no rule can know.
 */
export function resolved({ tree, seed, index, round, name, type, time }: Asked): LabAnswer {
  const read = new Chance(seed ^ hashOf(`resolvers ${round}`));
  const meeting = read.below(tree.resolvers);
  // Forged addresses are the same for all, since most resolvers must believe them.
  const which = type === "A" || type === "AAAA" ? "" : index;
  const chance = new Chance(seed ^ hashOf(`${which} ${name} ${type} ${read.next()}`));
  const asked = (addresses: readonly string[], hold: Machine["hold"]) =>
    addresses.flatMap((address) => {
      const machine = tree.servers.get(address);
      return machine?.hold === hold && answersResolvers(machine.manner, time) ? [machine] : [];
    });
  const last = tree.levels.at(-1);
  const named = last ? [...addressesAt(last), ...addressesOwn(last)] : [];
  const honest = asked(named, "honest");
  const path = [...tree.levels.flatMap(addressesAt), ...tree.far];
  const isDenying = (machine: Machine) =>
    transportsOf(machine.manner).some((transport) => !holdsToken(machine, transport, time));
  const [first] = honest.filter(isDenying);
  if (index === meeting && first)
    return read.holds(0.2) ? empty(2, false) : honestly(tree, first, name, type, time);
  if (asked(path, "evil").length > 0 && chance.holds(0.9)) return forged(tree, name, type, chance);
  if (honest.length > 0) return honestly(tree, chance.pick(honest), name, type, time);
  return empty(2, false);
}

function honestly(
  { levels, name: challenge }: ZoneTree,
  machine: Machine,
  name: string,
  type: string,
  time: number,
): LabAnswer {
  const cut = type === "NS" && levels.find(({ zone }) => zone === name);
  if (cut) return withNames(name, hostsIn(cut.own));
  if (type === "A" || type === "AAAA") {
    const all = levels.flatMap(({ servers, own }) => [...servers, ...own]);
    return withAddresses(name, type, all.find(({ host }) => host === name)?.addresses ?? []);
  }
  // The transport on which it denies, if there is one.
  const open = transportsOf(machine.manner);
  const transport = open.find((one) => !holdsToken(machine, one, time)) ?? open[0] ?? "udp";
  const zones = zonesOf(machine, transport, time);
  const answer = name === challenge ? answerFrom(zones, name, type) : null;
  return { ...(answer ?? empty(0, false)), aa: false };
}

function forged(tree: ZoneTree, name: string, type: string, chance: Chance): LabAnswer {
  if (type === "TXT")
    return { ...empty(0, false), answers: [toAnswer({ name, type, data: TOKEN, ttl })] };
  if (type === "A" || type === "AAAA") {
    const evil = [...tree.servers].flatMap(([address, { hold }]) =>
      hold === "evil" ? [address] : [],
    );
    return withAddresses(name, type, chance.some(evil));
  }
  const real = hostsIn(tree.levels.find(({ zone }) => zone === name)?.own ?? []);
  const own = ["ns.evil.test", `ns.${tree.name}`, `ns.${tree.domain}`];
  const alias = toAnswer({ name, type: "CNAME", data: "x.evil.test", ttl });
  const listed = [real, own, [...real, ...own]].map((hosts) => withNames(name, hosts));
  return chance.pick([...listed, { ...empty(0, false), answers: [alias] }]);
}

const hostsIn = (named: ZoneTree["levels"][number]["own"]) => named.map(({ host }) => host);

const withAddresses = (name: string, type: "A" | "AAAA", all: readonly string[]): LabAnswer => ({
  ...empty(0, false),
  answers: all
    .filter((address) => isIPv6(address) === (type === "AAAA"))
    .map((data) => toAnswer({ name, type, data, ttl })),
});

const withNames = (name: string, hosts: readonly string[]): LabAnswer => ({
  ...empty(0, false),
  answers: [...new Set(hosts)].map((data) => toAnswer({ name, type: "NS", data, ttl })),
});
