import { isIPv6 } from "node:net";
import type { Exchange, Failure, WitnessFailure } from "../verdict/observation.ts";
import {
  buildQuery,
  decodeMessage,
  MAX_DATAGRAM_OCTETS,
  type Message,
  type Query,
  type QueryOptions,
  type Question,
} from "../wire/message.ts";
import type { SecureChannel } from "../wire/secure.ts";
import { askOverTcp, type UdpReply } from "../wire/transport.ts";
import type { Read, Reply } from "./read.ts";

/** Timeouts of the two UDP packets of an exchange. A server may take three seconds, and the first may get lost. */
const UDP_TRIES_MS = [1_000, 3_500] as const;
/** Timeouts for an address that was already silent once. A read has only 20 seconds. */
const SILENT_TRIES_MS = [1_000, 1_000] as const;
const STREAM_TIMEOUT_MS = 5_000;
/** This is as long as both tries over UDP. Two silent witnesses, one after the other, leave half of a read's time. */
const WITNESS_TIMEOUT_MS = 4_500;

type Target = { server: string; address: string; port: number };

/**
 * With `insist`, TCP is tried before an address counts as silent or at fault. With `asGiven`, UDP does not mix letter
 * case: such an answer may be forged, so it counts only against a record. With `soon`, TCP replaces the second UDP
 * packet and gets as much time.
 */
export type ExchangeOptions = QueryOptions &
  Partial<Record<"tcp" | "insist" | "asGiven" | "soon", boolean>>;

type RawReply = { bytes: Buffer; entry: Exchange };
/** After "tcp" and "case_changed", TCP is tried. "no_route": this machine has no route to the address. */
type UdpOutcome = RawReply | "tcp" | "case_changed" | "timeout" | "no_route";
type FaultOf = (message: Message) => Failure | null;
export type ExchangeRequest = { read: Read; target: Target; question: Question; faultOf: FaultOf };
/** A question that may now be sent. `spend` waits until a packet may leave; it returns false if none may. */
type Turn = ExchangeRequest & { spend: () => Promise<boolean> };
type Ask<F> = (
  query: Query,
) => Promise<{ type: "answer"; bytes: Buffer } | { type: "failed"; failure: F }>;

const TIMED_OUT = { message: null, failure: "timeout" } as const;
/** A message that is truncated even over TCP proves nothing. */
const TOO_LARGE = { message: null, failure: "too_large" } as const;
/** RCODEs from servers without EDNS support (RFC 6891 section 7). */
const NO_EDNS = new Set(["FORMERR", "NOTIMP", "BADVERS"]);

/**
 * Asks over UDP, at most twice. Then asks over TCP, at most twice, if an answer was truncated, overlong or
 * case-changed, or wants a cookie (RFC 7873 section 5.3). Asks without EDNS if the server cannot read that. Never
 * throws: "timeout" if the read ends first.
 */
export function exchange(request: ExchangeRequest, options: ExchangeOptions = {}): Promise<Reply> {
  return runInTurn(request, async (turn) => {
    const reply = await askOnce(turn, options);
    return lacksEdns(reply, options) ? askOnce(turn, { ...options, plain: true }) : reply;
  });
}

const lacksEdns = ({ message }: Reply, { plain }: ExchangeOptions) =>
  !plain && NO_EDNS.has(message?.rcode ?? "");

async function askOnce(turn: Turn, options: ExchangeOptions): Promise<Reply> {
  const { read, target } = turn;
  if (options.tcp && read.mute.has(target.address)) return TIMED_OUT;
  const isOverTcp = options.tcp || (!options.asGiven && read.tcpOnly.has(target.address));
  const udp = isOverTcp ? "tcp" : await exchangeOverUdp(turn, options);
  if (udp === "no_route" && isIPv6(target.address)) return { message: null, failure: "ipv6_only" };
  if (udp === "no_route") return TIMED_OUT;
  if (udp === "timeout" && !options.insist) return TIMED_OUT;
  if (typeof udp === "string") return askOverTcpToo(turn, options, udp);
  const reply = decodeReply(turn, udp, options);
  if (reply.message?.tc || reply.message?.rcode === "BADCOOKIE")
    return askOverTcpToo(turn, options, "tcp");
  const isUncertain = options.insist && reply.failure !== null && !lacksEdns(reply, options);
  return isUncertain ? askOverTcpToo(turn, options, reply) : reply;
}

/** `udp` says why UDP is not enough, or is its failure, which stands unless TCP brings an answer. */
async function askOverTcpToo(
  turn: Turn,
  options: ExchangeOptions,
  udp: "tcp" | "case_changed" | "timeout" | Reply,
): Promise<Reply> {
  const isOnlyWay = !options.tcp && (udp === "tcp" || udp === "case_changed");
  const tcpReply = await exchangeOverTcp(turn, options, isOnlyWay);
  if ("failure" in tcpReply) {
    if (typeof udp === "object") return udp;
    if (udp === "timeout") {
      turn.read.mute.add(turn.target.address);
      return TIMED_OUT;
    }
    const isCaseChanged = udp === "case_changed" && tcpReply.failure === "tcp_refused";
    return { message: null, failure: isCaseChanged ? "case_changed" : tcpReply.failure };
  }
  const reply = decodeReply(turn, tcpReply, options);
  if (reply.message?.tc) return TOO_LARGE;
  if (udp !== "tcp") turn.read.tcpOnly.add(turn.target.address);
  return reply;
}

