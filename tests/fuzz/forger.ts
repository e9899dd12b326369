import { isAtOrBelow, labelsOf, lastLabels, parentOf } from "@deed/dns/names.ts";
import type { LabQuery } from "@deed/dns/testing/lab-server.ts";
import { answerFrom, empty, type LabAnswer, toAnswer } from "@deed/dns/testing/lab-zone.ts";
import { TOKEN } from "@deed/dns/testing/world.ts";
import type { Answer } from "dns-packet";
import { Chance, hashOf } from "./chance.ts";
import { TURN_MS } from "./manners.ts";
import { STRANGERS, type ZoneTree, zonesOf } from "./zone-tree.ts";

/** A forged server's reaction to a question. Tricks may add to the honest answer. */
type Trick = (forger: Forgery) => LabAnswer;

type Forgery = {
  tree: ZoneTree;
  query: LabQuery;
  chance: Chance;
  honest: LabAnswer;
  stranger: string;
  /** Names to delegate to: the attacker's, the real ones, or both. */
  hosts: string[];
};

const ttl = 300;
const ns = (name: string, data: string) => toAnswer({ name, type: "NS", data, ttl });
const a = (name: string, data: string) =>
  toAnswer({ name, type: data.includes(":") ? "AAAA" : "A", data, ttl });
const txt = (name: string, data: string | string[] = TOKEN) =>
  toAnswer({ name, type: "TXT", data, ttl });
const soa = (name: string) => toAnswer({ name, type: "SOA", data: "7", ttl });

const mixedCase = (name: string) =>
  name.replace(/[a-z]/g, (c, at: number) => (at % 2 ? c.toUpperCase() : c));

/** Zones that may be faked as zone cuts: the queried name and all its ancestors. */
const cutsAbove = (name: string): string[] =>
  labelsOf(name)
    .map((_, index) => lastLabels(name, index + 1))
    .slice(1);

const glue = ({ chance, hosts, stranger, tree }: Forgery): Answer[] =>
  hosts.flatMap((host) => {
    const real = tree.levels.flatMap(({ servers }) => servers).find((one) => one.host === host);
    const given = [a(host, stranger), ...(real?.addresses ?? []).map((one) => a(host, one))];
    return chance.holds(0.7) ? chance.pick([given, given.slice(0, 1), given.slice(-1)]) : [];
  });

const says = (...answers: Answer[]): LabAnswer => ({ ...empty(0, true), answers });
const refers = (forgery: Forgery, aa: boolean, cut: string, ...answers: Answer[]): LabAnswer => ({
  ...empty(0, aa),
  answers,
  authorities: forgery.hosts.map((host) => ns(cut, host)),
  additionals: glue(forgery),
});
const aliased = (type: "CNAME" | "DNAME", name: string, data: string) =>
  toAnswer({ name, type, data });

