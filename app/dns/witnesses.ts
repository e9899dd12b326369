import { txtAnswer } from "./answers.ts";
import { exchange } from "./exchange.ts";
import type { ExtendedError } from "./message.ts";
import type { WitnessReading } from "./observation.ts";
import type { Read } from "./read.ts";
import type { WitnessAddress } from "./reader.ts";
import { failureOf } from "./referral.ts";

/** Asks every configured witness for TXT at `name`, all at once. */
export function askWitnesses(read: Read, name: string): Promise<WitnessReading[]> {
  return Promise.all(
    read.network.settings.witnesses.map((witness) => askWitness(read, witness, name)),
  );
}

async function askWitness(
  read: Read,
  witness: WitnessAddress,
  name: string,
): Promise<WitnessReading> {
  const target = { server: witness.name, address: witness.address, port: witness.port };
  const question = { name, type: "TXT" } as const;
  let extendedErrors: ExtendedError[] = [];
  let ad = false;
  const reply = await exchange(
    read,
    target,
    question,
    (message) => {
      extendedErrors = message.extendedErrors;
      ad = message.ad;
      return failureOf(message.rcode);
    },
    { recursion: true },
  );
  const reading: WitnessReading = {
    name: witness.name,
    address: witness.address,
    result: "answered",
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
  await exchange(
    read,
    target,
    question,
    (message) => {
      uncheckedRcode = message.rcode;
      return null;
    },
    { recursion: true, checkingDisabled: true },
  );
  return { ...reading, result: "servfail", uncheckedRcode };
}

function resolverFailure(failure: string): "timeout" | "refused" | "malformed" {
  return failure === "refused" || failure === "malformed" ? failure : "timeout";
}
