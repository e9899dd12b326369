import { isAtOrBelow, isBelow, isRegistry, parentOf } from "../names.ts";
import { wasNotAsked } from "../verdict/publication-status.ts";
import type { Question } from "../wire/message.ts";
import { agreedCut, isSameCut, shownCut, soaOf, tryAsk } from "./authority.ts";
import { confirmAddress, confirmCut } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import type { Cut, Endpoint, GluedCut, ServerAddress, ZoneReading } from "./reader.ts";
import { askServers, askZone, firstAddresses, type ServerReply, walk } from "./walk.ts";

/** Whether an answer would prove the claim. */
type IsWanted = (message: ServerReply["message"]) => boolean;
/** A zone on the way to `name`, and what is searched for there. */
type ZoneLevel = { read: Read; cut: Cut; name: string; isWanted: IsWanted };

type CutBelow = { shown: GluedCut | null; strays: ServerReply[] };

/** Follows a cut if every server that answers refers to it, at least half answer, and one repeats that over TCP. */
export async function descend(read: Read, from: Cut, question: Question, isWanted: IsWanted) {
  let cut = from;
  let denials: ServerReply[] = [];
  const polled: ServerReply[] = [];
  const path: string[] = [];
  const confirming = new Map<string, ServerAddress>();
  const confirmEarly = async (host: string) => {
    for (const server of await firstAddresses(read, [host]))
      confirmAddress(read, server, confirming);
  };
  for (;;) {
    const { zone, nameservers } = cut;
    path.push(...nameservers);
    read.allowNameservers(nameservers.length);
    const pendingReplies = askServers(read, zone, nameservers, question);
    // Servers that confirm addresses may be slow or silent, so they are asked while the other servers answer.
    for (const reply of pendingReplies)
      reply.then(({ message }) => isWanted(message) && path.forEach(confirmEarly));
    const replies = await Promise.all(pendingReplies);
    polled.push(...replies);
    const { shown, strays } = await cutBelow({ read, cut, name: question.name, isWanted }, replies);
    if (!shown || !read.replaceCut(shown)) {
      const olderDenials = denials.filter(({ host }) => !nameservers.includes(host));
      const silent = polled.filter((one) => !hasAnswered(one) && !nameservers.includes(one.host));
      return {
        cut,
        silentAbove: silent.map(({ host }) => host),
        /** The delegated names in order, then servers of zones above that answer themselves without the record. */
        replies: [...replies.map((reply) => withTcpResult(read, reply)), ...olderDenials],
        asked: polled.map((one) => ({ ...one, address: hasAnswered(one) ? one.address : null })),
        strays,
      };
    }
    denials = [...denials, ...replies.filter(({ message }) => message && !isWanted(message))];
    cut = shown.cut;
  }
}

/** A referral cannot be confirmed if its server does not answer over TCP. */
function withTcpResult(read: Read, reply: ServerReply): ServerReply {
  const isRefused = read.exchanges.some(
    ({ address, result }) => address === reply.address && result === "tcp_refused",
  );
  return reply.referral && isRefused ? { ...reply, result: "tcp_refused" } : reply;
}

const noCut = (strays: ServerReply[] = []): CutBelow => ({ shown: null, strays });

async function cutBelow(level: ZoneLevel, replies: readonly ServerReply[]): Promise<CutBelow> {
  const { read, cut, isWanted } = level;
  const referrals = replies.filter(({ referral }) => referral);
  if (referrals.length === 0)
    return { shown: await cutByChildNs(level, replies.filter(hasAnswered)), strays: [] };
  // The highest cut counts, because a server that also serves the zone below refers further down.
  const zones = referrals.flatMap(({ referral }) => referral?.cut.zone ?? []);
  const highestZone = zones.reduce((zone, other) => (isBelow(zone, other) ? other : zone));
  const showingCut = referrals.filter(({ referral }) => referral?.cut.zone === highestZone);
  const shown = agreedCut(showingCut.flatMap(({ referral }) => referral ?? []));
  if (!shown) return noCut(referrals);
  const otherReplies = replies.filter((reply) => hasAnswered(reply) && !showingCut.includes(reply));
  const cuts = await cutsByChildNs(level, otherReplies, highestZone);
  const doOthersAgree = otherReplies.every(({ message }, index) => {
    const childCut = cuts[index];
    return childCut && (isWanted(message) || isSameCut(childCut.cut, shown.cut));
  });
  if (!doOthersAgree) return noCut(referrals);
  // A server that a limit skipped might not show the cut.
  if (replies.some(wasNotAsked)) return noCut();
  if (replies.filter(hasAnswered).length * 2 < cut.nameservers.length)
    return noCut(otherReplies.length > 0 ? referrals : []);
  const confirmed = await confirmCut(read, shown, withAddress(showingCut));
  if (confirmed === "agrees") return { shown, strays: [] };
  return noCut(confirmed === "differs" ? referrals : []);
}

