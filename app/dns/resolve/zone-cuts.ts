import { isAtOrBelow, isBelow, parentOf } from "../names.ts";
import { isUnasked } from "../verdict/publication-status.ts";
import type { Question } from "../wire/query.ts";
import { soaOf } from "./answers.ts";
import { confirmCut } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import { type Answering, agreed, type Cut, ownCut, type Shown, sameCut } from "./referral.ts";
import { askServers, authoritative, type Said } from "./servers.ts";

/** The zone whose servers are to be believed, and what each of them said. */
export type Level = {
  cut: Cut;
  /** The delegated names in their order; then servers of zones above that answer themselves, and not with what is wanted. */
  said: Said[];
  /** Every server that was to be asked on the way down, whose word or silence decided it. */
  asked: Said[];
  /** Servers that refer elsewhere, which the others do not: their cut does not count. */
  strays: Said[];
};

type Below = ({ type: "cut" } & Shown) | { type: "none"; strays: Said[] };

type Wanted = (message: Said["message"]) => boolean;

/**
 * Asks every server of a zone, and goes down where they show a cut: it counts only if every one of them that answers,
 * and at least half of the delegated names, refer to it, and one of them does so over TCP too. A server that holds
 * the delegated zone itself shows the cut as its own. `isWanted`: an answer that would prove what is looked for.
 */
export async function descend(
  read: Read,
  from: Cut,
  question: Question,
  isWanted: Wanted,
): Promise<Level> {
  let cut = from;
  let above: Said[] = [];
  const asked: Said[] = [];
  for (;;) {
    const said = await askServers(read, cut.zone, cut.nameservers, question);
    asked.push(...said);
    const below = await cutBelow(read, cut, said, question.name, isWanted);
    if (below.type === "none" || !read.settle(below)) {
      const { nameservers } = cut;
      const others = above.filter(({ host }) => !nameservers.includes(host));
      const strays = below.type === "none" ? below.strays : [];
      return { cut, said: [...said.map((one) => overTcp(read, one)), ...others], asked, strays };
    }
    above = [...above, ...said.filter(({ message }) => message && !isWanted(message))];
    cut = below.cut;
  }
}

/** A referral that its server does not repeat over TCP cannot be confirmed, whatever it is worth. */
function overTcp(read: Read, one: Said): Said {
  const isRefused = read.exchanges.some(
    ({ address, result }) => address === one.address && result === "tcp_refused",
  );
  return one.referral && isRefused ? { ...one, result: "tcp_refused" } : one;
}

const none = (strays: Said[] = []): Below => ({ type: "none", strays });

async function cutBelow(
  read: Read,
  cut: Cut,
  said: readonly Said[],
  name: string,
  isWanted: Wanted,
): Promise<Below> {
  const answering = said.filter(({ message }) => message);
  const referring = said.filter(({ referral }) => referral);
  if (referring.length === 0) return ownCutBelow(read, cut, answering, name, isWanted);
  // The highest cut first: a server that holds the zone below it refers further down.
  const zones = referring.map(({ referral }) => referral?.cut.zone ?? name);
  const highest = zones.reduce((one, other) => (isBelow(one, other) ? other : one));
  const showing = referring.filter(({ referral }) => referral?.cut.zone === highest);
  const shown = agreed(showing.flatMap(({ referral }) => referral ?? []));
  if (!shown) return none(referring);
  const holding = said.filter((one) => isHeard(one) && !showing.includes(one));
  const own = await ownCuts(read, cut, holding, highest);
  const all = holding.every(({ message }, index) => {
    const held = own[index];
    return held && (isWanted(message) || sameCut(held.cut, shown.cut));
  });
  if (!all) return none(referring);
  // Who was left out by a limit of ours might not show it.
  if (read.limit !== null && said.some(isUnasked)) return none();
  if (said.filter(isHeard).length * 2 < cut.nameservers.length) {
    return none(holding.length > 0 ? referring : []);
  }
  const confirmed = await confirmCut(read, shown, reached(showing));
  if (confirmed === "agrees") return { type: "cut", ...shown };
  return none(confirmed === "differs" ? referring : []);
}

/** It answered as an authority, or referred downward. */
export const isHeard = ({ message, referral }: Said) => message !== null || referral !== null;

/** A cut that nobody refers to, since every server that answers holds the delegated zone too. */
async function ownCutBelow(
  read: Read,
  cut: Cut,
  answering: readonly Said[],
  name: string,
  isWanted: Wanted,
): Promise<Below> {
  if (answering.length * 2 < cut.nameservers.length) return none();
  for (const zone of zonesToAskFor(cut, answering, name, isWanted)) {
    const own = await ownCuts(read, cut, answering, zone);
    const shown = agreed(own.flatMap((held) => held ?? []));
    if (!shown || own.includes(null)) continue;
    if ((await confirmCut(read, shown, reached(answering))) !== "agrees") continue;
    return { type: "cut", ...shown };
  }
  return none();
}

/**
 * Names at which a cut may hide: where all negative answers come out of one zone further down, that; where every
 * server has what is wanted, and so tells no zone, each name between.
 */
function zonesToAskFor(
  cut: Cut,
  answering: readonly Said[],
  name: string,
  isWanted: Wanted,
): string[] {
  const isOnTheWay = (zone: string) => isBelow(zone, cut.zone) && isAtOrBelow(name, zone);
  if (answering.every(({ message }) => isWanted(message))) {
    const between: string[] = [];
    for (let at = parentOf(name); isOnTheWay(at); at = parentOf(at)) between.unshift(at);
    return between;
  }
  const owners = answering.flatMap(({ message }) => (message && soaOf(message)?.zone) ?? []);
  return [...new Set(owners)].length === 1 ? owners.slice(0, 1).filter(isOnTheWay) : [];
}

/** The cut at `zone` as each server holds it, being the delegated zone's server too; null where one does not. */
function ownCuts(
  read: Read,
  cut: Cut,
  answering: readonly Said[],
  zone: string,
): Promise<(Shown | null)[]> {
  return Promise.all(
    reached(answering).map(async (server) => {
      const message = await authoritative(read, cut.zone, server, { name: zone, type: "NS" });
      return message && ownCut(message, cut.zone, zone);
    }),
  );
}

const reached = (servers: readonly Said[]): Answering[] =>
  servers.flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));
