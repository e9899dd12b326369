import { validate } from "../dnssec/messages.ts";
import type { Validation } from "../dnssec/verdict.ts";
import { isAtOrBelow, isBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { isRegistry } from "../verdict/registry.ts";
import type { Question } from "../wire/query.ts";
import { askAuthority } from "./authority.ts";
import type { Read } from "./read.ts";
import type { Answering, Cut } from "./referral.ts";
import { candidates, firstAnswer } from "./zone-servers.ts";

/** Packets for a chain, apart from those of its read, so that it never takes one from the proof. */
export const MAX_CHAIN_PACKETS = 20;
/** Rounds of asking for what the validator finds missing or at fault. */
const MAX_ROUNDS = 10;
/** Servers that must show a fault before it counts as the zone's, if that many answer. */
const SECOND_OPINION = 2;

/** A chain being read. `giveUp` ends its questions; the verdict is then about what has been gathered. Never rejects. */
export type ChainReading = { validation: Promise<Validation>; giveUp(): void };

/**
 * Reads the DNSSEC chain from an anchor to the token, beside the questions that prove it. Those are asked with DO and
 * bring the record and the DS records of each cut, with their signatures; this asks for the keys of the registries at
 * once, and `confirmed`, once all answers are there, for what the validator still misses: mostly the keys of the zones
 * below, if they are signed. Asks only servers that the read has talked to, and the glue of their zones.
 */
export function readChain(
  read: Read,
  { challengeName: name, token }: Observation,
  cut: Cut,
  confirmed: Promise<unknown>,
): ChainReading {
  const { trustAnchors: anchors } = read.network.settings;
  const beside = read.beside(MAX_CHAIN_PACKETS);
  const path = pathTo(read, cut).filter(({ zone }) =>
    anchors.some((anchor) => isAtOrBelow(zone, anchor.zone)),
  );
  const asked = new Set<string>();

  const ask = async (question: Question, isDoubted: boolean): Promise<void> => {
    const holder = holderOf(path, question);
    if (!holder) return;
    const servers = serversOf(read, holder);
    const askOne = async (server: Answering) => {
      const answer = await askAuthority(beside, holder.zone, server, question, { dnssec: true });
      return "failure" in answer ? null : answer;
    };
    if (isDoubted) await Promise.all(servers.slice(0, SECOND_OPINION).map(askOne));
    else await firstAnswer(servers, askOne);
  };

  const judge = () => {
    const gathered = [...read.signed, ...beside.signed].filter((one) =>
      isAtOrBelow(name, one.name),
    );
    const at = Math.floor(read.network.clock() / 1000);
    const zones = path.map(({ zone }) => zone);
    const messages = gathered.map(({ bytes }) => bytes);
    return validate(messages, { name, value: token, at, anchors, zones });
  };

  const settle = async (): Promise<Validation> => {
    const registries = path.filter(({ zone }) => isRegistry(zone, name));
    const keys = registries.map(({ zone }) => ask({ name: zone, type: "DNSKEY" }, false));
    await Promise.all([...keys, confirmed]);
    for (let round = 0; ; round += 1) {
      const validation = await judge();
      const wanted = wantedBy(validation);
      const key = wanted && `${validation.verdict} ${wanted.name} ${wanted.type}`;
      if (!wanted || !key || asked.has(key) || round === MAX_ROUNDS || beside.isOver)
        return validation;
      asked.add(key);
      await ask(wanted, validation.verdict === "bogus");
    }
  };
  return {
    validation: settle().finally(() => beside.finish()),
    giveUp: () => beside.finish(),
  };
}

/** The cuts from the root down to `cut`. */
function pathTo(read: Read, cut: Cut): Cut[] {
  const above = read.cuts.get(cut.parent);
  return above && above.zone !== cut.zone ? [...pathTo(read, above), cut] : [cut];
}

/** The zone that answers a question: the parent for DS records (RFC 4035 section 3.1.4.1). */
const holderOf = (path: readonly Cut[], { name, type }: Question): Cut | undefined =>
  path.findLast(({ zone }) => (type === "DS" ? isBelow(name, zone) : isAtOrBelow(name, zone)));

/** The servers of a zone that have answered in this read, then those with glue. */
function serversOf(read: Read, cut: Cut): Answering[] {
  const talking = read.exchanges
    .filter(({ server, result }) => result === "answered" && cut.nameservers.includes(server))
    .map(({ server, address }) => ({ host: server, address }));
  const all = [...talking, ...candidates(read, read.orderOf(cut))];
  return all.filter(
    ({ address }, index) => all.findIndex((one) => one.address === address) === index,
  );
}

const TYPES: readonly string[] = ["DNSKEY", "DS", "TXT"];

/** What was not read, or what is at fault and should be asked of another server too; null if nothing can be asked. */
function wantedBy(validation: Validation): Question | null {
  if (validation.verdict !== "bogus" && validation.verdict !== "indeterminate") return null;
  const { reason } = validation;
  if (reason.type === "ds_without_keys" || reason.type === "ds_matches_no_key")
    return { name: reason.zone, type: "DNSKEY" };
  if (!("records" in reason) || !TYPES.includes(reason.records)) return null;
  return { name: reason.name, type: reason.records as "DNSKEY" | "DS" | "TXT" };
}
