import { isIPv6 } from "node:net";
import { isAtOrBelow, isBelow } from "../names.ts";
import { type Observation, rcodeFailure, type TxtAnswer } from "../verdict/observation.ts";
import { canonicalAddress } from "../wire/address.ts";
import type { Message, Question, ResourceRecord } from "../wire/message.ts";
import { type ExchangeOptions, exchange } from "./exchange.ts";
import { MAX_ADDRESSES, type Read } from "./read.ts";
import type { Cut, Endpoint, GluedCut, WantedRecord } from "./reader.ts";

/** Addresses that are kept per nameserver. Two are asked, and some may be refused. */
export const MAX_KNOWN_ADDRESSES = 8;

/** Says what is wrong with an answer, or where it refers. A referral counts only if it leads down toward the name. */
export function classify(message: Message, zone: string, name: string) {
  const { rcode, aa, answers, authorities } = message;
  const failure = rcodeFailure(rcode);
  if (failure) return { failure, referral: null };
  const isReferring =
    rcode === "NOERROR" &&
    answers.length === 0 &&
    !authorities.some((record) => record.type === "SOA");
  const delegatingRecord = authorities.find(
    (record) =>
      record.type === "NS" && isBelow(record.name, zone) && isAtOrBelow(name, record.name),
  );
  if (isReferring && delegatingRecord)
    return { failure, referral: buildCut(message, authorities, delegatingRecord.name, zone) };
  return { failure: aa ? null : ("not_authoritative" as const), referral: null };
}

/** The cut in a referral, or at the queried name if the server answers because it serves parent and child. */
export function shownCut({ message, referral }: ZoneAnswer, zone: string, name: string) {
  const isAtName = message.answers.some((record) => record.type === "NS" && record.name === name);
  return referral ?? (isAtName ? buildCut(message, message.answers, name, zone) : null);
}

export const isSameCut = (cut: Cut, other: Cut): boolean =>
  cut.zone === other.zone && cut.nameservers.join() === other.nameservers.join();

/** The cut that all show. Null if they differ in it or in an address of a nameserver inside the zone (only in glue). */
export function agreedCut([first, ...others]: readonly GluedCut[]): GluedCut | null {
  if (!first || !others.every(({ cut }) => isSameCut(cut, first.cut))) return null;
  const glue = new Map<string, string[]>();
  for (const host of first.cut.nameservers) {
    const lists = [first, ...others].map((shown) => shown.glue.get(host) ?? []);
    const common = lists.reduce((all, list) => all.filter((address) => list.includes(address)));
    if (common.length > 0) glue.set(host, common);
    else if (isAtOrBelow(host, first.cut.zone) && lists.some((list) => list.length > 0))
      return null;
  }
  return { cut: first.cut, glue };
}

function buildCut(message: Message, section: ResourceRecord[], owner: string, parent: string) {
  const records = section.flatMap((one) => (one.type === "NS" && one.name === owner ? one : []));
  const nameservers = new Set(records.map(({ target }) => target));
  const ttl = Math.min(...records.map((record) => record.ttl));
  const cut = { zone: owner, parent, nameservers: [...nameservers].sort(), ttl };
  return { cut, glue: glueFor(message.additionals, nameservers, parent) };
}

/** Glue for the nameservers, limited to names in the bailiwick of the server that answered. */
function glueFor(additionals: ResourceRecord[], hosts: ReadonlySet<string>, bailiwick: string) {
  const glueRecords = additionals.flatMap((one) =>
    "address" in one && hosts.has(one.name) && isAtOrBelow(one.name, bailiwick) ? one : [],
  );
  const byHost = [...Map.groupBy(glueRecords, ({ name }) => name)].map(([host, records]) => {
    const addresses = records.slice(0, MAX_KNOWN_ADDRESSES).map(({ address }) => address);
    // IPv4 first, because every host of this service has it.
    return [host, addresses.sort((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)))] as const;
  });
  return new Map(byHost);
}

/** The record in an answer, without other names, such as those behind an alias. A CNAME asked for is no alias. */
export function recordAnswer({ wanted }: { wanted: WantedRecord }, message: Message, name: string) {
  const values: string[] = [];
  let ttl: number | null = null;
  let alias: TxtAnswer["alias"] = null;
  const { type, token, accepted } = wanted;
  for (const record of message.answers) {
    if (record.type === type && record.name === name) {
      const value = "value" in record ? record.value : record.target;
      values.push(accepted.includes(value) ? token : value);
      ttl = ttl === null ? record.ttl : Math.min(ttl, record.ttl);
    } else if (record.type === "CNAME" && record.name === name) {
      // A DNAME comes with a synthesized CNAME; the DNAME is the cause.
      alias ??= { type: "CNAME", name, target: record.target };
    } else if (record.type === "DNAME" && isAtOrBelow(name, record.name)) {
      alias = { type: "DNAME", name: record.name, target: record.target };
    }
  }
  return { rcode: message.rcode, values, ttl, alias, soa: soaOf(message) };
}