const TRICKS: Trick[] = [
  ({ honest }) => honest,
  ({ query }) => says(txt(query.name)),
  ({ query, stranger }) => says(query.type === "A" ? a(query.name, stranger) : txt(query.name)),
  // Referrals, and zone cuts in authoritative answers.
  (all) => refers(all, all.chance.holds(0.3), all.chance.pick(cutsAbove(all.query.name))),
  (all) => refers(all, all.chance.holds(0.3), all.tree.name),
  (all) => ({
    ...says(...all.hosts.map((host) => ns(all.query.name, host))),
    additionals: glue(all),
  }),
  // The real zone cut with other addresses; the real answer with an extra nameserver.
  ({ honest, stranger }) => ({
    ...honest,
    additionals: honest.authorities.flatMap((record) =>
      record.type === "NS" ? [a(String(record.data), stranger)] : [],
    ),
  }),
  (all) => {
    const cut = all.honest.authorities.find(({ type }) => type === "NS");
    const more = cut ? [ns(cut.name, "ns.evil.test")] : [];
    const authorities = [...all.honest.authorities, ...more];
    return { ...all.honest, authorities, additionals: [...all.honest.additionals, ...glue(all)] };
  },
  // Negative answers from zones that do not exist.
  ({ query, chance }) => ({
    ...empty(chance.pick([0, 3]), true),
    authorities: [soa(chance.pick(cutsAbove(query.name)))],
  }),
  // Records with the wrong name, in the wrong section, or with a different case.
  ({ query, tree }) => says(txt(`x.${query.name}`), txt(tree.domain)),
  ({ query: { name } }) => ({ ...says(), authorities: [txt(name)], additionals: [txt(name)] }),
  ({ query }) => says(txt(mixedCase(query.name), [TOKEN.slice(0, 9), TOKEN.slice(9)])),
  ({ query, honest }) => ({ ...honest, aa: true, answers: [...honest.answers, txt(query.name)] }),
  ({ query: { name } }) =>
    says(aliased("CNAME", name, "x.evil.test"), txt("x.evil.test"), txt(name)),
  ({ query: { name } }) => says(aliased("DNAME", parentOf(name), "evil.test"), txt(name)),
  // A referral and an answer at once.
  (all) => refers(all, true, all.tree.name, txt(all.query.name)),
  ({ chance }) => empty(chance.pick([2, 5, 1, 4]), chance.holds(0.5)),
];

export type Asked = {
  tree: ZoneTree;
  seed: number;
  address: string;
  query: LabQuery;
  /** Milliseconds from the first read. */
  time: number;
  at: (host: number) => string;
};

/** Each server has a few tricks and always answers a question with the same one, so that a zone cut stays on repeats. */
export function forge({ tree, seed, address, query, time, at }: Asked): {
  answer: LabAnswer;
  truncated: boolean;
} {
  const character = new Chance(seed ^ hashOf(address));
  const repertoire = Array.from({ length: 1 + character.below(4) }, () => character.pick(TRICKS));
  const isTwoFaced = character.holds(0.2);
  const isFickle = character.holds(0.2);
  const face = `${isTwoFaced ? query.transport : ""} ${isFickle && time > TURN_MS ? "later" : ""}`;
  const chance = new Chance(seed ^ hashOf(`${address} ${query.name} ${query.type} ${face}`));
  const machine = tree.servers.get(address);
  const zones = machine ? zonesOf(machine, query.transport, time) : [];
  const forgery: Forgery = {
    tree,
    query,
    chance,
    honest: answerFrom(zones, query.name, query.type) ?? empty(0, true),
    stranger: at(STRANGERS[character.below(STRANGERS.length)] ?? STRANGERS[0]),
    hosts: hostsOf(tree, character),
  };
  const isStranger = STRANGERS.some((host) => at(host) === address);
  // The attacker's own servers usually complete the attack: a reader that comes to them finds the token. Some differ from
  // honest servers only in the token, which does not give them away.
  const published = answerFrom(machine?.full ?? [], query.name, query.type);
  const isPlain = character.holds(0.4) && published !== null;
  const trick =
    isStranger && character.holds(0.8)
      ? strangers
      : isPlain
        ? () => published
        : chance.pick(repertoire);
  const isQuick = zones.some(({ name }) => isAtOrBelow(query.name, name)) || isStranger;
  return {
    answer: isQuick ? trick(forgery) : empty(5, false),
    truncated: query.transport === "udp" && character.holds(0.05),
  };
}

const strangers: Trick = ({ query, stranger }) => {
  if (query.type === "TXT") return says(txt(query.name));
  if (query.type === "A") return says(a(query.name, stranger));
  return { ...empty(0, true), authorities: [soa(parentOf(query.name))] };
};

function hostsOf(tree: ZoneTree, chance: Chance): string[] {
  const real = chance.pick(tree.levels).servers.map(({ host }) => host);
  const inZone = `ns.${tree.name}`;
  return chance.pick([
    ["ns.evil.test"],
    [inZone],
    [`ns.${tree.domain}`],
    real,
    [...real, "ns.evil.test"],
    [...chance.some(real), inZone],
  ]);
}
