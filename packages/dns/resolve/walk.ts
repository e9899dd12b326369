import {
  isAtOrBelow,
  isBelow,
  isQueryable,
  isRegistry,
  labelsOf,
  lastLabels,
  parentOf,
  ROOT,
} from "../names.ts";
import type { RecordType, ServerReading } from "../verdict/observation.ts";
import type { Message, Question } from "../wire/message.ts";
import {
  addressesIn,
  askAuthority,
  firstAnswer,
  listCandidates,
  MAX_KNOWN_ADDRESSES,
  recordAnswer,
  shownCut,
  tryAsk,
  type ZoneAnswer,
} from "./authority.ts";
import { MAX_ADDRESSES, MAX_DECIDING, type Read } from "./read.ts";
import type { Cut, GluedCut } from "./reader.ts";

const MAX_HOSTS_LOOKED_UP = 4;
/** The most questions that add one label each (RFC 9156), before the full name is asked. */
const MAX_STEPS = 10;

/** `cut` is the zone of the name, unless its servers are silent. `answer` is null if the walk ended on the cut. */
type WalkResult = { cut: Cut; answer: ZoneAnswer | null; isSilent: boolean };

/**
 * Walks down to the zone of `name`, one label per question, so that cuts within one server show too. With "NS" it ends
 * on a cut at `name` or below the registries. It trusts single servers, so it proves nothing until confirmed.
 */
export async function walk(
  read: Read,
  name: string,
  type: "NS" | "A" | "AAAA" | RecordType,
  { asker, isGlueEnough = true }: { asker?: string; isGlueEnough?: boolean } = {},
): Promise<WalkResult> {
  const labelCount = labelsOf(name).length;
  const hiddenZones = new Set<string>();
  let cut = deepestCut(read, name);
  let depth = labelsOf(cut.zone).length;
  for (let step = 0; ; step += 1) {
    const hasReachedZone = () => cut.zone === name || !isRegistry(cut.zone, name);
    if (type === "NS" ? hasReachedZone() : isGlueEnough && read.glue.has(name))
      return { cut, answer: null, isSilent: false };
    const hasNext = step < MAX_STEPS || hiddenZones.has(lastLabels(name, depth + 1));
    depth = hasNext ? Math.min(depth + 1, labelCount) : labelCount;
    const askedName = lastLabels(name, depth);
    const question: Question = { name: askedName, type: depth === labelCount ? type : "NS" };
    const answer = await askZone(read, cut, question, asker);
    if (!answer) return { cut, answer: null, isSilent: true };
    const { message, referral, server } = answer;
    const next = question.type === "NS" ? shownCut(answer, cut.zone, askedName) : referral;
    if (next) {
      const followedCut = read.follow(next, server);
      if (!followedCut) return { cut, answer: null, isSilent: true };
      cut = followedCut;
      depth = labelsOf(cut.zone).length;
      continue;
    }
    const hiddenZone = deeperZone(message, cut.zone, name);
    if (hiddenZone && !hiddenZones.has(hiddenZone)) {
      hiddenZones.add(hiddenZone);
      depth = labelsOf(hiddenZone).length - 1;
    } else if (depth === labelCount) {
      return { cut, answer, isSilent: false };
    } else if (message.rcode === "NXDOMAIN") {
      // Either nothing exists below, or the server wrongly denies empty non-terminals. The full name is asked next.
      depth = labelCount - 1;
    }
  }
}

/** A cut that the server did not show: the zone in the SOA of a negative answer, if it is below the queried one. */
function deeperZone(message: Message, zone: string, name: string): string | null {
  const owner = message.authorities.find((record) => record.type === "SOA")?.name;
  return owner !== undefined && isBelow(owner, zone) && isAtOrBelow(name, owner) ? owner : null;
}

function deepestCut(read: Read, name: string): Cut {
  for (let zone = name; zone !== ROOT; zone = parentOf(zone)) {
    const cut = read.cuts.get(zone);
    if (cut) return cut;
  }
  return read.network.root.cut;
}

export async function askZone(read: Read, cut: Cut, question: Question, asker?: string) {
  const hosts = read.orderOf(cut);
  const ask = tryAsk(read, cut.zone, question);
  const answer = await firstAnswer(listCandidates(read, hosts), ask);
  if (answer) return answer;
  const unknownHosts = hosts.filter((host) => !read.glue.has(host)).slice(0, MAX_HOSTS_LOOKED_UP);
  const servers = await firstAddresses(read, unknownHosts, asker);
  const lateAnswer = await firstAnswer(servers, ask);
  if (lateAnswer || isRegistry(cut.zone, question.name)) return lateAnswer;
  // Some servers drop or refuse capital letters, which are sent only over UDP.
  const askOverTcp = tryAsk(read, cut.zone, question, { tcp: true });
  return firstAnswer([...listCandidates(read, hosts), ...servers], askOverTcp);
}

