import { joined } from "../names.ts";
import { answersOf, evidenceOf } from "../verdict/evidence.ts";
import { nextKnown } from "../verdict/known-delegation.ts";
import type { Observation, ServerReading, Soa } from "../verdict/observation.ts";
import {
  areMostSilent,
  hasToken,
  isAnswered,
  isFailing,
  isOnAllServers,
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
  reuseFindings,
  type Search,
} from "./absence-probes.ts";
import {
  askForMessage,
  firstAnswer,
  noteAccepted,
  recordAnswer,
  soaOf,
  tryAsk,
} from "./authority.ts";
import { readTarget } from "./cname-target.ts";
import { askControls, compareServers } from "./controls.ts";
import { type ChainReading, readChain } from "./dnssec-chain.ts";
import { checkOwnTcp, confirmOverTcp, confirmPath, hasWorkingTcp } from "./path-confirmation.ts";
import type { Read } from "./read.ts";
import {
  type ChallengeQuestion,
  type Cut,
  type Endpoint,
  type ServerAddress,
  wantedIn,
} from "./reader.ts";
import { readOverHttps } from "./signed-over-https.ts";
import { readingOf } from "./walk.ts";
import { readWitnessed } from "./witnessed-nameservers.ts";
import { askAboutZone, askForDs, askOutside, askWitnesses } from "./witnesses.ts";
import { descend, findDelegation } from "./zone-cuts.ts";

/** What a read asks next: about the record that it found, or about the missing one. */
type NextQuestions = { chain?: ChainReading | null; search?: Search };

export async function readChallenge(read: Read, question: ChallengeQuestion): Promise<Observation> {
  read.wanted = wantedIn(question);
  const seen = emptyObservation(read, question);
  const found = await findDelegation(read, question.domain);
  seen.delegation = found.delegation;
  const next: NextQuestions = found.cut ? await readRecord(read, seen, found.cut, question) : {};
  if (question.overHttps && found.delegation.type === "unreachable")
    await readOverHttps(read, seen, question.overHttps);
  seen.limit = read.limit;
  const [denialReading] = await Promise.all([
    askForReasons(read, seen, next.search, question.before),
    askInLowerCase(read, seen),
  ]);
  const reading = next.chain ?? denialReading;
  if (reading) {
    const validation = await reading.validation;
    const { chain, zones: _zones, period: _period, cost: _cost, ...judgement } = validation;
    const isProven = judgement.verdict === "secure" || judgement.verdict === "insecure";
    seen.validation = judgement;
    seen.chain = isProven ? chain : null;
  }
  await askForDs(read, seen);
  seen.known = nextKnown(seen, question.known);
  if (read.wanted.type === "CNAME" && !question.isPlain) seen.target = await readTarget(read, seen);
  const outside = await askOutside(read, seen, question);
  if (outside !== undefined) seen.outside = outside;
  seen.packets = read.exchanges.length;
  seen.durationMs = Math.round(performance.now() - read.startedAt);
  return seen;
}

export const emptyObservation = (
  read: Pick<Read, "at" | "exchanges">,
  { domain, label, token, type, tried }: ChallengeQuestion,
): Observation => ({
  version: 1,
  at: read.at,
  durationMs: 0,
  ...{ domain, label, challengeName: joined(label, domain), token },
  delegation: { type: "unreachable", zone: "." },
  ...{ servers: [], strays: [], silentAbove: [], named: null, unlisted: [], former: [] },
  ...{ parent: null, soa: null, holder: null, typesAtName: [], confirmation: null },
  ...{ wildcard: null, misplaced: [], witnesses: null, validation: null, chain: null },
  ...{ packets: 0, limit: null, exchanges: read.exchanges },
  ...(type === "CNAME" && { type }),
  ...(tried && { tried: tried.map((denier) => ({ ...denier })) }),
});

/** Asks every nameserver, from the zone that a registry delegates down. Asks more if the answers call for it. */
async function readRecord(read: Read, seen: Observation, from: Cut, question: ChallengeQuestion) {
  const { formerNameservers, before, isPlain } = question;
  const { challengeName: name, token } = seen;
  const hasRecord = (message: Message | null) =>
    message !== null && hasToken(recordAnswer(read, message, name), token);
  const descent = await descend(read, from, { name, type: read.wanted.type }, hasRecord);
  const { cut, replies, asked, strays, silentAbove } = descent;
  seen.delegation = { type: "delegated", ...cut };
  seen.servers = replies.map((reply) => readingOf(read, reply, name));
  const messages = replies.map(({ message }) => message);
  noteAccepted(seen, messages, read.wanted);
  seen.strays = strays.flatMap(({ host, referral }) =>
    referral ? { host, zone: referral.cut.zone, nameservers: referral.cut.nameservers } : [],
  );
  seen.silentAbove = silentAbove;
  const soas = seen.servers.map(({ answer }) => answer?.soa);
  seen.soa = soas.find((soa) => soa?.zone === cut.zone) ?? null;
  const answered = seen.servers.filter((server) => server.result === "answered");
  const holders = answered.filter((server) => hasToken(server.answer, token));
  const search = { read, seen, cut, answering: endpointsOf(answered) };
  if (isOnAllServers(seen)) {
    const chain = await confirm(read, seen, cut, holders, asked);
    if (chain) seen.named = await readWitnessed(read, seen, cut);
    if (namedAgainst(seen).length > 0) await readUnlisted(search, []);
    return { chain };
  }
  // If some nameservers lack the record, a resolver's next denial does not count as renewed.
  if (holders.length < answered.length) for (const denier of seen.tried ?? []) delete denier.again;
  const [first] = endpointsOf(holders);
  if (answered.length === 0) await checkOwnTcp(read, seen, cut.zone);
  else {
    // The negative answers of the other servers already have their serials.
    const holderSoa = first && soaFrom(read, cut.zone, first);
    await readSoa(read, seen, cut.zone, search.answering);
    const serial = (await holderSoa)?.serial;
    if (first && serial !== undefined) seen.holder = { host: first.host, serial };
  }
  if (answered.length === 0 || holders.length > 0 || strays.length > 0) return {};
  if (isPlain || (await reuseFindings(search, before))) return {};
  await probeAbsence(search, formerNameservers?.() ?? []);
  return { search };
}

