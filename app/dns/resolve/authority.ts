import type { AnswerSize } from "../protocol.ts";
import type { Failure, TxtAnswer } from "../verdict/observation.ts";
import type { Message } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { txtAnswer } from "./answers.ts";
import { exchange } from "./exchange.ts";
import type { Read } from "./read.ts";
import { type Answering, type Classification, classify } from "./referral.ts";

/** A valid answer of a zone's server: authoritative, or a referral downward. */
export type ZoneAnswer = {
  server: Answering;
  message: Message;
  latencyMs: number;
  classification: Exclude<Classification, { type: "unusable" }>;
};

type Options = { tcp?: boolean; dnssec?: boolean; insist?: boolean; asGiven?: boolean };

/**
 * Asks one server of a zone, at most once per read; an authoritative answer or a downward referral counts. A reply may
 * be shared with a question for another zone of the same server, so it is classified for each.
 */
export async function askAuthority(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: Options = {},
): Promise<ZoneAnswer | { failure: Failure; size?: AnswerSize }> {
  const { host, address } = server;
  const { name, type } = question;
  const target = { server: host, address, port: read.network.settings.port };
  const faultOf = (message: Message) => {
    const classification = classify(message, zone, name);
    return classification.type === "unusable" ? classification.failure : null;
  };
  const key = [address, name, type, ...Object.keys(options)].join(" ");
  const reply = await read.once(key, () => exchange(read, target, question, faultOf, options));
  if (!reply.message) {
    const { failure, size } = reply;
    return { failure, ...(size && { size }) };
  }
  const { message, latencyMs } = reply;
  const classification = classify(message, zone, name);
  if (classification.type === "unusable") return { failure: classification.failure };
  return { server, message, latencyMs, classification };
}

/** The authoritative answer of one server, or null. */
export async function authoritative(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: Options = {},
): Promise<Message | null> {
  const answer = await askAuthority(read, zone, server, question, options);
  if ("failure" in answer || answer.classification.type !== "authoritative") return null;
  return answer.message;
}

/** TXT at a name according to one server of the zone, or null. */
export async function readTxt(
  read: Read,
  zone: string,
  server: Answering,
  name: string,
): Promise<TxtAnswer | null> {
  const message = await authoritative(read, zone, server, { name, type: "TXT" });
  return message && txtAnswer(message, name);
}
