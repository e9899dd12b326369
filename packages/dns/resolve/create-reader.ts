import { isAskable, under } from "../names.ts";
import { answersOf, evidenceOf } from "../verdict/evidence.ts";
import type { Observation, ServerReading, Soa } from "../verdict/observation.ts";
import {
  hasToken,
  isEverywhere,
  isFailing,
  namedAgainst,
  publicationStatusOf,
  uncheckedVerdict,
  witnessVerdictOf,
} from "../verdict/publication-status.ts";
import type { Message } from "../wire/message.ts";
import {
  probeAbsence,
  probeRareNames,
  readUnlisted,
  repeatAbsence,
  type Search,
} from "./absence-probes.ts";
import { authoritative, soaOf, txtAnswer } from "./authority.ts";
import { askControls, compareServers } from "./controls.ts";
import { type ChainReading, readChain } from "./dnssec-chain.ts";
import { checkOwnTcp, confirmOverTcp, confirmPath, noteTcpFailures } from "./path-confirmation.ts";
import { Network, Read } from "./read.ts";
import {
  AddressFull,
  type Answering,
  type ChallengeQuestion,
  type Cut,
  type Reader,
  type ReaderSettings,
  type ServerAddress,
} from "./reader.ts";
import { readOverHttps } from "./signed-over-https.ts";
import { readingOf } from "./walk.ts";
import { askAboutZone, askWitnesses, readNamed } from "./witnesses.ts";
import { descend, findDelegation, readZone } from "./zone-cuts.ts";

export async function readChallenge(
  read: Read,
  { domain, label, token, formerNameservers, before, tried, overHttps }: ChallengeQuestion,
): Promise<Observation> {
  const challengeName = under(label, domain) ?? `${label}.${domain}`;
  const seen: Observation = {
    version: 1,
    at: read.at,
    durationMs: 0,
    ...{ domain, label, challengeName, token },
    delegation: { type: "unreachable", zone: "." },
    servers: [],
    strays: [],
    silentAbove: [],
    named: null,
    unlisted: [],
    former: [],
    parent: null,
    soa: null,
    holder: null,
    typesAtName: [],
    confirmation: null,
    wildcard: null,
    misplaced: [],
    witnesses: null,
    validation: null,
    chain: null,
    packets: 0,
    limit: null,
    exchanges: read.exchanges,
    ...(tried && { tried: [...tried] }),
  };
  let chain: ChainReading | null = null;
  let search: Search | null = null;
  const found = await findDelegation(read, domain);
  seen.delegation = found.delegation;
  if (found.cut) {
    const question = { name: challengeName, type: "TXT" } as const;
    const isWanted = (message: Message | null) =>
      message !== null && hasToken(txtAnswer(message, challengeName), token);
    const deciding = await descend(read, found.cut, question, isWanted);
    const { cut, replies, asked, strays, silentAbove } = deciding;
    seen.delegation = { type: "delegated", ...cut };
    seen.servers = replies.map((one) => readingOf(one, challengeName));
    seen.strays = strays.flatMap(({ host, referral }) =>
      referral ? { host, zone: referral.cut.zone, nameservers: referral.cut.nameservers } : [],
    );
    seen.silentAbove = silentAbove;
    const given = seen.servers.map(({ answer }) => answer?.soa);
    seen.soa = given.find((soa) => soa?.zone === cut.zone) ?? null;
    const answering = seen.servers.filter((server) => server.result === "answered");
    const holders = answering.filter((server) => hasToken(server.answer, token));
    if (isEverywhere(seen)) {
      chain = await confirm(read, seen, cut, holders, asked);
      if (chain) seen.named = await readNamed(read, seen, cut);
      if (namedAgainst(seen).length > 0)
        await readUnlisted({ read, seen, cut, answering: addresses(holders) }, []);
    } else if (answering.length === 0) await checkOwnTcp(read, seen, cut.zone);
    else {
      const isNowhere = holders.length === 0 && strays.length === 0;
      const [first] = addresses(holders);
      // Negative answers of the others already have their serials.
      const [, holding] = await Promise.all([
        readSoa(read, seen, cut.zone, addresses(answering)),
        first && soaFrom(read, cut.zone, first),
      ]);
      if (first && holding) seen.holder = { host: first.host, serial: holding.serial };
      const all = { read, seen, cut, answering: addresses(answering) };
      if (isNowhere && !(await repeatAbsence(all, before))) {
        search = all;
        await probeAbsence(search, formerNameservers?.() ?? []);
      }
    }
  }
  if (overHttps && found.delegation.type === "unreachable")
    await readOverHttps(read, seen, overHttps);
  seen.limit = read.limit;
  const { type } = publicationStatusOf(seen);
  if (type === "lame" || type === "partial") await compareServers(read, seen);
  if (type === "lame" || type === "nowhere") {
    const earlier = before?.();
    const isSame = earlier?.answers === answersOf(evidenceOf(seen));
    const known = (isSame && earlier?.findings.zoneWitnesses) || null;
    const areFine = known?.every((one) => !isFailing(one) && one.result !== "timeout");
    const [witnesses] = await Promise.all([
      areFine ? known : askAboutZone(read, seen),
      askControls(read, seen),
    ]);
    seen.zoneWitnesses = witnesses;
    if (search !== null) await probeRareNames(search);
  }
  if (chain) {
    const { chain: shown, zones: _, period: __, cost: ___, ...judgement } = await chain.validation;
    seen.validation = judgement;
    const isShown = judgement.verdict === "secure" || judgement.verdict === "insecure";
    if (isShown) seen.chain = shown;
  }
  seen.packets = read.exchanges.length;
  seen.durationMs = read.durationMs;
  return seen;
}

