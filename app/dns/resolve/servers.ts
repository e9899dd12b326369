import type { ServerReading, TxtAnswer } from "../verdict/observation.ts";
import type { Message } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { txtAnswer } from "./answers.ts";
import { exchange } from "./exchange.ts";
import { MAX_ADDRESSES, MAX_NAMESERVERS, type Read } from "./read.ts";
import { type Answering, classify, type ShownCut } from "./referral.ts";
import type { Reply } from "./reply.ts";
import { addressesOf, lookUp } from "./walk.ts";

/** The answer of one nameserver: an authoritative answer, a referral downward, or neither. */
export type ServerReply = Omit<ServerReading, "answer"> & {
  message: Message | null;
  referral: ShownCut | null;
};

/** Asks each nameserver concurrently, at most 13 of them. */
export function askServers(
  read: Read,
  zone: string,
  hosts: readonly string[],
  question: Question,
): Promise<ServerReply[]> {
  return Promise.all(
    hosts.slice(0, MAX_NAMESERVERS).map((host) => askServer(read, zone, host, question)),
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
    const reply = await askAuthority(read, zone, { host, address }, question);
    if (!reply.ok) {
      // One of our limits cut the exchange short: not the server's failure.
      const isRateLimited = read.rateLimited.has(address);
      // The failure at its IPv4 address is more telling than our lack of IPv6.
      if (reply.failure === "ipv6_only" && rank > 0) break;
      const { failure, size } = reply;
      if (!read.isOver && !isRateLimited)
        last = { ...replyFrom(address, failure), ...(size && { size }) };
      else if (rank === 0 || isRateLimited) last = replyFrom(null, "timeout");
      continue;
    }
    const { message, latencyMs } = reply;
    const verdict = classify(message, zone, question.name);
    if (verdict.type === "referral") {
      return { ...replyFrom(address, "not_authoritative"), referral: verdict };
    }
    return { ...replyFrom(address, "answered"), message, latencyMs };
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

/** Asks one server of a zone, at most once per read; an authoritative answer or a downward referral counts. */
export async function askAuthority(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: { tcp?: boolean } = {},
): Promise<Reply> {
  const target = { server: server.host, address: server.address, port: read.network.settings.port };
  const { name, type } = question;
  const faultOf = (message: Message) => {
    const verdict = classify(message, zone, name);
    return verdict.type === "unusable" ? verdict.failure : null;
  };
  const asked = `${server.address} ${options.tcp ? "tcp" : "udp"} ${name} ${type}`;
  const reply = await read.once(asked, () => exchange(read, target, question, faultOf, options));
  // The reply may be shared with a question for another zone of the same server, so it is judged again.
  const failure = reply.ok ? faultOf(reply.message) : null;
  return failure ? { ok: false, failure } : reply;
}

/** The authoritative answer of one server, or null. */
export async function authoritative(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: { tcp?: boolean } = {},
): Promise<Message | null> {
  const reply = await askAuthority(read, zone, server, question, options);
  if (!reply.ok) return null;
  return classify(reply.message, zone, question.name).type === "authoritative"
    ? reply.message
    : null;
}

/** TXT at a name according to one server of the zone, or null. */
export async function readTxt(
  read: Read,
  zone: string,
  server: Answering,
  name: string,
  options: { tcp?: boolean } = {},
): Promise<TxtAnswer | null> {
  const message = await authoritative(read, zone, server, { name, type: "TXT" }, options);
  return message && txtAnswer(message, name);
}
