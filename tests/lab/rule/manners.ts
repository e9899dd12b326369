import { setTimeout as delay } from "node:timers/promises";
import { rcode, TRUNCATED } from "@deed/dns/testing/faults.ts";
import { encodeAnswer, type LabQuery, type LabServer } from "@deed/dns/testing/lab-server.ts";
import { empty, toAnswer } from "@deed/dns/testing/lab-zone.ts";

/** A question, and the two knotd that a front may ask: the one behind it and the other one. */
export type Turn = LabQuery & {
  /** Whether the reader asks. */
  isOurs: boolean;
  /** The answer of the knotd behind; null if it gives none. */
  ask(): Promise<Buffer | null>;
  /** The answer of the knotd with the token, or of the one without it. */
  askThat(backend: "has" | "not"): Promise<Buffer | null>;
};
/** The reply: null for none. */
type Answer = Buffer | Buffer[] | null;
type Answering = (turn: Turn, server: LabServer) => Promise<Answer> | Answer;

export type Manner = {
  answer: Answering;
  /** The transports it listens on; both by default. */
  only?: "udp" | "tcp";
  /** Its name has an IPv6 address, and this machine has no IPv6 route. Resolvers reach it. */
  isIpv6?: true;
};

/** The reader's patience as a fraction of the usual: rows have many silent servers. */
export const PATIENCE = 0.4;
/** Three seconds of the usual patience. */
const SLOW_MS = 3_000 * PATIENCE;
const HEADER = 12;
/** Thirty datagrams that answer nothing. */
const NOISE = Array.from({ length: 30 }, () => Buffer.alloc(HEADER + 5));
const [SERVFAIL, REFUSED, FORMERR] = [2, 5, 1];
const AA = 0x400;

/** Sets and clears bits of the header's second word. */
export function withFlags(bytes: Buffer, { set = 0, clear = 0 }): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16BE((bytes.readUInt16BE(2) | set) & ~clear, 2);
  return changed;
}

/** A message with the question's name in lower case. */
function lowered(bytes: Buffer, { rawName }: Turn): Buffer {
  const end = HEADER + rawName.length + 1;
  const name = bytes.toString("latin1", HEADER, end).toLowerCase();
  return Buffer.concat([
    bytes.subarray(0, HEADER),
    Buffer.from(name, "latin1"),
    bytes.subarray(end),
  ]);
}

const honest: Answering = (turn) => turn.ask();
const silence: Answering = () => null;
const truncated: Answering = (turn) => encodeAnswer(turn, empty(0, true), TRUNCATED);
const to =
  (is: (turn: Turn) => boolean, answer: Answering): Answering =>
  (turn, server) =>
    is(turn) ? answer(turn, server) : turn.ask();
const isUdp = ({ transport }: Turn) => transport === "udp";
const overUdp = (answer: Answering) => to(isUdp, answer);
/** Only for the reader; resolvers get the knotd's answer. */
const toUs = (answer: Answering) => to(({ isOurs }) => isOurs, answer);
const hasCapitals = ({ rawName }: Turn) => /[A-Z]/.test(rawName);
const hasEdns = ({ edns }: Turn) => edns;
const asks =
  (...types: string[]) =>
  ({ type }: Turn) =>
    types.includes(type);
const changed =
  (change: (bytes: Buffer, turn: Turn) => Buffer): Answering =>
  async (turn) => {
    const bytes = await turn.ask();
    return bytes && change(bytes, turn);
  };
const slowly: Answering = async (turn) => {
  await delay(SLOW_MS, undefined, { ref: false });
  return turn.ask();
};
/** Uses this answer for every second datagram of the same client with the same question. */
const everyOther = (answer: Answering): Answering => {
  const counts = new Map<string, number>();
  return (turn, server) => {
    const key = `${turn.from} ${turn.type} ${turn.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count % 2 === 0 ? answer(turn, server) : null;
  };
};

/** How a server in front of a knotd answers. */
export const MANNERS = {
  /** Its UDP answers are lost. */
  lost: { answer: overUdp(silence) },
  tcp: { answer: honest, only: "tcp" },
  udp: { answer: honest, only: "udp" },
  /** Limits its answers: every second datagram gets an empty answer that asks for TCP, the rest nothing. */
  slips: { answer: overUdp(everyOther(truncated)) },
  truncates: { answer: overUdp(truncated) },
  seldom: { answer: overUdp(everyOther(honest)) },
  dropsCapitals: { answer: to(hasCapitals, silence) },
  refusesCapitals: { answer: to(hasCapitals, rcode(REFUSED)) },
  misreadsCapitals: { answer: to(hasCapitals, rcode(FORMERR)) },
  lowers: { answer: overUdp(changed(lowered)) },
  slow: { answer: slowly },
  /** Its UDP answers are lost, and its TCP answers are slow. */
  slowTcp: { answer: (turn, server) => (isUdp(turn) ? null : slowly(turn, server)) },
  noisy: {
    answer: overUdp(async (turn) => {
      const bytes = await turn.ask();
      return bytes && [...NOISE, bytes];
    }),
  },
  withoutEdns: { answer: to(hasEdns, rcode(FORMERR)) },
  /** Answers only resolvers. */
  dark: { answer: toUs(silence) },
  refuses: { answer: toUs(rcode(REFUSED)) },
  fails: { answer: toUs(rcode(SERVFAIL)) },
  garbles: { answer: toUs((turn) => encodeAnswer(turn, empty(0, true)).subarray(0, -3)) },
  disowns: { answer: toUs(changed((bytes) => withFlags(bytes, { clear: AA }))) },
  dropsEdns: { answer: toUs(to(hasEdns, silence)) },
  six: { answer: honest, isIpv6: true },
  /** Nobody gets an answer. */
  mute: { answer: silence },
  failsAll: { answer: rcode(SERVFAIL) },
  refusesAll: { answer: rcode(REFUSED) },
  hasOverUdp: { answer: (turn) => turn.askThat(isUdp(turn) ? "has" : "not") },
  hasOverTcp: { answer: (turn) => turn.askThat(isUdp(turn) ? "not" : "has") },
  /** A CNAME at the zone's own name, next to its SOA and NS. */
  alias: {
    answer: to(
      (turn) => turn.name.split(".").length === 2 && asks("NS", "SOA", "A")(turn),
      (turn) => {
        const alias = toAnswer({ name: turn.rawName, type: "CNAME", data: "parked.invalid" });
        return encodeAnswer(turn, { ...empty(0, true), answers: [alias] });
      },
    ),
  },
  dropsNs: { answer: to(asks("NS"), silence) },
  dropsKeys: { answer: to(asks("DNSKEY"), silence) },
} satisfies Record<string, Manner>;
export type MannerName = keyof typeof MANNERS;
