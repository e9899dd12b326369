import { setTimeout as delay } from "node:timers/promises";
import {
  type Asked,
  aliasOf,
  answerOf,
  lowered,
  NO_QUESTION,
  rcode,
  truncated,
  withFlags,
} from "./message.ts";

/** A question, and the two knotd that a server in front may ask: the one behind it and the other. */
export type Turn = Asked & {
  /** The answer of the knotd behind; null if it gives none. */
  ask(): Promise<Buffer | null>;
  /** The answer of the knotd that has the token, or of the one that has not. */
  askThat(backend: "has" | "not"): Promise<Buffer | null>;
};
/** What is sent back: nothing if null. */
type Answer = Buffer | Buffer[] | null;

export type Manner = {
  answer(turn: Turn): Promise<Answer> | Answer;
  /** The transports it listens on; both by default. */
  only?: "udp" | "tcp";
  /** Its name has an IPv6 address, to which this machine has no route. Resolvers reach it. */
  isIpv6?: true;
};

const SLOW_MS = 3_000;
const NOISE = 30;
const [SERVFAIL, REFUSED, FORMERR] = [2, 5, 1];
const AA = 0x400;

const honest = (turn: Turn) => turn.ask();
const hasCapitals = ({ name }: Asked) => /[A-Z]/.test(name);
const overUdp =
  (answer: Manner["answer"]): Manner["answer"] =>
  (turn) =>
    turn.transport === "udp" ? answer(turn) : turn.ask();
/** Only to the reader; resolvers get the knotd's answer. */
const toUs =
  (answer: Manner["answer"]): Manner["answer"] =>
  (turn) =>
    turn.isOurs ? answer(turn) : turn.ask();
const silence = () => null;
const changed =
  (change: (bytes: Buffer) => Buffer): Manner["answer"] =>
  async (turn) => {
    const bytes = await turn.ask();
    return bytes && change(bytes);
  };
const to =
  (is: (turn: Turn) => boolean, answer: Manner["answer"]): Manner["answer"] =>
  (turn) =>
    is(turn) ? answer(turn) : turn.ask();
const slowly: Manner["answer"] = async (turn) => {
  await delay(SLOW_MS, undefined, { ref: false });
  return turn.ask();
};
/** Answers every `nth` datagram of one asker with one question. */
const every = (nth: number, answer: Manner["answer"]): Manner["answer"] => {
  const counts = new Map<string, number>();
  return (turn) => {
    const key = `${turn.from} ${turn.type} ${turn.name.toLowerCase()}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count % nth === 0 ? answer(turn) : null;
  };
};
const asks =
  (...types: number[]) =>
  (turn: Turn) =>
    types.includes(turn.type);
const [NS, SOA, A, DNSKEY] = [2, 6, 1, 48];

/** How a server in front of a knotd answers. */
export const MANNERS = {
  /** Its UDP answers are lost. */
  lost: { answer: overUdp(silence) },
  tcp: { answer: honest, only: "tcp" },
  udp: { answer: honest, only: "udp" },
  /** Limits its answers: every other datagram gets an answer without records that asks for TCP, the rest nothing. */
  slips: { answer: overUdp(every(2, (turn) => truncated(turn.bytes))) },
  truncates: { answer: overUdp((turn) => truncated(turn.bytes)) },
  seldom: { answer: overUdp(every(2, honest)) },
  dropsCapitals: { answer: to(hasCapitals, silence) },
  refusesCapitals: { answer: to(hasCapitals, (turn) => rcode(turn.bytes, REFUSED)) },
  misreadsCapitals: { answer: to(hasCapitals, (turn) => rcode(turn.bytes, FORMERR)) },
  lowers: { answer: overUdp(changed(lowered)) },
  slow: { answer: slowly },
  /** Its UDP answers are lost, and those over TCP are slow. */
  slowTcp: { answer: (turn) => (turn.transport === "udp" ? null : slowly(turn)) },
  noisy: {
    answer: overUdp(async (turn) => {
      const bytes = await turn.ask();
      return bytes && [...Array.from({ length: NOISE }, () => NO_QUESTION), bytes];
    }),
  },
  withoutEdns: {
    answer: to(
      (turn) => turn.hasEdns,
      (turn) => rcode(turn.bytes, FORMERR),
    ),
  },
  /** Answers resolvers only. */
  dark: { answer: toUs(silence) },
  refuses: { answer: toUs((turn) => rcode(turn.bytes, REFUSED)) },
  fails: { answer: toUs((turn) => rcode(turn.bytes, SERVFAIL)) },
  garbles: { answer: toUs((turn) => answerOf(turn.bytes).subarray(0, -3)) },
  disowns: { answer: toUs(changed((bytes) => withFlags(bytes, { clear: AA }))) },
  dropsEdns: { answer: toUs(to((turn) => turn.hasEdns, silence)) },
  six: { answer: honest, isIpv6: true },
  /** Nobody gets an answer. */
  mute: { answer: silence },
  failsAll: { answer: (turn) => rcode(turn.bytes, SERVFAIL) },
  refusesAll: { answer: (turn) => rcode(turn.bytes, REFUSED) },
  hasOverUdp: { answer: (turn) => turn.askThat(turn.transport === "udp" ? "has" : "not") },
  hasOverTcp: { answer: (turn) => turn.askThat(turn.transport === "tcp" ? "has" : "not") },
  /** A CNAME at the zone's own name, beside its SOA and NS. */
  alias: {
    answer: to(
      (turn) => turn.name.split(".").length === 2 && asks(NS, SOA, A)(turn),
      (turn) => aliasOf(turn.bytes),
    ),
  },
  dropsNs: { answer: to(asks(NS), silence) },
  dropsKeys: { answer: to(asks(DNSKEY), silence) },
} satisfies Record<string, Manner>;
export type MannerName = keyof typeof MANNERS;