/** If no server, or not every one, has the record, asks other questions that show why. */
async function askForReasons(
  read: Read,
  seen: Observation,
  search: Search | undefined,
  before: ChallengeQuestion["before"],
): Promise<ChainReading | null> {
  const { delegation } = seen;
  const status = publicationStatusOf(seen);
  const { type } = status;
  if (type === "lame" || type === "partial") await compareServers(read, seen);
  if (type !== "lame" && type !== "nowhere") return null;
  const earlierRead = before?.();
  const isUnchanged = earlierRead?.answers === answersOf(evidenceOf(seen));
  const earlierWitnesses = (isUnchanged && earlierRead?.findings.zoneWitnesses) || null;
  const haveResolved = earlierWitnesses?.every(
    (witness) => !isFailing(witness) && witness.result !== "timeout",
  );
  const [witnesses] = await Promise.all([
    haveResolved ? earlierWitnesses : askAboutZone(read, seen),
    askControls(read, seen),
  ]);
  seen.zoneWitnesses = witnesses;
  let chain: ChainReading | null = null;
  const isRejected =
    witnessVerdictOf({ ...seen, witnesses }) === "broken" &&
    uncheckedVerdict(witnesses) !== "fails";
  if (isRejected && status.type === "nowhere" && delegation.type === "delegated") {
    const hasOtherData = status.answers.some(({ alias, values }) => alias || values.length > 0);
    chain = readChain(read, seen, delegation, hasOtherData ? Promise.resolve() : null);
    await chain.validation;
  }
  if (search) await probeRareNames(search);
  return chain;
}

/** Asks whether servers that drop our capital letters over UDP answer lower-case questions. */
async function askInLowerCase(read: Read, seen: Observation): Promise<void> {
  const { delegation, servers } = seen;
  const answered = endpointsOf(servers.filter(isAnswered));
  if (delegation.type !== "delegated") return;
  if (!answered.every(({ address }) => read.tcpOnly.has(address))) return;
  const question = { name: delegation.zone, type: "SOA" } as const;
  const ask = tryAsk(read, delegation.zone, question, { asGiven: true, soon: true });
  if (await firstAnswer(answered, ask)) seen.capitals = true;
}

/** Confirms a record that every server has. Null if it is not confirmed, or if our own validation cannot matter. */
async function confirm(
  read: Read,
  seen: Observation,
  cut: Cut,
  holders: readonly ServerReading[],
  servers: readonly ServerAddress[],
): Promise<ChainReading | null> {
  const { zone } = cut;
  const confirmations = [
    confirmOverTcp(read, seen, zone, endpointsOf(holders)),
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
  const isFailing = failures.size === holders.length && (await hasWorkingTcp(read, zone));
  // If no server with the token answers over TCP, that is a fault, provided that others do and their path is confirmed.
  if (isFailing && isPathConfirmed && read.limit === null)
    for (const server of seen.servers) server.result = failures.get(server.host) ?? server.result;
  const doAllAgree = witnesses.every(({ answer }) => answer?.values.includes(seen.token));
  if (!doAllAgree || differs) await readSoa(read, seen, zone, endpointsOf(holders));
  if (confirmed && doesValidationMatter(seen)) return chain;
  chain.giveUp();
  return null;
}

/** Whether our own validation matters: for a proof, or for resolvers that fail only when they validate. */
function doesValidationMatter(seen: Observation): boolean {
  // A signed record needs fewer witnesses.
  const verdict = witnessVerdictOf({ ...seen, validation: { verdict: "secure" } });
  const isRejected = verdict === "broken" && uncheckedVerdict(seen.witnesses) === "answers";
  const isSilent = verdict === "unread" && areMostSilent(seen.witnesses ?? []);
  return verdict === "seen" || isRejected || isSilent;
}

async function readSoa(read: Read, seen: Observation, zone: string, servers: readonly Endpoint[]) {
  for (const server of servers.slice(0, 2)) seen.soa ??= await soaFrom(read, zone, server);
}

async function soaFrom(read: Read, zone: string, server: Endpoint): Promise<Soa | null> {
  const message = await askForMessage(read, zone, server, { name: zone, type: "SOA" });
  const soa = message && soaOf(message);
  return soa?.zone === zone ? soa : null;
}

/** The servers that have an address, the fastest first. */
const endpointsOf = (servers: readonly ServerReading[]): Endpoint[] =>
  [...servers]
    .sort((a, b) => (a.latencyMs ?? 0) - (b.latencyMs ?? 0))
    .flatMap(({ host, address }) => (address === null ? [] : [{ host, address }]));
