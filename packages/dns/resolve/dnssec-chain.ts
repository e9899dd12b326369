import { validate } from "../dnssec/validate.ts";
import type { Validation } from "../dnssec/verdict.ts";
import { isAtOrBelow, isBelow, isRegistry } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import type { Question } from "../wire/message.ts";
import { firstAnswer, listCandidates, tryAsk } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Cut, Endpoint } from "./reader.ts";

/** Packets for a chain. They are counted apart, so that the chain never takes a packet from the proof. */
export const MAX_CHAIN_PACKETS = 20;
/** Clocks differ, including ours, so a signature that is out of its time by fewer seconds than this is no fault. */
const CLOCK_TOLERANCE_SECONDS = 3600;
const MAX_ROUNDS = 10;
/** How many servers must show a fault before it counts as the zone's, if that many answer. */
const MIN_FAULT_SERVERS = 2;

/** A chain that is being read. After `giveUp`, which ends its questions, the verdict is about what has arrived. */
export type ChainReading = { validation: Promise<Validation>; giveUp(): void };

/** Asks for the registries' keys at once, and after `confirmed` for those on the path. Null means to judge a denial. */
export function readChain(
  read: Read,
  { challengeName: name, token, accepted: value = token }: Observation,
  cut: Cut,
  confirmed: Promise<unknown> | null,
): ChainReading {
  const { trustAnchors: anchors } = read.network.settings;
  const separateRead = read.withOwnPackets(MAX_CHAIN_PACKETS);
  const path = pathTo(read, cut).filter(({ zone }) =>
    anchors.some((anchor) => isAtOrBelow(zone, anchor.zone)),
  );
  const questionsAsked = new Set<string>();

  const ask = async (question: Question, isFault: boolean, isLowerCase = false): Promise<void> => {
    const holder = holderOf(path, question);
    if (!holder) return;
    const servers = serversOf(read, holder);
    const options = isLowerCase ? { dnssec: true, tcp: true } : { dnssec: true };
    const askOne = tryAsk(separateRead, holder.zone, question, options);
    if (!isFault) return void (await firstAnswer(servers, askOne));
    for (let missing = MIN_FAULT_SERVERS; missing > 0 && servers.length > 0; ) {
      const answers = await Promise.all(servers.splice(0, missing).map(askOne));
      missing -= answers.filter((answer) => answer !== null).length;
    }
  };

  const judge = () => {
    const signedSets = [...read.signed, ...separateRead.signed];
    const messages = signedSets.flatMap((set) => (isAtOrBelow(name, set.name) ? set.bytes : []));
    const at = Math.floor(read.network.clock() / 1000);
    const zones = path.map(({ zone }) => zone);
    // Only signatures of TXT are judged. For other records the resolvers' validation counts.
    const isDenied = confirmed === null && read.wanted.type === "TXT";
    return validate(messages, { name, value, at, anchors, zones, isDenied });
  };

  const refineVerdict = async (validation: Validation): Promise<Validation> => {
    if (validation.verdict === "bogus") {
      const { reason } = validation;
      const isDenial = confirmed === null && "records" in reason && !/^D/.test(reason.records);
      return isDenial && (await validatesInLowerCase())
        ? { ...validation, reason: { type: "capitals", zone: reason.zone } }
        : allowClockDrift(validation);
    }
    if (validation.verdict !== "indeterminate") return validation;
    const { reason } = validation;
    const lacksKeys = reason.type === "not_read" && reason.records === "DNSKEY";
    const holder = lacksKeys && path.find(({ zone }) => zone === reason.name);
    if (!holder || separateRead.isOver) return validation;
    const { zone } = holder;
    const askSoa = tryAsk(separateRead, zone, { name: zone, type: "SOA" });
    const control = await firstAnswer(serversOf(read, holder), askSoa);
    return control ? { ...validation, reason: { type: "keys_unanswered", zone } } : validation;
  };

  const validatesInLowerCase = async () => {
    const isOtherName = (set: { name: string }) => set.name !== name;
    separateRead.signed = separateRead.signed.filter(isOtherName);
    await ask({ name, type: "TXT" }, true, true);
    return !separateRead.signed.every(isOtherName) && (await judge()).verdict !== "bogus";
  };

  const allowClockDrift = (validation: Validation & { verdict: "bogus" }): Validation => {
    const { reason } = validation;
    if (reason.type !== "signatures_expired" && reason.type !== "signatures_not_yet_valid")
      return validation;
    const { at, zone, name, records } = reason;
    if (Math.abs(at - read.network.clock() / 1000) >= CLOCK_TOLERANCE_SECONDS) return validation;
    const gap = { type: "signatures_barely_untimely", zone, name, records } as const;
    return { ...validation, verdict: "indeterminate", reason: gap };
  };

  const validateAll = async (): Promise<Validation> => {
    const registries = path.filter(({ zone }) => isRegistry(zone, name));
    const keys = registries.map(({ zone }) => ask({ name: zone, type: "DNSKEY" }, false));
    await Promise.all([...keys, confirmed]);
    for (let round = 0; ; round += 1) {
      const validation = await judge();
      const next = nextQuestion(validation, path, name);
      const key = next && `${validation.verdict} ${next.name} ${next.type}`;
      if (!next || !key || questionsAsked.has(key) || round === MAX_ROUNDS || separateRead.isOver)
        return refineVerdict(validation);
      questionsAsked.add(key);
      await ask(next, validation.verdict === "bogus");
    }
  };
  return {
    validation: validateAll().finally(() => separateRead.finish()),
    giveUp: () => separateRead.finish(),
  };
}

function pathTo(read: Read, cut: Cut): Cut[] {
  const parentCut = read.cuts.get(cut.parent);
  return parentCut && parentCut.zone !== cut.zone ? [...pathTo(read, parentCut), cut] : [cut];
}

/** The zone that answers a question. For DS records it is the parent (RFC 4035 section 3.1.4.1). */
const holderOf = (path: readonly Cut[], { name, type }: Question): Cut | undefined =>
  path.findLast(({ zone }) => (type === "DS" ? isBelow(name, zone) : isAtOrBelow(name, zone)));

function serversOf(read: Read, cut: Cut): Endpoint[] {
  const answering = read.exchanges
    .filter(({ server, result }) => result === "answered" && cut.nameservers.includes(server))
    .map(({ server, address }) => ({ host: server, address }));
  const candidates = [...answering, ...listCandidates(read, read.orderOf(cut))];
  return candidates.filter(
    ({ address }, index) => candidates.findIndex((server) => server.address === address) === index,
  );
}

const QUESTION_TYPES: readonly string[] = ["DNSKEY", "DS", "TXT"];

/** The next question: one that was not read, or a fault to check on another server. Null if there is none. */
function nextQuestion(validation: Validation, path: readonly Cut[], name: string): Question | null {
  if (validation.verdict !== "bogus" && validation.verdict !== "indeterminate") return null;
  const { reason } = validation;
  if (reason.type === "ds_without_keys" || reason.type === "ds_matches_no_key")
    return { name: reason.zone, type: "DNSKEY" };
  if (!("records" in reason)) return null;
  if (QUESTION_TYPES.includes(reason.records))
    return { name: reason.name, type: reason.records as "DNSKEY" | "DS" | "TXT" };
  // For a denial, the zone proves that it delegates no further, or that a delegation is unsigned.
  const below = path.find(({ parent, zone }) => parent === reason.zone && zone !== reason.zone);
  return below ? { name: below.zone, type: "DS" } : { name, type: "TXT" };
}
