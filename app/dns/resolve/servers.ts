import type { ServerReading } from "../verdict/observation.ts";
import type { Message } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { txtAnswer } from "./answers.ts";
import { askAuthority } from "./authority.ts";
import { MAX_ADDRESSES, MAX_DECIDING, type Read } from "./read.ts";
import type { ShownCut } from "./referral.ts";
import { addressesOf, lookUp } from "./walk.ts";

/** The answer of one nameserver: an authoritative answer, a referral downward, or neither. */
export type ServerReply = Omit<ServerReading, "answer"> & {
  message: Message | null;
  referral: ShownCut | null;
};

/** Asks each nameserver concurrently, at most 32 of them. */
export function askServers(
  read: Read,
  zone: string,
  hosts: readonly string[],
  question: Question,
): Promise<ServerReply[]> {
  return Promise.all(
    hosts.slice(0, MAX_DECIDING).map((host) => askServer(read, zone, host, question)),
  );
}

/** Reduces an answer to TXT at `name`. A referral is not an authoritative answer. */
export function readingOf(
  { message, referral: _, ...reply }: ServerReply,
  name: string,
): ServerReading {
  return { ...reply, answer: message && txtAnswer(message, name) };
}

/** Tries the first usable address, then the second, until one answers authoritatively. */
async function askServer(
  read: Read,
  zone: string,
  host: string,
  question: Question,
): Promise<ServerReply> {
  const replyFrom = (address: string | null, result: ServerReply["result"]): ServerReply => ({
    host,
    address,
    result,
    latencyMs: null,
    message: null,
    referral: null,
  });
  const known = await addressesOf(read, host);
  let usable = known.filter(read.network.permits).slice(0, MAX_ADDRESSES);
  const alias = read.aliases.get(host);
  let last = replyFrom(known[0] ?? null, known.length > 0 ? "blocked_address" : "no_address");
  if (known.length === 0 && alias !== undefined) last = { ...replyFrom(null, "is_alias"), alias };
  // One of our limits kept it from being asked: report no address and no failure of the server.
  if (read.isOver || (read.limit && known.length === 0)) last = replyFrom(null, "timeout");
  for (let rank = 0; rank < MAX_ADDRESSES; rank += 1) {
    if (rank === 1) usable = await usableAddresses(read, host);
    const address = usable[rank];
    if (address === undefined || read.isOver) break;
    const answer = await askAuthority(read, zone, { host, address }, question, { insist: true });
    if (!("failure" in answer)) {
      const { message, latencyMs, classification } = answer;
      return classification.type === "referral"
        ? { ...replyFrom(address, "not_authoritative"), referral: classification }
        : { ...replyFrom(address, "answered"), message, latencyMs };
    }
    const { failure, size } = answer;
    // The failure at its IPv4 address is more telling than our lack of IPv6.
    if (failure === "ipv6_only" && rank > 0) break;
    // One of our limits cut the exchange short: not the server's failure.
    if (!read.isOver) last = { ...replyFrom(address, failure), ...(size && { size }) };
    else if (rank === 0) last = replyFrom(null, "timeout");
  }
  return last;
}

/** The addresses of a nameserver to try: at most two, the second from AAAA if only one A record was found. */
export async function usableAddresses(read: Read, host: string): Promise<string[]> {
  const isGlued = read.glue.has(host);
  const known = (await addressesOf(read, host)).filter(read.network.permits);
  const others = known.length === 1 && !isGlued ? await lookUp(read, host, "AAAA") : [];
  const more = others.filter((other) => !known.includes(other) && read.network.permits(other));
  return [...known, ...more].slice(0, MAX_ADDRESSES);
}