/** Notes which of the accepted values the answers have at the challenge name. */
export function noteAccepted(seen: Observation, answers: (Message | null)[], wanted: WantedRecord) {
  const withoutAccepted = { wanted: { ...wanted, accepted: [] } };
  const values = answers.flatMap((message) =>
    message ? recordAnswer(withoutAccepted, message, seen.challengeName).values : [],
  );
  const value = values.find((candidate) => wanted.accepted.includes(candidate));
  if (value !== undefined) seen.accepted = value;
}

export function soaOf({ authorities, answers }: Message) {
  const record = [...authorities, ...answers].find(({ type }) => type === "SOA");
  if (record?.type !== "SOA") return null;
  const { name: zone, serial, refresh, minimum, ttl } = record;
  return { zone, serial, refresh, minimum, ttl };
}

export const nameserversIn = ({ answers }: Message, name: string): string[] =>
  answers.flatMap((record) => (record.type === "NS" && record.name === name ? record.target : []));

export const addressesIn = (message: Message, host: string, type: "A" | "AAAA"): string[] =>
  message.answers.flatMap((record) =>
    record.type === type && record.name === host ? (canonicalAddress(record.address) ?? []) : [],
  );

/** Asks a question once per read. One reply may answer for several zones, so it is classified for each. */
export async function askAuthority(
  read: Read,
  zone: string,
  server: Endpoint,
  question: Question,
  options: ExchangeOptions = {},
) {
  const { host, address } = server;
  const { name, type } = question;
  const target = { server: host, address, port: read.network.settings.port };
  const faultOf = (message: Message) => classify(message, zone, name).failure;
  const key = [address, name, type, ...Object.keys(options)].join(" ");
  const request = { read, target, question, faultOf };
  const reply = await read.askOnce(key, () => exchange(request, options));
  if (!reply.message) return reply;
  const { message, latencyMs } = reply;
  const { failure, referral } = classify(message, zone, name);
  return failure ? { message: null, failure } : { server, message, latencyMs, referral };
}

export type ZoneAnswer = Exclude<Awaited<ReturnType<typeof askAuthority>>, { failure: unknown }>;

/** Like askAuthority, but null on any failure. */
export const tryAsk =
  (read: Read, zone: string, question: Question, options?: ExchangeOptions) =>
  async (server: Endpoint): Promise<ZoneAnswer | null> => {
    const answer = await askAuthority(read, zone, server, question, options);
    return "failure" in answer ? null : answer;
  };

export async function askForMessage(...args: Parameters<typeof askAuthority>) {
  const answer = await askAuthority(...args);
  return "failure" in answer || answer.referral ? null : answer.message;
}

/** After this long without an answer, the next server is asked too. */
const STAGGER_MS = 600;
const MAX_SERVERS_TRIED = 6;

/** The known addresses to ask: the first of every host, then the second ones. Addresses without room come last. */
export function listCandidates(read: Read, hosts: readonly string[]): Endpoint[] {
  const fullRank = ({ address }: Endpoint) => Number(!read.hasRoom(address));
  return hosts
    .flatMap((host) => {
      const addresses = (read.glue.get(host) ?? []).filter(read.network.permits);
      return addresses.slice(0, MAX_ADDRESSES).map((address, rank) => ({ host, address, rank }));
    })
    .sort((server, other) => fullRank(server) - fullRank(other) || server.rank - other.rank)
    .slice(0, MAX_SERVERS_TRIED)
    .map(({ host, address }) => ({ host, address }));
}

export function firstAnswer<T>(
  servers: readonly Endpoint[],
  ask: (server: Endpoint) => Promise<T | null>,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let pending = 0;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    const settle = (answer: T | null) => {
      isDone = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const launch = () => {
      clearTimeout(timer);
      const server = servers[next];
      if (!server && pending === 0) settle(null);
      if (!server) return;
      next += 1;
      pending += 1;
      timer = setTimeout(launch, STAGGER_MS);
      ask(server).then((answer) => {
        pending -= 1;
        if (isDone) return;
        if (answer) settle(answer);
        else launch();
      }, reject);
    };
    launch();
  });
}
