import { rcodeFailure } from "../rcode.ts";
import type { Failure, WitnessFailure, WitnessReading } from "../verdict/observation.ts";
import type { ExtendedError, Message } from "../wire/message.ts";
import type { QueryOptions, Question } from "../wire/query.ts";
import { txtAnswer } from "./answers.ts";
import { exchange, exchangeSecurely } from "./exchange.ts";
import type { Read } from "./read.ts";
import type { WitnessAddress } from "./reader.ts";

/** Asks every configured witness concurrently for TXT at `name` and for the nameservers of `zone`. */
export function askWitnesses(read: Read, name: string, zone: string): Promise<WitnessReading[]> {
  return Promise.all(
    read.network.settings.witnesses.map(async (witness) => {
      const [reading, nameservers] = await Promise.all([
        askTxt(read, witness, name),
        askNameservers(read, witness, zone),
      ]);
      return { ...reading, nameservers };
    }),
  );
}

async function askTxt(
  read: Read,
  witness: WitnessAddress,
  name: string,
): Promise<Omit<WitnessReading, "nameservers">> {
  const question = { name, type: "TXT" } as const;
  let extendedErrors: ExtendedError[] = [];
  let ad = false;
  const reply = await ask(read, witness, question, (message) => {
    extendedErrors = message.extendedErrors;
    ad = message.ad;
    return rcodeFailure(message.rcode);
  });
  const reading = {
    name: witness.name,
    address: witness.address,
    result: "answered" as const,
    answer: null,
    ad,
    extendedErrors,
    uncheckedRcode: null,
    latencyMs: null,
  };
  if (reply.ok) {
    return { ...reading, answer: txtAnswer(reply.message, name), latencyMs: reply.latencyMs };
  }
  if (reply.failure !== "servfail") return { ...reading, result: resolverFailure(reply.failure) };
  let uncheckedRcode: string | null = null;
  const note = (message: Message) => {
    uncheckedRcode = message.rcode;
    return null;
  };
  await ask(read, witness, question, note, { checkingDisabled: true });
  return { ...reading, result: "servfail", uncheckedRcode };
}

async function askNameservers(
  read: Read,
  witness: WitnessAddress,
  zone: string,
): Promise<string[] | null> {
  const reply = await ask(read, witness, { name: zone, type: "NS" }, (message) =>
    rcodeFailure(message.rcode),
  );
  if (!reply.ok) return null;
  const targets = reply.message.answers.flatMap((record) =>
    record.type === "NS" && record.name === zone ? record.target : [],
  );
  return [...new Set(targets)].sort();
}

/** Asks a witness one question over its configured transport. */
function ask(
  read: Read,
  witness: WitnessAddress,
  question: Question,
  faultOf: (message: Message) => Failure | null,
  options: QueryOptions = {},
) {
  const target = { server: witness.name, address: witness.address, port: witness.port };
  const channel = read.network.channels.get(witness);
  const asked = { ...options, recursion: true };
  return channel
    ? exchangeSecurely(read, target, channel, question, faultOf, asked)
    : exchange(read, target, question, faultOf, asked);
}

function resolverFailure(failure: Failure | WitnessFailure): WitnessFailure {
  const known = failure === "refused" || failure === "malformed" || failure === "untrusted";
  return known ? failure : "timeout";
}
