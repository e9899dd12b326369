import { isIPv4, isIPv6 } from "node:net";
import { isAtOrBelow, isRegistry } from "../names.ts";
import type { Failure, Observation, ServerReading } from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import type { Message, Question } from "../wire/message.ts";
import {
  addressesIn,
  askAuthority,
  askForMessage,
  isSameCut,
  listCandidates,
  recordAnswer,
  shownCut,
  tryAsk,
  type ZoneAnswer,
} from "./authority.ts";
import { MAX_ADDRESSES, type Read } from "./read.ts";
import type { Cut, Endpoint, GluedCut, ServerAddress } from "./reader.ts";
import { firstAddresses, usableAddresses } from "./walk.ts";

const TCP_TRIES = 3;
/** How many servers of the zone with a nameserver's name are asked at once. Those that answer must agree. */
const CONFIRMER_COUNT = 3;
/** After this time both questions over UDP were sent. If neither was answered, one follows over TCP. */
const LATE_MS = 2_000;

/** Confirms, over TCP or with other servers, what one server showed over UDP. A forged address may be silent too. */
export async function confirmPath(read: Read, zone: string, servers: readonly ServerAddress[]) {
  const visited = new Map<string, ServerAddress>();
  const addressChecks = await Promise.all(
    servers.map((server) => confirmAddress(read, server, visited)),
  );
  if (addressChecks.includes(false)) return false;
  const names = [zone, ...[...visited.values()].map(({ host }) => host)];
  const openCuts = [...read.followed.values()].filter(
    ({ cut }) => !read.settled.has(cut.zone) && names.some((name) => isAtOrBelow(name, cut.zone)),
  );
  const confirmed = await Promise.all(
    openCuts.map((shown) => {
      const parent = read.cuts.get(shown.cut.parent);
      const others = parent ? listCandidates(read, read.orderOf(parent)) : [];
      const isOther = ({ address }: Endpoint) => address !== shown.server.address;
      return confirmCut(read, shown, [shown.server, ...others.filter(isOther)]);
    }),
  );
  return confirmed.every((verdict) => verdict === "agrees");
}

/** False if a server of a zone above the nameserver's name contradicts it. Adds silent servers to `read.silent`. */
export async function confirmAddress(
  read: Read,
  server: ServerAddress,
  visited: Map<string, ServerAddress>,
): Promise<boolean> {
  const { host, address } = server;
  const key = `${host} ${address}`;
  if (visited.has(key)) return true;
  visited.set(key, server);
  if (read.trusted.has(host)) return true;
  const zones = [...read.cuts.values()].filter(
    (cut) => isAtOrBelow(host, cut.zone) && !isRegistry(cut.zone, host),
  );
  const questions = await listUsed(read, server);
  const confirmed = await Promise.all(
    zones.flatMap((cut) =>
      questions.map(async (used) => {
        const judge = async (answer: ZoneAnswer) =>
          confirmsAddress(read, answer, host, used) &&
          (await confirmAddress(read, answer.server, visited));
        const votes = await askConfirmers(read, cut, { name: host, type: used.type }, judge);
        // A server skipped because of a limit might answer differently.
        return !votes.includes(false) && (read.limit === null || votes.length >= CONFIRMER_COUNT);
      }),
    ),
  );
  return !confirmed.includes(false);
}

/** Addresses of one family to confirm. `room` is how many more this read would have tried if it knew them. */
type UsedAddresses = { type: "A" | "AAAA"; addresses: string[]; room: number };

async function listUsed(read: Read, { host, address }: ServerAddress): Promise<UsedAddresses[]> {
  if (address !== null)
    return [{ type: isIPv6(address) ? "AAAA" : "A", addresses: [address], room: 0 }];
  const usable = await usableAddresses(read, host);
  const [ipv4, ipv6] = [usable.filter(isIPv4), usable.filter(isIPv6)];
  return [
    { type: "A", addresses: ipv4, room: MAX_ADDRESSES - ipv4.length },
    { type: "AAAA", addresses: ipv6, room: MAX_ADDRESSES - usable.length },
  ];
}

/** Asks servers of a zone and judges each answer. A server that is silent at first is replaced, and asked over TCP. */
async function askConfirmers<T>(
  read: Read,
  cut: Cut,
  question: Question,
  judge: (answer: ZoneAnswer) => Promise<T>,
): Promise<T[]> {
  const hosts = [...read.orderOf(cut)];
  const votes: Promise<T[]>[] = [];
  const askNext = async (): Promise<unknown> => {
    const host = hosts.shift();
    if (host === undefined) return;
    const { soon, answer } = askConfirmer(read, cut, question, host);
    votes.push(answer.then(async (reply) => (reply ? [await judge(reply)] : [])));
    return (await soon) ?? askNext();
  };
  await Promise.all(Array.from({ length: CONFIRMER_COUNT }, askNext));
  return (await Promise.all(votes)).flat();
}

