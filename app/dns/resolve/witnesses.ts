import { rcodeFailure } from "../protocol.ts";
import type {
  Failure,
  Observation,
  WitnessFailure,
  WitnessReading,
} from "../verdict/observation.ts";
import { hasToken } from "../verdict/publication-status.ts";
import type { Message } from "../wire/message.ts";
import type { QueryOptions, Question } from "../wire/query.ts";
import { shuffled } from "../wire/random.ts";
import { addressesIn, txtAnswer } from "./answers.ts";
import { exchange, exchangeSecurely } from "./exchange.ts";
import type { Read, Reply } from "./read.ts";
import type { WitnessAddress } from "./reader.ts";

/**
 * Asks every configured witness concurrently for TXT at the challenge name, and a majority of them, drawn at random, for
 * the nameservers of `zone`; the others too unless these agree and every witness has the token.
 */
export async function askWitnesses(
  read: Read,
  { challengeName: name, token }: Pick<Observation, "challengeName" | "token">,
  zone: string,
): Promise<WitnessReading[]> {
  const witnesses = shuffled(read.network.settings.witnesses);
  const known = new Map<WitnessAddress, string[] | null>();
  const askAll = (some: readonly WitnessAddress[]) =>
    Promise.all(some.map(async (one) => known.set(one, await askNameservers(read, one, zone))));
  const majority = Math.floor(witnesses.length / 2) + 1;
  const [readings] = await Promise.all([
    Promise.all(read.network.settings.witnesses.map((one) => askTxt(read, one, name))),
    askAll(witnesses.slice(0, majority)),
  ]);
  const lists = new Set([...known.values()].map((list) => list?.join() ?? null));
  const isAgreed = lists.size === 1 && !lists.has(null);
  const isSeen = readings.every(({ answer }) => hasToken(answer, token));
  if (!isAgreed || !isSeen) await askAll(witnesses.slice(majority));
  return readings.map((reading, index) => {
    const witness = read.network.settings.witnesses[index];
    return { ...reading, nameservers: (witness && known.get(witness)) ?? null };
  });
}

async function askTxt(
  read: Read,
  witness: WitnessAddress,
  name: string,
): Promise<Omit<WitnessReading, "nameservers">> {
  const question = { name, type: "TXT" } as const;
  const reply = await ask(read, witness, question);
  const { message, failure } = reply;
  const unchecked =
    failure === "servfail" ? await ask(read, witness, question, { checkingDisabled: true }) : null;
  return {
    name: witness.name,
    address: witness.address,
    result: failure === null ? "answered" : witnessFailure(failure),
    answer: message && failure === null ? txtAnswer(message, name) : null,
    ad: message?.ad ?? false,
    extendedErrors: message?.extendedErrors ?? [],
    uncheckedRcode: unchecked?.message?.rcode ?? null,
    latencyMs: message && failure === null ? reply.latencyMs : null,
  };
}

async function askNameservers(
  read: Read,
  witness: WitnessAddress,
  zone: string,
): Promise<string[] | null> {
  const { message, failure } = await ask(read, witness, { name: zone, type: "NS" });
  if (!message || failure !== null) return null;
  const targets = message.answers.flatMap((record) =>
    record.type === "NS" && record.name === zone ? record.target : [],
  );
  return [...new Set(targets)].sort();
}

/** The addresses of a host that a majority of the witnesses returns. */
export async function witnessedAddresses(
  read: Read,
  host: string,
  type: "A" | "AAAA",
): Promise<string[]> {
  const { witnesses } = read.network.settings;
  const lists = await Promise.all(
    witnesses.map(async (witness) => {
      const { message, failure } = await ask(read, witness, { name: host, type });
      return message && failure === null ? [...new Set(addressesIn(message, host, type))] : [];
    }),
  );
  const counted = lists.flat();
  const isReturned = (address: string) =>
    counted.filter((other) => other === address).length > witnesses.length / 2;
  return [...new Set(counted)].filter(isReturned);
}

/** Asks a witness one question over its configured transport. */
function ask(
  read: Read,
  witness: WitnessAddress,
  question: Question,
  options: QueryOptions = {},
): Promise<Reply<Failure | WitnessFailure>> {
  const target = { server: witness.name, address: witness.address, port: witness.port };
  const channel = read.network.channels.get(witness);
  const asked = { ...options, recursion: true };
  const faultOf = ({ rcode }: Message) => (options.checkingDisabled ? null : rcodeFailure(rcode));
  return channel
    ? exchangeSecurely(read, target, channel, question, faultOf, asked)
    : exchange(read, target, question, faultOf, asked);
}

function witnessFailure(failure: Failure | WitnessFailure): WitnessFailure {
  switch (failure) {
    case "refused":
    case "servfail":
    case "malformed":
    case "untrusted":
      return failure;
    default:
      return "timeout";
  }
}
