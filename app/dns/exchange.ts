import { decodeMessage, type Message, type Reply } from "./message.ts";
import type { Exchange, Failure } from "./observation.ts";
import { buildQuery, type Query, type QueryOptions, type Question } from "./query.ts";
import type { Read } from "./read.ts";
import { askOverTcp } from "./tcp.ts";

/** How long each of the two UDP packets of an exchange is waited for before the next step. */
const UDP_TRIES_MS = [1_000, 1_500];
const TCP_MS = 3_000;

export type Target = { server: string; address: string; port: number };

export type ExchangeOptions = QueryOptions & { tcp?: boolean };

type Raw = { bytes: Buffer; entry: Exchange };
type UdpOutcome = Raw | "tcp" | "timeout";

/**
 * Puts one question to one address: over UDP, once more after a second of silence, over TCP where the
 * answer is truncated or echoes the question in other letters, without EDNS where the server cannot
 * parse it. `judge` names what is wrong with an answer, or null. Never throws; when the read ends
 * first, the failure is "timeout".
 */
export async function exchange(
  read: Read,
  target: Target,
  question: Question,
  judge: (message: Message) => Failure | null,
  options: ExchangeOptions = {},
): Promise<Reply> {
  try {
    return await read.network.addresses.through(target.address, read.signal, () =>
      converse(read, target, question, judge, options),
    );
  } catch (error) {
    if (!read.signal.aborted) throw error;
    return { ok: false, failure: "timeout" };
  }
}

async function converse(
  read: Read,
  target: Target,
  question: Question,
  judge: (message: Message) => Failure | null,
  options: ExchangeOptions,
): Promise<Reply> {
  let raw: Raw | null = null;
  if (!options.tcp) {
    const udp = await overUdp(read, target, question, options);
    if (udp === "timeout") return { ok: false, failure: "timeout" };
    if (udp !== "tcp") raw = udp;
  }
  let message = raw && decodeMessage(raw.bytes);
  if (raw === null || message?.tc) {
    if (raw && message) note(raw.entry, message, judge(message));
    const tcp = await overTcp(read, target, question, options);
    if ("failure" in tcp) return { ok: false, failure: tcp.failure };
    raw = tcp;
    message = decodeMessage(raw.bytes);
  }
  if (!message) {
    raw.entry.result = "malformed";
    return { ok: false, failure: "malformed" };
  }
  const failure = judge(message);
  note(raw.entry, message, failure);
  if (!options.plain && /^(FORMERR|NOTIMP|EXTENDED_1)$/.test(message.rcode)) {
    return converse(read, target, question, judge, { ...options, plain: true });
  }
  if (failure) return { ok: false, failure };
  return { ok: true, message, latencyMs: raw.entry.latencyMs ?? 0 };
}

function note(entry: Exchange, message: Message, failure: Failure | null): void {
  entry.result = failure ?? "answered";
  entry.rcode = message.rcode;
  entry.aa = message.aa;
  entry.ad = message.ad;
  entry.tc = message.tc;
}

/** Enters a packet into the read's evidence, as unanswered until something comes back. */
function enter(read: Read, target: Target, transport: "udp" | "tcp", question: Question): Exchange {
  const entry: Exchange = {
    server: target.server,
    address: target.address,
    transport,
    question: { name: question.name, type: question.type },
    at: read.network.clock(),
    latencyMs: null,
    result: "timeout",
    rcode: null,
    aa: false,
    ad: false,
    tc: false,
  };
  read.exchanges.push(entry);
  return entry;
}

const elapsed = (since: number) => Math.round(performance.now() - since);

function overUdp(
  read: Read,
  target: Target,
  question: Question,
  options: QueryOptions,
): Promise<UdpOutcome> {
  return new Promise((resolve) => {
    const forget: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    const done = (outcome: UdpOutcome) => {
      clearTimeout(timer);
      stay();
      for (const each of forget) each();
      resolve(outcome);
    };
    const stay = read.whenOver(() => done("timeout"));

    const send = (round: number) => {
      clearTimeout(timer);
      const patience = UDP_TRIES_MS[round];
      if (patience === undefined || !read.spendPacket(target.address)) {
        done("timeout");
        return;
      }
      const query: Query = buildQuery(question, options);
      const entry = enter(read, target, "udp", question);
      const sentAt = performance.now();
      timer = setTimeout(() => send(round + 1), patience);
      forget.push(
        read.network.udp.send(query, target, (reply) => {
          if (reply.type === "unsent") {
            read.takeBack(entry);
            send(round + 1);
            return;
          }
          entry.latencyMs = elapsed(sentAt);
          if (reply.type === "case") entry.result = "malformed";
          done(reply.type === "case" ? "tcp" : { bytes: reply.bytes, entry });
        }),
      );
    };
    send(0);
  });
}

async function overTcp(
  read: Read,
  target: Target,
  question: Question,
  options: QueryOptions,
): Promise<Raw | { failure: Failure }> {
  if (!read.spendPacket(target.address)) return { failure: "timeout" };
  const entry = enter(read, target, "tcp", question);
  const sentAt = performance.now();
  const reply = await askOverTcp(buildQuery(question, options), target, TCP_MS, read.signal);
  if (reply.type === "failed") {
    entry.result = reply.failure;
    return { failure: reply.failure };
  }
  entry.latencyMs = elapsed(sentAt);
  return { bytes: reply.bytes, entry };
}
