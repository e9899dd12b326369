import { setTimeout as sleep } from "node:timers/promises";
import {
  type Denier,
  type Observation,
  rcodeFailure,
  type WitnessFailure,
  type WitnessReading,
  type ZoneWitness,
} from "../verdict/observation.ts";
import {
  areMostSilent,
  hasToken,
  nextTurn,
  publicationStatusOf,
} from "../verdict/publication-status.ts";
import { cachedFor, repeatedDenials, TURN_MS, wasCached } from "../verdict/standing.ts";
import { type Message, type QueryOptions, type Question, shuffled } from "../wire/message.ts";
import { addressesIn, nameserversIn, recordAnswer, soaOf } from "./authority.ts";
import { exchange, exchangeSecurely } from "./exchange.ts";
import type { Read } from "./read.ts";
import type { ChallengeQuestion, WitnessAddress } from "./reader.ts";
import { randomSibling } from "./wildcards.ts";

type RecordQuestion = Pick<Observation, "challengeName" | "token" | "tried">;

/** Asks all for TXT and a random majority for NS. Asks the rest for NS unless those agree and all have the token. */
export async function askWitnesses(read: Read, seen: RecordQuestion, zone: string) {
  const { witnesses: configured } = read.network.settings;
  const witnesses = shuffled(configured);
  const hostLists = new Map<WitnessAddress, string[] | null>();
  const askAll = (chosen: readonly WitnessAddress[]) =>
    Promise.all(
      chosen.map(async (witness) =>
        hostLists.set(witness, await askNameservers(read, witness, zone)),
      ),
    );
  const majority = Math.floor(witnesses.length / 2) + 1;
  const [readings] = await Promise.all([
    askForRecord(read, seen),
    askAll(witnesses.slice(0, majority)),
  ]);
  const lists = new Set([...hostLists.values()].map((list) => list?.join() ?? null));
  const doAgree = lists.size === 1 && !lists.has(null);
  const haveAllRecord = [...readings.values()].every(({ answer }) => hasToken(answer, seen.token));
  if ((!doAgree || !haveAllRecord) && !isSilenced(read, readings))
    await askAll(witnesses.slice(majority));
  return configured.map((witness): WitnessReading => {
    const { name, address } = witness;
    return {
      ...{ name, address, result: "unasked", answer: null, ad: false, extendedErrors: [] },
      ...{ uncheckedRcode: null, latencyMs: null, ...readings.get(witness) },
      nameservers: hostLists.get(witness) ?? null,
    };
  });
}

/**
 * Asks witnesses for the record: with `tried`, one by one. One that is asked too soon caches its denial, so the next
 * waits for a while, unless the denial was cached before. Asks those that denied it already, and all once a majority
 * has it.
 */
async function askForRecord(read: Read, { challengeName: name, token, tried }: RecordQuestion) {
  const { settings, clock } = read.network;
  const readings = new Map<WitnessAddress, RecordReading>();
  const readNumber = 1 + repeatedDenials(tried);
  const question = { name, type: read.wanted.type };
  const ask = async (witness: WitnessAddress) => {
    const reading: RecordReading = await askUnexpired(read, witness, question);
    readings.set(witness, reading);
    if (reading.answer === null || hasToken(reading.answer, token)) return false;
    if (!tried) return true;
    Object.assign(reading, await freshTtl(read, witness, name, reading));
    noteDenial(tried, reading, clock(), readNumber);
    return true;
  };
  const isTried = ({ name }: WitnessAddress) => tried?.some(({ resolver }) => resolver === name);
  const firstWitnesses = settings.witnesses.filter((witness) => !tried || isTried(witness));
  let isDenied = (await Promise.all(firstWitnesses.map(ask))).includes(true);
  for (const witness of settings.witnesses.filter((witness) => !firstWitnesses.includes(witness))) {
    const count = [...readings.values()].filter(({ answer }) => hasToken(answer, token)).length;
    const isSettled = count * 2 > settings.witnesses.length;
    if (isDenied && !isSettled && clock() < nextTurn(tried)) break;
    if (isSilenced(read, readings)) break;
    if (await ask(witness)) isDenied = true;
  }
  return readings;
}

/** Whether so many witnesses are silent that the others cannot decide. */
const isSilenced = ({ network }: Read, readings: ReadonlyMap<WitnessAddress, RecordReading>) =>
  areMostSilent(
    network.settings.witnesses.map((witness) => readings.get(witness) ?? { result: "unasked" }),
  );