export async function firstAddresses(read: Read, hosts: readonly string[], asker?: string) {
  const servers = await Promise.all(
    hosts.map(async (host) => {
      const address = (await addressesOf(read, host, asker)).find(read.network.permits);
      return address === undefined ? [] : { host, address };
    }),
  );
  return servers.flat();
}

/** The addresses of a host from glue, else A, else AAAA records. Empty if the lookup would depend on its own result. */
async function addressesOf(read: Read, host: string, asker?: string): Promise<string[]> {
  const glue = read.glue.get(host);
  if (glue) return glue;
  const first = await lookUp(read, host, "A", asker);
  return first.length > 0 ? first : lookUp(read, host, "AAAA", asker);
}

async function lookUp(read: Read, host: string, type: "A" | "AAAA", asker?: string) {
  if (read.limit !== null || !isQueryable(host)) return [];
  const key = `${host} ${type}`;
  return read.lookups.get(key, asker ?? null, async () => {
    const { cut, answer } = await walk(read, host, type, { asker: key });
    const isOfRegistry = cut.zone !== ROOT && isRegistry(cut.zone, host);
    if (isOfRegistry && answer?.message.rcode === "NXDOMAIN") read.unregistered.add(host);
    const glue = read.glue.get(host);
    if (glue) return glue;
    if (!answer) return [];
    for (const record of answer.message.answers)
      if (record.type === "CNAME" && record.name === host) read.aliases.set(host, record.target);
    return addressesIn(answer.message, host, type).slice(0, MAX_KNOWN_ADDRESSES);
  });
}

export type ServerReply = Omit<ServerReading, "answer"> & {
  message: Message | null;
  referral: GluedCut | null;
};

export function askServers(read: Read, zone: string, hosts: readonly string[], question: Question) {
  return hosts.slice(0, MAX_DECIDING).map((host) => askServer(read, zone, host, question));
}

export const readingOf = (
  read: Read,
  { message, referral: _, ...reply }: ServerReply,
  name: string,
): ServerReading => ({ ...reply, answer: message && recordAnswer(read, message, name) });

async function askServer(read: Read, zone: string, host: string, question: Question) {
  const replyFrom = (address: string | null, result: ServerReply["result"]): ServerReply => ({
    ...{ host, address, result, latencyMs: null, message: null, referral: null },
  });
  const found = await addressesOf(read, host);
  let addresses = found.filter(read.network.permits).slice(0, MAX_ADDRESSES);
  const alias = read.aliases.get(host);
  let reply = replyFrom(found[0] ?? null, found.length > 0 ? "blocked_address" : "no_address");
  if (read.unregistered.has(host)) reply = { ...reply, unregistered: true };
  if (found.length === 0 && alias !== undefined) reply = { ...replyFrom(null, "is_alias"), alias };
  // If one of our own limits stopped the question, this reports no address, and no failure of the server.
  if (read.isOver || (read.limit && found.length === 0)) reply = replyFrom(null, "timeout");
  for (let rank = 0; rank < MAX_ADDRESSES; rank += 1) {
    if (rank === 1) addresses = await usableAddresses(read, host);
    const address = addresses[rank];
    if (address === undefined || read.isOver) break;
    const answer = await askAuthority(read, zone, { host, address }, question, { insist: true });
    if (!("failure" in answer)) {
      const { message, latencyMs, referral } = answer;
      return referral
        ? { ...replyFrom(address, "not_authoritative"), referral }
        : { ...replyFrom(address, "answered"), message, latencyMs };
    }
    const { failure } = answer;
    // The failure at its IPv4 address says more than our lack of IPv6.
    if (failure === "ipv6_only" && rank > 0) break;
    // If one of our own limits cut the exchange short, that is no failure of the server.
    if (!read.isOver) reply = replyFrom(address, failure);
    else if (rank === 0) reply = replyFrom(null, "timeout");
  }
  return reply;
}

/** At most two addresses to ask, the second from AAAA if only one A record was found. */
export async function usableAddresses(read: Read, host: string): Promise<string[]> {
  const hasGlue = read.glue.has(host);
  const found = (await addressesOf(read, host)).filter(read.network.permits);
  const ipv6 = found.length === 1 && !hasGlue ? await lookUp(read, host, "AAAA") : [];
  const more = ipv6.filter((other) => !found.includes(other) && read.network.permits(other));
  return [...found, ...more].slice(0, MAX_ADDRESSES);
}