/** Further questions to a server wait for the first one's result, so that a silent server is not asked again. */
function askConfirmer(read: Read, cut: Cut, question: Question, host: string) {
  const key = `${cut.zone} ${host}`;
  const firstHeard = read.heard.get(key);
  const ask = async (isLate: boolean) => {
    const [server] = (await firstHeard) === false ? [] : await firstAddresses(read, [host]);
    if (!server) return null;
    const options = isLate || read.tcpOnly.has(server.address) ? { tcp: true } : {};
    return tryAsk(read, cut.zone, question, options)(server);
  };
  const overUdp = ask(false);
  const lateSignal = new Promise<null>((resolve) => setTimeout(resolve, LATE_MS, null).unref());
  const soon = Promise.race([overUdp, firstHeard ? overUdp : lateSignal]);
  const answer = soon.then(async (first) => {
    const reply = first ?? (await ask(true)) ?? (await overUdp);
    if (!reply) read.silent.add(host);
    else if (!(await overUdp)) read.tcpOnly.add(reply.server.address);
    return reply;
  });
  if (!firstHeard) read.heard.set(key, answer.then(Boolean));
  return { soon, answer };
}

/** An answer confirms addresses by its records; a referral confirms them by showing the cut that this read followed. */
function confirmsAddress(
  read: Read,
  { message, referral }: ZoneAnswer,
  host: string,
  { type, addresses, room }: UsedAddresses,
): boolean {
  const matches = (shown: readonly string[]) => {
    const others = shown.filter((one) => !addresses.includes(one) && read.network.permits(one));
    return addresses.every((one) => shown.includes(one)) && (room === 0 || others.length === 0);
  };
  if (!referral) return matches(addressesIn(message, host, type));
  const knownCut = read.cuts.get(referral.cut.zone);
  if (!knownCut || !isSameCut(knownCut, referral.cut)) return false;
  // For a nameserver inside its own zone, the parent's glue is the only source.
  if (!knownCut.nameservers.includes(host)) return true;
  const isSameFamily = type === "AAAA" ? isIPv6 : isIPv4;
  return matches((referral.glue.get(host) ?? []).filter((one) => isSameFamily(one)));
}

/** Compares a cut with what servers show over TCP. The first that answers decides. */
export async function confirmCut(read: Read, { cut, glue }: GluedCut, servers: Endpoint[]) {
  // With DNSSEC, a referral has the DS records, or proves that there are none (RFC 4035 section 3.1.4).
  const ask = tryAsk(read, cut.parent, { name: cut.zone, type: "NS" }, { tcp: true, dnssec: true });
  for (const server of servers.slice(0, TCP_TRIES)) {
    const answer = await ask(server);
    if (!answer) continue;
    const shown = shownCut(answer, cut.parent, cut.zone);
    const isSame =
      shown !== null &&
      isSameCut(shown.cut, cut) &&
      [...glue].every(([host, addresses]) =>
        addresses.every((address) => shown.glue.get(host)?.includes(address)),
      );
    return isSame ? "agrees" : "differs";
  }
  return "silent";
}

/** Confirms the record over TCP: one server must have it, none may deny it. Those silent over UDP are asked again. */
export async function confirmOverTcp(
  read: Read,
  { challengeName: name, token }: Observation,
  zone: string,
  servers: readonly Endpoint[],
) {
  const failures = new Map<string, Failure>();
  const question = { name, type: read.wanted.type };
  const confirms = (message: Message) => hasToken(recordAnswer(read, message, name), token);
  const overTcp = servers.map(async (server) => {
    const answer = await askAuthority(read, zone, server, question, { tcp: true, dnssec: true });
    if ("failure" in answer) failures.set(server.host, answer.failure);
    else if (!answer.referral) return { ...server, confirmed: confirms(answer.message) };
    return [];
  });
  const tcpOnly = servers.filter(({ address }) => read.tcpOnly.has(address));
  const overUdp = tcpOnly.map(async (server) => {
    const message = await askForMessage(read, zone, server, question, { asGiven: true });
    return message && !confirms(message) ? { ...server, confirmed: false } : [];
  });
  const results = (await Promise.all([...overTcp, ...overUdp])).flat();
  const denial = results.find(({ confirmed }) => !confirmed);
  const [first] = servers;
  const confirmation: Observation["confirmation"] = denial
    ? { ...denial, differs: true }
    : (results[0] ?? (first ? { ...first, confirmed: false } : null));
  return { confirmation, failures };
}

const isAnsweredOverTcp = ({ exchanges }: Read) =>
  exchanges.some(
    ({ transport, result }) =>
      transport === "tcp" && result !== "tcp_refused" && result !== "timeout",
  );

/** Whether anything answers over TCP. If nothing has yet, asks the root and the registries on the path. */
export async function hasWorkingTcp(read: Read, zone: string): Promise<boolean> {
  if (!isAnsweredOverTcp(read)) await confirmPath(read, zone, []);
  if (!isAnsweredOverTcp(read)) read.limit ??= "tcp";
  return isAnsweredOverTcp(read);
}

/** If no server of the zone answers, those that need TCP count as not asked unless something answers over TCP. */
export async function checkOwnTcp(read: Read, seen: Observation, zone: string): Promise<void> {
  const lacksTcp = ({ result }: ServerReading) => /^(tcp_refused|case_changed)$/.test(result);
  if (!seen.servers.some(lacksTcp) || (await hasWorkingTcp(read, zone))) return;
  seen.servers = seen.servers.map((server) =>
    lacksTcp(server) ? { ...server, address: null, result: "timeout" } : server,
  );
}