type RecordReading = Awaited<ReturnType<typeof askWitness>> & Pick<WitnessReading, "fresh">;

/** A resolver's instance that lags has the record after a minute: until then, a denial does not count as renewed. */
function noteDenial(tried: Denier[], reading: RecordReading, now: number, readNumber: number) {
  const ends = now + Math.max(cachedFor(reading) * 1000, TURN_MS);
  const wasKept = wasCached(reading);
  const denier = tried.find(({ resolver }) => resolver === reading.name);
  if (!denier) tried.push({ resolver: reading.name, until: wasKept ? now : now + TURN_MS, ends });
  else if (now >= (denier.ends ?? ends))
    Object.assign(denier, { ends, ...(!wasKept && { again: readNumber }) });
}

/** A resolver that answers with expired data (RFC 8767) refreshes it afterwards, so it is asked once more. */
async function askUnexpired(read: Read, witness: WitnessAddress, question: Question) {
  const reading = await askWitness(read, witness, question);
  if (!isExpired(reading)) return reading;
  await sleep(1_000, undefined, { signal: read.signal }).catch(() => {});
  return askWitness(read, witness, question);
}

/**
 * Asks for a random name, which no cache has, to see the TTL that this witness gives a new denial. Skips a validated
 * denial, which may come from a cached NSEC: the random name's NSEC could cover the record. Ignores another zone's
 * SOA, or one with other times, as after a move or an edit.
 */
async function freshTtl(read: Read, witness: WitnessAddress, name: string, denial: RecordReading) {
  const soa = denial.answer?.soa;
  const sibling = randomSibling(name);
  if (!soa || !sibling || denial.ad || isExpired(denial)) return {};
  const { message } = await ask(read, witness, { name: sibling, type: read.wanted.type });
  const newSoa = message && message.answers.length === 0 ? soaOf(message) : null;
  const isSame =
    newSoa?.zone === soa.zone && newSoa.minimum === soa.minimum && newSoa.refresh === soa.refresh;
  return isSame ? { fresh: newSoa.ttl } : {};
}

async function askWitness(read: Read, witness: WitnessAddress, question: Question) {
  const reply = await ask(read, witness, question);
  const { message, failure } = reply;
  const uncheckedReply =
    failure === "servfail" ? await ask(read, witness, question, { checkingDisabled: true }) : null;
  const isAnswer = message !== null && failure === null;
  const witnessFailure = FAILURES.find((kind) => kind === failure) ?? "timeout";
  return {
    name: witness.name,
    address: witness.address,
    result: failure === null ? ("answered" as const) : witnessFailure,
    answer: isAnswer ? recordAnswer(read, message, question.name) : null,
    ad: message?.ad ?? false,
    extendedErrors: message?.extendedErrors ?? [],
    uncheckedRcode: uncheckedReply?.message?.rcode ?? null,
    latencyMs: isAnswer ? reply.latencyMs : null,
  };
}

/** Slower servers may delay a resolver so much that its first answer comes too late. */
const QUICK_MS = 500;
/** Extended errors of an answer from expired data (RFC 8914 sections 4.4 and 4.20). */
const STALE_ANSWER_CODES = [3, 19];

const isExpired = ({ extendedErrors }: Pick<Message, "extendedErrors">) =>
  extendedErrors.some(({ code }) => STALE_ANSWER_CODES.includes(code));

/** How the witnesses resolve the zone; null if that is the challenge name, as they would cache a denial of it. */
export async function askAboutZone(read: Read, seen: Observation): Promise<ZoneWitness[] | null> {
  const { delegation, challengeName, servers } = seen;
  if (delegation.type !== "delegated" || delegation.zone === challengeName) return null;
  const { zone: name, parent } = delegation;
  const areQuick = servers.every(({ latencyMs }) => latencyMs === null || latencyMs < QUICK_MS);
  const readings = await Promise.all(
    read.network.settings.witnesses.map(async (witness) => {
      const answers = async (question: Question) => {
        const { message } = await ask(read, witness, question, { checkingDisabled: true });
        return message !== null && !rcodeFailure(message.rcode) && !isExpired(message);
      };
      const [soa, keys] = await Promise.all([
        askWitness(read, witness, { name, type: "SOA" }),
        answers({ name, type: "DNSKEY" }),
      ]);
      const isLate = soa.result === "timeout" && areQuick;
      const parentAnswers = isLate ? await answers({ name: parent, type: "SOA" }) : null;
      return { ...soa, nameservers: null, keys, parent: parentAnswers };
    }),
  );
  return read.isOver ? null : readings;
}