const hasAnswered = ({ message, referral }: ServerReply) => message !== null || referral !== null;

/** Finds a cut without referrals, where every server that answers also serves the child zone. */
async function cutByChildNs(level: ZoneLevel, answering: readonly ServerReply[]) {
  if (answering.length * 2 < level.cut.nameservers.length) return null;
  for (const zone of zonesToAskFor(level, answering)) {
    const cuts = await cutsByChildNs(level, answering, zone);
    const shown = agreedCut(cuts.flatMap((childCut) => childCut ?? []));
    if (!shown || cuts.includes(null)) continue;
    const confirmed = await confirmCut(level.read, shown, withAddress(answering));
    if (confirmed === "agrees") return shown;
  }
  return null;
}

/** Where a cut may be hidden: at the zone that all negative answers name; without any, at each name on the way. */
function zonesToAskFor({ cut, name, isWanted }: ZoneLevel, answering: readonly ServerReply[]) {
  const isOnTheWay = (zone: string) => isBelow(zone, cut.zone) && isAtOrBelow(name, zone);
  if (answering.every(({ message }) => isWanted(message))) {
    const between: string[] = [];
    for (let at = parentOf(name); isOnTheWay(at); at = parentOf(at)) between.unshift(at);
    return between;
  }
  const owners = answering.flatMap(({ message }) => (message && soaOf(message)?.zone) ?? []);
  return new Set(owners).size === 1 ? owners.slice(0, 1).filter(isOnTheWay) : [];
}

const cutsByChildNs = ({ read, cut }: ZoneLevel, answering: readonly ServerReply[], zone: string) =>
  Promise.all(
    withAddress(answering).map(async (server) => {
      const answer = await tryAsk(read, cut.zone, { name: zone, type: "NS" })(server);
      return answer && shownCut(answer, cut.zone, zone);
    }),
  );

const withAddress = (servers: readonly ServerReply[]): Endpoint[] =>
  servers.flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));

/** Walks through the registries' zones, whose silence is not the claimant's fault, to the zone that they delegate. */
export async function findDelegation(read: Read, name: string) {
  const { cut, answer, isSilent } = await walk(read, name, "NS");
  if (cut.zone === name || !isRegistry(cut.zone, name))
    return { delegation: { type: "delegated" as const, ...cut }, cut };
  if (isSilent) return { delegation: { type: "unreachable" as const, zone: cut.zone }, cut: null };
  const rcode = answer?.message.rcode ?? "NOERROR";
  return { delegation: { type: "none" as const, parent: cut.zone, rcode }, cut: null };
}

export async function readZone(read: Read, name: string): Promise<ZoneReading> {
  const { delegation, cut: delegated } = await findDelegation(read, name);
  if (!delegated) return { type: delegation.type === "none" ? "no_delegation" : "unresolvable" };
  const { cut } =
    delegated.zone === name
      ? { cut: delegated }
      : await descend(read, delegated, { name, type: "SOA" }, () => false);
  const parentCut = read.cuts.get(cut.parent);
  const [answer, ds] = await Promise.all([
    askZone(read, cut, { name: cut.zone, type: "SOA" }),
    parentCut && askZone(read, parentCut, { name: cut.zone, type: "DS" }),
  ]);
  const soa = answer && !answer.referral ? soaOf(answer.message) : null;
  if (soa?.zone !== cut.zone) return { type: "unresolvable" };
  return {
    type: "read",
    zone: cut.zone,
    nameservers: cut.nameservers,
    ttl: cut.ttl,
    negativeTtl: Math.min(soa.ttl, soa.minimum),
    ...(ds?.referral === null && { signed: ds.message.answers.some(({ type }) => type === "DS") }),
    at: read.at,
  };
}