/** Asks a witness over its channel. This counts as one packet of the read, however many it really takes. */
export function exchangeSecurely(
  request: ExchangeRequest,
  channel: SecureChannel,
  options: QueryOptions,
): Promise<Reply<Failure | WitnessFailure>> {
  const { network, signal } = request.read;
  return runInTurn(request, async (turn) => {
    const raw = await exchangeOverStream(turn, channel.secure.transport, options, (query) =>
      channel.ask(query, WITNESS_TIMEOUT_MS * network.patience, signal),
    );
    return "failure" in raw ? { message: null, ...raw } : decodeReply(turn, raw, options);
  });
}

async function runInTurn<T>(request: ExchangeRequest, ask: (turn: Turn) => Promise<T>) {
  const { read, target } = request;
  const { address } = target;
  if (!(await read.enter(address))) return TIMED_OUT;
  let isFirst = true;
  const spend = () => {
    const maySend = read.spendPacket(address, isFirst);
    isFirst = false;
    return maySend;
  };
  try {
    return await ask({ ...request, spend });
  } finally {
    read.network.pacer.leave(address);
  }
}

function decodeReply(turn: Turn, { bytes, entry }: RawReply, { dnssec }: QueryOptions): Reply {
  const { read, question, faultOf } = turn;
  const message = decodeMessage(bytes);
  if (!message) {
    entry.result = "malformed";
    return { message, failure: "malformed" };
  }
  const { rcode, aa, ad, tc, ra } = message;
  const failure = faultOf(message);
  if (dnssec) read.signed.push({ name: question.name, bytes });
  Object.assign(entry, { result: failure ?? "answered", rcode, aa, ad, tc, ra });
  return { message, failure, latencyMs: entry.latencyMs ?? 0 };
}

const NO_REPLY = { latencyMs: null, rcode: null, aa: false, ad: false, tc: false, ra: false };

function recordExchange({ read, target, question }: Turn, transport: Exchange["transport"]) {
  const { server, address } = target;
  const facts = { server, address, transport, question: { ...question } };
  const entry: Exchange = { ...facts, at: read.network.clock(), result: "timeout", ...NO_REPLY };
  read.exchanges.push(entry);
  return entry;
}

const elapsedMs = (since: number) => Math.round(performance.now() - since);

function exchangeOverUdp(turn: Turn, options: ExchangeOptions): Promise<UdpOutcome> {
  const { read, target, question, spend } = turn;
  return new Promise((resolve) => {
    let round = 0;
    const tryTimes = read.mute.has(target.address) ? SILENT_TRIES_MS : UDP_TRIES_MS;
    const usedTimes = options.soon ? tryTimes.slice(0, 1) : tryTimes;
    let timer: NodeJS.Timeout | undefined;
    const cancellers: (() => void)[] = [];
    const finish = (outcome: UdpOutcome) => {
      isDone = true;
      clearTimeout(timer);
      read.signal.removeEventListener("abort", giveUp);
      for (const cancel of cancellers) cancel();
      resolve(outcome);
    };
    const giveUp = () => finish("timeout");
    let isDone = false;
    const send = async () => {
      if (isDone) return;
      clearTimeout(timer);
      const timeout = (usedTimes[round] ?? 0) * read.network.patience;
      round += 1;
      if (timeout === 0 || !(await spend())) return giveUp();
      if (isDone) return;
      const query: Query = buildQuery(question, { ...options, mixedCase: !options.asGiven });
      const entry = recordExchange(turn, "udp");
      const sentAt = performance.now();
      // Datagrams that arrived while this process was busy are handled before the question times out.
      timer = setTimeout(() => setImmediate(send), timeout);
      const settle = (reply: UdpReply) => {
        if (reply.type === "unsent" || reply.type === "no_route") {
          read.refundPacket(entry);
          return reply.type === "unsent" ? send() : finish("no_route");
        }
        entry.latencyMs = elapsedMs(sentAt);
        if (reply.type === "answer" && reply.bytes.length <= MAX_DATAGRAM_OCTETS)
          return finish({ bytes: reply.bytes, entry });
        entry.result = "malformed";
        finish(reply.type === "case_changed" ? "case_changed" : "tcp");
      };
      cancellers.push(read.udp.send(query, target, settle));
    };
    read.signal.addEventListener("abort", giveUp);
    send();
  });
}

/** If TCP is the only way, a lost connection is tried a second time, in the time that is left. */
async function exchangeOverTcp(turn: Turn, options: ExchangeOptions, isOnlyWay: boolean) {
  const { read, target } = turn;
  const timeoutMs = (options.soon ? UDP_TRIES_MS[1] : STREAM_TIMEOUT_MS) * read.network.patience;
  let msLeft = timeoutMs;
  const connect = () =>
    exchangeOverStream(turn, "tcp", options, async (query) => {
      const startedAt = performance.now();
      const reply = await askOverTcp(query, target, msLeft, read.signal, read.largeTurn);
      msLeft -= elapsedMs(startedAt);
      return reply;
    });
  const first = await connect();
  const isTcpRefused = "failure" in first && first.failure === "tcp_refused";
  return isTcpRefused && isOnlyWay && msLeft > timeoutMs / 2 && !read.isOver ? connect() : first;
}

async function exchangeOverStream<F extends Failure | WitnessFailure>(
  turn: Turn,
  transport: Exclude<Exchange["transport"], "udp">,
  options: QueryOptions,
  ask: Ask<F>,
): Promise<RawReply | { failure: F | "timeout" }> {
  if (!(await turn.spend())) return { failure: "timeout" };
  const entry = recordExchange(turn, transport);
  const sentAt = performance.now();
  const reply = await ask(buildQuery(turn.question, options));
  if (reply.type === "failed") {
    entry.result = reply.failure;
    return { failure: reply.failure };
  }
  entry.latencyMs = elapsedMs(sentAt);
  return { bytes: reply.bytes, entry };
}
