import { txtAnswer } from "./answers.ts";
import { exchange } from "./exchange.ts";
import type { Message, Reply } from "./message.ts";
import type { Failure, ServerReading, TxtAnswer } from "./observation.ts";
import type { Question } from "./query.ts";
import { MAX_ADDRESSES, MAX_NAMESERVERS, type Read } from "./read.ts";
import { judge, type Verdict } from "./referral.ts";
import { addressesOf, lookUp } from "./walk.ts";

type Referral = Extract<Verdict, { type: "referral" }>;

/** A server that gave an authoritative answer, and may be asked more. */
export type Answering = { host: string; address: string };

/** What a zone's nameservers said of TXT at one name. */
export type Readings = {
  servers: ServerReading[];
  /** A delegation further down that one of them pointed at. */
  referral: Referral | null;
};

/** Asks each nameserver name for TXT at `name`, all at once, at most 13 of them. */
export async function readServers(
  read: Read,
  zone: string,
  hosts: readonly string[],
  name: string,
): Promise<Readings> {
  const all = await Promise.all(
    hosts.slice(0, MAX_NAMESERVERS).map((host) => readServer(read, zone, host, name)),
  );
  return {
    servers: all.map(({ reading }) => reading),
    referral: all.find(({ referral }) => referral)?.referral ?? null,
  };
}

/** The first usable address, then the second, until one answers authoritatively. */
async function readServer(
  read: Read,
  zone: string,
  host: string,
  name: string,
): Promise<{ reading: ServerReading; referral: Referral | null }> {
  const failed = (address: string | null, result: Failure) => ({
    reading: { host, address, result, answer: null, latencyMs: null },
    referral: null,
  });
  const glued = read.glue.has(host);
  const known = await addressesOf(read, host);
  const usable = known.filter(read.network.permits).slice(0, MAX_ADDRESSES);
  let last = failed(known[0] ?? null, known.length > 0 ? "blocked_address" : "no_address");
  // Our own limit kept it from being asked: no address, no failure of its own.
  if (read.isOver || (read.limit && known.length === 0)) last = failed(null, "timeout");
  for (let rank = 0; rank < MAX_ADDRESSES; rank += 1) {
    if (rank === 1 && usable.length === 1 && !glued) {
      const others = await lookUp(read, host, "AAAA");
      usable.push(
        ...others.filter((other) => !usable.includes(other) && read.network.permits(other)),
      );
    }
    const address = usable[rank];
    if (address === undefined || read.isOver) break;
    const reply = await askAuthority(read, zone, { host, address }, { name, type: "TXT" });
    if (!reply.ok) {
      // Cut short by our own limit: not the server's failure.
      if (!read.isOver && !read.heldBack.has(address)) last = failed(address, reply.failure);
      else if (rank === 0) last = failed(null, "timeout");
      continue;
    }
    const { message, latencyMs } = reply;
    const verdict = judge(message, zone, name);
    if (verdict.type === "referral") {
      return { ...failed(address, "not_authoritative"), referral: verdict };
    }
    const answer = txtAnswer(message, name);
    return { reading: { host, address, result: "answered", answer, latencyMs }, referral: null };
  }
  return last;
}

/** Puts a question to one server of a zone; its answer, or its referral downward, counts. */
export function askAuthority(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: { tcp?: boolean } = {},
): Promise<Reply> {
  const target = { server: server.host, address: server.address, port: read.network.settings.port };
  return exchange(
    read,
    target,
    question,
    (message) => {
      const verdict = judge(message, zone, question.name);
      return verdict.type === "unusable" ? verdict.failure : null;
    },
    options,
  );
}

/** An authoritative answer of one server, or null. */
export async function authoritative(
  read: Read,
  zone: string,
  server: Answering,
  question: Question,
  options: { tcp?: boolean } = {},
): Promise<Message | null> {
  const reply = await askAuthority(read, zone, server, question, options);
  if (!reply.ok) return null;
  return judge(reply.message, zone, question.name).type === "authoritative" ? reply.message : null;
}

/** TXT at a name as one server of the zone has it, or null. */
export async function readTxt(
  read: Read,
  zone: string,
  server: Answering,
  name: string,
): Promise<TxtAnswer | null> {
  const message = await authoritative(read, zone, server, { name, type: "TXT" });
  return message && txtAnswer(message, name);
}
