import { isAtOrBelow, isBelow, isRegistry, parentOf } from "../names.ts";
import type { Delegation } from "../verdict/observation.ts";
import { isUnasked } from "../verdict/publication-status.ts";
import type { Question } from "../wire/message.ts";
import { agreedCut, asking, isSameCut, shownCut, soaOf } from "./authority.ts";
import { confirmCut } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import type { Answering, Cut, ShownCut, ZoneReading } from "./reader.ts";
import { askServers, askZone, type ServerReply, walk } from "./walk.ts";

type CutBelow = ({ type: "cut" } & ShownCut) | { type: "none"; strays: ServerReply[] };

type Wanted = (message: ServerReply["message"]) => boolean;

/** Descends if all that answer refer, half of the names answer, and one repeats it over TCP. */
export async function descend(read: Read, from: Cut, question: Question, isWanted: Wanted) {
  let cut = from;
  let above: ServerReply[] = [];
  const asked: ServerReply[] = [];
  for (;;) {
    read.allowFor(cut.nameservers.length);
    const replies = await askServers(read, cut.zone, cut.nameservers, question);
    asked.push(...replies);
    const below = await cutBelow(read, cut, replies, question.name, isWanted);
    if (below.type === "none" || !read.settle(below)) {
      const { nameservers } = cut;
      const others = above.filter(({ host }) => !nameservers.includes(host));
      const strays = below.type === "none" ? below.strays : [];
      const silent = asked.filter((one) => !hasAnswered(one) && !nameservers.includes(one.host));
      return {
        cut,
        silentAbove: silent.map(({ host }) => host),
        /** The delegated names in order; then servers of zones above that answer themselves, without the wanted record. */
        replies: [...replies.map((one) => withTcpResult(read, one)), ...others],
        asked,
        strays,
      };
    }
    above = [...above, ...replies.filter(({ message }) => message && !isWanted(message))];
    cut = below.cut;
  }
}

/** A referral cannot be confirmed if its server does not answer over TCP. */
function withTcpResult(read: Read, one: ServerReply): ServerReply {
  const isRefused = read.exchanges.some(
    ({ address, result }) => address === one.address && result === "tcp_refused",
  );
  return one.referral && isRefused ? { ...one, result: "tcp_refused" } : one;
}

const none = (strays: ServerReply[] = []): CutBelow => ({ type: "none", strays });

async function cutBelow(
  read: Read,
  cut: Cut,
  replies: readonly ServerReply[],
  name: string,
  isWanted: Wanted,
): Promise<CutBelow> {
  const answering = replies.filter(({ message }) => message);
  const referring = replies.filter(({ referral }) => referral);
  if (referring.length === 0) return ownCutBelow(read, cut, answering, name, isWanted);
  // Take the highest cut: a server that also serves the zone below it refers further down.
  const zones = referring.map(({ referral }) => referral?.cut.zone ?? name);
  const highest = zones.reduce((one, other) => (isBelow(one, other) ? other : one));
  const showing = referring.filter(({ referral }) => referral?.cut.zone === highest);
  const shown = agreedCut(showing.flatMap(({ referral }) => referral ?? []));
  if (!shown) return none(referring);
  const holding = replies.filter((one) => hasAnswered(one) && !showing.includes(one));
  const own = await ownCuts(read, cut, holding, highest);
  const all = holding.every(({ message }, index) => {
    const held = own[index];
    return held && (isWanted(message) || isSameCut(held.cut, shown.cut));
  });
  if (!all) return none(referring);
  // A server skipped because of a limit might not show the cut.
  if (read.limit !== null && replies.some(isUnasked)) return none();
  if (replies.filter(hasAnswered).length * 2 < cut.nameservers.length)
    return none(holding.length > 0 ? referring : []);
  const confirmed = await confirmCut(read, shown, withAddress(showing));
  if (confirmed === "agrees") return { type: "cut", ...shown };
  return none(confirmed === "differs" ? referring : []);
}

export const hasAnswered = ({ message, referral }: ServerReply) =>
  message !== null || referral !== null;

/** A cut without referrals, because every server that answers also serves the child zone. */
async function ownCutBelow(
  read: Read,
  cut: Cut,
  answering: readonly ServerReply[],
  name: string,
  isWanted: Wanted,
): Promise<CutBelow> {
  if (answering.length * 2 < cut.nameservers.length) return none();
  for (const zone of zonesToAskFor(cut, answering, name, isWanted)) {
    const own = await ownCuts(read, cut, answering, zone);
    const shown = agreedCut(own.flatMap((held) => held ?? []));
    if (!shown || own.includes(null)) continue;
    if ((await confirmCut(read, shown, withAddress(answering))) !== "agrees") continue;
    return { type: "cut", ...shown };
  }
  return none();
}

/** Names at which a hidden cut is possible: the one that all negative answers name; without any, each name in between. */
function zonesToAskFor(
  cut: Cut,
  answering: readonly ServerReply[],
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

function ownCuts(
  read: Read,
  cut: Cut,
  answering: readonly ServerReply[],
  zone: string,
): Promise<(ShownCut | null)[]> {
  return Promise.all(
    withAddress(answering).map(async (server) => {
      const answer = await asking(read, cut.zone, { name: zone, type: "NS" })(server);
      return answer && shownCut(answer, cut.zone, zone);
    }),
  );
}

const withAddress = (servers: readonly ServerReply[]): Answering[] =>
  servers.flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));

/** Walks through the registries, whose silence is not the claimant's fault, to the zone they delegate. */
export async function findDelegation(
  read: Read,
  name: string,
): Promise<{ delegation: Delegation; cut: Cut | null }> {
  const result = await walk(read, name, "NS");
  const { cut } = result;
  if (cut.zone === name || !isRegistry(cut.zone, name))
    return { delegation: { type: "delegated", ...cut }, cut };
  if (result.type === "silent")
    return { delegation: { type: "unreachable", zone: cut.zone }, cut: null };
  const rcode = result.message?.rcode ?? "NOERROR";
  return { delegation: { type: "none", parent: cut.zone, rcode }, cut: null };
}

export async function readZone(read: Read, name: string): Promise<ZoneReading> {
  const { delegation, cut: delegated } = await findDelegation(read, name);
  if (!delegated) return { type: delegation.type === "none" ? "no_delegation" : "unresolvable" };
  const question = { name, type: "SOA" } as const;
  const { cut } =
    delegated.zone === name
      ? { cut: delegated }
      : await descend(read, delegated, question, () => false);
  const answer = await askZone(read, cut, { name: cut.zone, type: "SOA" });
  const soa = answer && !answer.referral ? soaOf(answer.message) : null;
  if (soa?.zone !== cut.zone) return { type: "unresolvable" };
  return {
    type: "read",
    zone: cut.zone,
    nameservers: cut.nameservers,
    ttl: cut.ttl,
    negativeTtl: Math.min(soa.ttl, soa.minimum),
    at: read.at,
  };
}
