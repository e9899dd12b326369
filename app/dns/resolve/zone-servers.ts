import type { Message } from "../wire/message.ts";
import type { Question } from "../wire/query.ts";
import { exchange } from "./exchange.ts";
import type { Read } from "./read.ts";
import { type Answering, type Classification, type Cut, classify } from "./referral.ts";

/** Silence after which the next server of a zone is also asked. */
const STAGGER_MS = 600;
const MAX_SERVERS_TRIED = 6;
const MAX_HOSTS_LOOKED_UP = 4;

/** A valid answer: authoritative, or a referral downward. */
export type ZoneAnswer = {
  server: Answering;
  message: Message;
  classification: Exclude<Classification, { type: "unusable" }>;
};

/**
 * Asks the servers of a zone one after the other, overlapping, until one gives a valid answer; null if none does.
 * `addressesOf` is called only if the known addresses did not help.
 */
export async function askZone(
  read: Read,
  cut: Cut,
  question: Question,
  addressesOf: (host: string) => Promise<string[]>,
): Promise<ZoneAnswer | null> {
  const hosts = read.orderOf(cut);
  const ask = (server: Answering) => askAddress(read, cut, question, server);
  const answer = await firstAnswer(candidates(read, hosts), ask);
  if (answer) return answer;
  const unknown = hosts.filter((host) => !read.glue.has(host)).slice(0, MAX_HOSTS_LOOKED_UP);
  const found = await Promise.all(
    unknown.map(async (host) => {
      const addresses = await addressesOf(host);
      const address = addresses.find(read.network.permits);
      return address === undefined ? [] : [{ host, address }];
    }),
  );
  return firstAnswer(found.flat(), ask);
}

/** Known addresses that may be asked: the first of every host, then the second ones. */
export function candidates(read: Read, hosts: readonly string[]): Answering[] {
  const usable = hosts.map((host) => ({
    host,
    addresses: (read.glue.get(host) ?? []).filter(read.network.permits),
  }));
  const ranked = [0, 1].flatMap((rank) =>
    usable.flatMap(({ host, addresses }) => {
      const address = addresses[rank];
      return address === undefined ? [] : [{ host, address }];
    }),
  );
  return ranked.slice(0, MAX_SERVERS_TRIED);
}

function firstAnswer(
  servers: Answering[],
  ask: (server: Answering) => Promise<ZoneAnswer | null>,
): Promise<ZoneAnswer | null> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = 0;
    let over = false;
    let timer: NodeJS.Timeout | undefined;
    const settle = (answer: ZoneAnswer | null) => {
      over = true;
      clearTimeout(timer);
      resolve(answer);
    };
    const launch = () => {
      clearTimeout(timer);
      const server = servers[next];
      if (!server) {
        if (open === 0) settle(null);
        return;
      }
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

/** One server's answer, or null if it is not valid. Asks the same question only once per read. */
export async function askAddress(
  read: Read,
  cut: Cut,
  question: Question,
  server: Answering,
): Promise<ZoneAnswer | null> {
  const { host, address } = server;
  const reply = await read.once(`${cut.zone} ${address} ${question.name} ${question.type}`, () =>
    exchange(
      read,
      { server: host, address, port: read.network.settings.port },
      question,
      (answer) => {
        const verdict = classify(answer, cut.zone, question.name);
        return verdict.type === "unusable" ? verdict.failure : null;
      },
    ),
  );
  if (!reply.ok) return null;
  const verdict = classify(reply.message, cut.zone, question.name);
  return verdict.type === "unusable"
    ? null
    : { server, message: reply.message, classification: verdict };
}