async function confirm(
  read: Read,
  seen: Observation,
  cut: Cut,
  holders: readonly ServerReading[],
  servers: readonly ServerAddress[],
): Promise<ChainReading | null> {
  const { zone } = cut;
  const confirmations = [
    confirmOverTcp(read, seen, zone, addresses(holders)),
    confirmPath(read, zone, servers),
  ] as const;
  const chain = readChain(read, seen, cut, Promise.all(confirmations));
  const [{ confirmation, failures }, isPathConfirmed, witnesses] = await Promise.all([
    ...confirmations,
    askWitnesses(read, seen, zone),
  ]);
  seen.silentAbove = [...new Set([...seen.silentAbove, ...read.silent])];
  const confirmed = confirmation?.confirmed === true && isPathConfirmed;
  const differs = confirmation?.differs === true && isPathConfirmed;
  if (confirmation) {
    const { host, address } = confirmation;
    seen.confirmation = { host, address, confirmed, ...(differs && { differs }) };
  }
  seen.witnesses = witnesses;
  if (failures.size === holders.length)
    await noteTcpFailures(read, seen, zone, failures, isPathConfirmed);
  const agreed = witnesses.every(({ answer }) => answer?.values.includes(seen.token));
  if (!agreed || differs) await readSoa(read, seen, zone, addresses(holders));
  if (confirmed && isExplained(seen)) return chain;
  chain.giveUp();
  return null;
}

/** Whether our own validation says something: about a proof, or about resolvers that fail only when they validate. */
function isExplained(seen: Observation): boolean {
  // A signed record needs fewer witnesses.
  const verdict = witnessVerdictOf({ ...seen, validation: { verdict: "secure" } });
  const isRejected = verdict === "broken" && uncheckedVerdict(seen.witnesses) === "answers";
  return verdict === "seen" || isRejected;
}

async function readSoa(read: Read, seen: Observation, zone: string, servers: Answering[]) {
  for (const server of servers.slice(0, 2)) seen.soa ??= await soaFrom(read, zone, server);
}

async function soaFrom(read: Read, zone: string, server: Answering): Promise<Soa | null> {
  const message = await authoritative(read, zone, server, { name: zone, type: "SOA" });
  const soa = message && soaOf(message);
  return soa?.zone === zone ? soa : null;
}

/** The fastest first. */
const addresses = (servers: readonly ServerReading[]): Answering[] =>
  [...servers]
    .sort((a, b) => (a.latencyMs ?? 0) - (b.latencyMs ?? 0))
    .flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));

/** An address with packets ahead for longer has no room: one that is asked all the time is never quite empty. */
const ROOM_MS = 100;

/** Each read has 20 s; the caller limits how many run at once. Throws RangeError for a name not in lower-case ASCII. */
export function createReader(settings: ReaderSettings): Reader {
  const network = new Network(settings);
  const run = async <T>(
    signal: AbortSignal,
    work: (read: Read) => Promise<T>,
    isAwaited?: () => boolean,
  ) => {
    signal.throwIfAborted();
    const read = new Read(network, signal, isAwaited);
    try {
      const result = await work(read);
      signal.throwIfAborted();
      return { result, full: read.fullAddress };
    } finally {
      read.finish();
      settings.onPackets?.(read.exchanges);
    }
  };
  return {
    readChallenge: async (question, signal) => {
      const { domain, label, isAwaited = () => false } = question;
      if (!isReadable(domain) || under(label, domain) === null)
        throw new RangeError("not a name that a challenge can be at");
      const { result, full } = await run(signal, (one) => readChallenge(one, question), isAwaited);
      if (full !== null) throw new AddressFull(full);
      return result;
    },
    readZone: async (name, signal) => {
      if (!isReadable(name)) throw new RangeError("not a name");
      const { result, full } = await run(signal, (one) => readZone(one, name));
      return full === null ? result : { type: "unresolvable" };
    },
    hasRoom: (address) => network.pacer.lead(address) <= ROOM_MS,
    close: () => {
      for (const channel of network.channels.values()) channel.close();
    },
  };
}

const isReadable = (name: string) => name !== "." && isAskable(name) && !/[A-Z ]/.test(name);
