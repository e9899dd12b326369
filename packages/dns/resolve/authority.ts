import type { AnswerSize } from "../protocol.ts";
import type { Failure, TxtAnswer } from "../verdict/observation.ts";
import type { Message } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { type ExchangeOptions, exchange } from "./exchange.ts";
import { MAX_ADDRESSES, type Read } from "./read.ts";
import { type Answering, type Classification, classify, txtAnswer } from "./referral.ts";

/** A valid answer of a zone's server: authoritative, or a referral downward. */
export type ZoneAnswer = {
  server: Answering;
  message: Message;
  latencyMs: number;
  classification: Exclude<Classification, { type: "unusable" }>;
};

type Options = Pick<ExchangeOptions, "tcp" | "dnssec" | "insist" | "asGiven">;

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

/** Silence after which the next server of a zone is also asked. */
const STAGGER_MS = 600;
const MAX_SERVERS_TRIED = 6;

/** Known addresses that may be asked: the first of every host, then the second ones, those with room before the full. */
export function candidates(read: Read, hosts: readonly string[]): Answering[] {
  const usable = hosts.map((host) => ({
    host,
    addresses: (read.glue.get(host) ?? []).filter(read.network.permits),
  }));
  const ranked = Array.from({ length: MAX_ADDRESSES }, (_, rank) =>
    usable.flatMap(({ host, addresses }) => {
      const address = addresses[rank];
      return address === undefined ? [] : { host, address };
    }),
  ).flat();
  const isFull = ({ address }: Answering) => Number(!read.hasRoom(address));
  const inOrder = ranked.sort((one, other) => isFull(one) - isFull(other));
  return inOrder.slice(0, MAX_SERVERS_TRIED);
}

/** Asks servers one after the other, overlapping, until one gives an answer; null if none does. */
export function firstAnswer<T>(
  servers: readonly Answering[],
  ask: (server: Answering) => Promise<T | null>,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = 0;
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    const settle = (answer: T | null) => {
      over = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const launch = () => {
      clearTimeout(timer);
      const server = servers[next];
      if (!server && open === 0) settle(null);
      if (!server) return;
      next += 1;
      open += 1;
      timer = setTimeout(launch, STAGGER_MS);
      ask(server).then((answer) => {
        open -= 1;
        if (over) return;
        if (answer) settle(answer);
        else launch();
      }, reject);
    };
    launch();
  });
}