/** For a zone that passes our own validation, asks the witnesses that reject it which DS records they still have. */
export async function askForDs(read: Read, seen: Observation): Promise<void> {
  const { delegation, validation, witnesses, zoneWitnesses } = seen;
  const isZoneValid = validation?.verdict === "insecure" || validation?.verdict === "secure";
  if (!isZoneValid || delegation.type !== "delegated") return;
  const { zone: name } = delegation;
  const rejecting = [...(witnesses ?? zoneWitnesses ?? [])].filter(
    ({ uncheckedRcode }) => uncheckedRcode !== null && !rcodeFailure(uncheckedRcode),
  );
  const readDsTtl = async (one: WitnessReading) => {
    const witness = read.network.settings.witnesses.find(({ address }) => address === one.address);
    const reply = witness && (await ask(read, witness, { name, type: "DS" }));
    const ds = reply?.message?.answers.find(({ type }) => type === "DS");
    if (ds) one.dsTtl = ds.ttl;
  };
  await Promise.all(rejecting.map(readDsTtl));
}

/** Until a claim is this old, a record that no nameserver has was most likely never published. */
const OUTSIDE_AFTER_MS = 24 * 3_600_000;

/**
 * Looks for a public resolver, not a witness, that has the record although no nameserver shows it to us. Null once
 * that no longer has it; undefined before a first try. Its cached answer never prevents a proof.
 */
export async function askOutside(
  read: Read,
  seen: Observation,
  { outside, overHttps }: Pick<ChallengeQuestion, "outside" | "overHttps">,
): Promise<Observation["outside"]> {
  if (outside === null || publicationStatusOf(seen).type !== "nowhere") return outside;
  const outsiders = shuffled(read.network.settings.outsiders ?? []);
  const resolver = outsiders.find(({ name }) => name === outside) ?? outsiders[0];
  if (!resolver || !overHttps || read.at < overHttps.openedAt + OUTSIDE_AFTER_MS) return undefined;
  const { answer } = await askWitness(read, resolver, { name: seen.challengeName, type: "TXT" });
  return answer ? (hasToken(answer, seen.token) ? resolver.name : null) : outside;
}

async function askNameservers(read: Read, witness: WitnessAddress, zone: string) {
  const { message, failure } = await ask(read, witness, { name: zone, type: "NS" });
  if (!message || failure !== null) return null;
  return [...new Set(nameserversIn(message, zone))].sort();
}

/** The addresses of `host` that most witnesses return. */
export async function witnessedAddresses(read: Read, host: string, type: "A" | "AAAA") {
  const { witnesses } = read.network.settings;
  const lists = await Promise.all(
    witnesses.map(async (witness) => {
      const { message, failure } = await ask(read, witness, { name: host, type });
      return message && failure === null ? [...new Set(addressesIn(message, host, type))] : [];
    }),
  );
  const addresses = lists.flat();
  const isMajority = (address: string) =>
    addresses.filter((other) => other === address).length > witnesses.length / 2;
  return [...new Set(addresses)].filter(isMajority);
}

/** Asks a witness. Without encryption it needs TCP: a server may drop our capitals, and a resolver may cache that. */
function ask(read: Read, witness: WitnessAddress, question: Question, options: QueryOptions = {}) {
  const target = { server: witness.name, address: witness.address, port: witness.port };
  const channel = read.network.channels.get(witness);
  const queryOptions = { ...options, recursion: true };
  const faultOf = ({ rcode }: Message) => (options.checkingDisabled ? null : rcodeFailure(rcode));
  const request = { read, target, question, faultOf };
  if (channel) return exchangeSecurely(request, channel, queryOptions);
  const transportOptions = read.tcpOnly.size > 0 ? { tcp: true } : { insist: true, soon: true };
  return exchange(request, { ...queryOptions, ...transportOptions });
}

const FAILURES: readonly WitnessFailure[] = ["refused", "servfail", "malformed", "untrusted"];
