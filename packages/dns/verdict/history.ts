import { createHash } from "node:crypto";
import type { Observation, TxtAnswer } from "./observation.ts";

/** What is known of one nameserver's copy of a zone. */
type ServerMemory = {
  host: string;
  /** Serial from its latest answer with one, null before that. `at`: time of that answer, epoch milliseconds. */
  serial: number | null;
  at: number;
  /** Digest of the records at the challenge name in its latest answer; null if another name was read. */
  set: string | null;
  /** Whether the records have changed since that serial. */
  changed: boolean;
};

/** What reads of a zone have shown about its serial. */
export type SerialMemory = {
  zone: string;
  /** The challenge name whose RRsets were digested. */
  name: string;
  /** Whether the serial moves when records change; null until a read shows it. */
  counts: boolean | null;
  servers: ServerMemory[];
};

/** What is known about serials before a read. */
export type SerialHistory = {
  /** From reads of the same claim. */
  serials: SerialMemory | null;
  /** From reads of the account's other claims in a zone, newest first. */
  otherSerials: (zone: string) => SerialMemory[];
};

/** What earlier reads of the same claim recorded. */
export type History = SerialHistory & {
  /** Zone serial at the first read of this claim that saw one. */
  firstSerial: number | null;
  /** When a read first saw the token on some but not all nameservers, epoch milliseconds. */
  partialSince: number | null;
  /** When resolvers should have a record that every nameserver already has, epoch milliseconds. */
  resolversDue: number | null;
  /** From when a read that finds the same again proves the record, epoch milliseconds. */
  secondReadAt: number | null;
  /** Uniform in [0, 1), drawn for this read. */
  chance: number;
  /** Tokens of ended claims of this account on this name. */
  endedTokens: { token: string; endedAt: number; proved?: boolean }[];
  /** The account's other domain whose claim has this token; null if there is none. */
  domainOf: (token: string) => string | null;
  /** Prefix of the service's tokens, for example "service_v1_", before 40 hex digits. */
  tokenPrefix: string;
};

/** What is known of a claim before its first read. */
export const UNREAD: Omit<History, "endedTokens" | "domainOf" | "tokenPrefix"> = {
  firstSerial: null,
  partialSince: null,
  resolversDue: null,
  secondReadAt: null,
  chance: 0,
  serials: null,
  otherSerials: () => [],
};

/** A serial change and a record change within this time belong together: two intervals of the slowest reads. */
const TOGETHER_MS = 2 * 3_600_000;

const digestOf = ({ values, alias }: TxtAnswer): string =>
  createHash("sha256")
    .update(JSON.stringify([alias, [...values].sort()]))
    .digest("base64url")
    .slice(0, 12);

/**
 * Adds this read to what earlier ones showed. Serials are compared per server, so a lagging server is not taken for a
 * changed zone. One counterexample proves for good that the serial does not count; that it does takes over half.
 */
export function learnSerials(
  observation: Observation,
  history: SerialHistory,
): SerialMemory | null {
  const before = history.serials;
  const { delegation, challengeName: name, servers, at } = observation;
  if (delegation.type !== "delegated") return before;
  const { zone, nameservers } = delegation;
  const known = before?.zone === zone ? before : (history.otherSerials(zone)[0] ?? null);
  const isSameName = known?.name === name;
  const steps = servers
    .filter(({ host }) => nameservers.includes(host))
    .flatMap(({ host, answer }) => {
      const memory = known?.servers.find((server) => server.host === host);
      const still = { moved: false, stood: false };
      if (!answer)
        return memory ? { now: { ...memory, set: isSameName ? memory.set : null }, ...still } : [];
      const set = digestOf(answer);
      const last = memory ?? { host, serial: null, at, set: null, changed: false };
      const changed = last.changed || (isSameName && last.set !== null && last.set !== set);
      if (answer.soa?.zone !== zone) return { now: { ...last, set, changed }, ...still };
      const { serial } = answer.soa;
      const isShown = changed && last.serial !== null;
      return {
        now: { host, serial, at, set, changed: false },
        moved: isShown && serial !== last.serial && at - last.at <= TOGETHER_MS,
        stood: isShown && serial === last.serial,
      };
    });
  const moved = steps.filter((step) => step.moved).length;
  const stood = steps.some((step) => step.stood);
  const shown = moved * 2 > nameservers.length ? true : null;
  return {
    zone,
    name,
    counts: stood ? false : (known?.counts ?? shown),
    servers: steps.map(({ now }) => now),
  };
}

/** Whether the serial is known to move with changes: some read, this one included, showed it, and none disproved it. */
export function isSerialReliable(observation: Observation, history: SerialHistory): boolean {
  const learnt = learnSerials(observation, history);
  if (!learnt) return false;
  const verdicts = [learnt, ...history.otherSerials(learnt.zone)].map(({ counts }) => counts);
  return verdicts.includes(true) && !verdicts.includes(false);
}
