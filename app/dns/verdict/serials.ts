import { createHash } from "node:crypto";
import type { Observation, ServerReading, TxtAnswer } from "./observation.ts";

/** What one nameserver showed of its copy of a zone. */
type ServerMemory = {
  host: string;
  /** Of its newest answer that gave one; null before. `at`: when that was, epoch milliseconds. */
  serial: number | null;
  at: number;
  /** Digest of the records at the challenge name, as its newest answer had them; null where another name was read. */
  set: string | null;
  /** The records have changed since that serial. */
  changed: boolean;
};

/** What reads of a zone taught about its serial. */
export type SerialMemory = {
  zone: string;
  /** The challenge name the record sets are of. */
  name: string;
  /** Whether the serial moves with the records: true and false as seen, null while no read has shown it. */
  counts: boolean | null;
  servers: ServerMemory[];
};

/** What is known of serials before a read. */
export type SerialHistory = {
  /** By reads of the same claim. */
  serials: SerialMemory | null;
  /** By reads of the account's other claims in a zone, the newest first. */
  otherSerials: (zone: string) => SerialMemory[];
};

/** A serial has moved together with a change where no more than two of the slowest reads lie between. */
const TOGETHER_MS = 2 * 3_600_000;

const digestOf = ({ values, alias }: TxtAnswer): string =>
  createHash("sha256")
    .update(JSON.stringify([alias, [...values].sort()]))
    .digest("base64url")
    .slice(0, 12);

type Step = { now: ServerMemory; moved: boolean; stood: boolean };

function stepOf(
  before: ServerMemory | undefined,
  isSameName: boolean,
  answer: TxtAnswer,
  host: string,
  zone: string,
  at: number,
): Step {
  const set = digestOf(answer);
  const known = before ?? { serial: null, at, set: null, changed: false };
  const differs = isSameName && known.set !== null && known.set !== set;
  const changed = known.changed || differs;
  const serial = answer.soa?.zone === zone ? answer.soa.serial : null;
  if (serial === null)
    return {
      now: { host, serial: known.serial, at: known.at, set, changed },
      moved: false,
      stood: false,
    };
  const isShown = changed && known.serial !== null;
  return {
    now: { host, serial, at, set, changed: false },
    moved: isShown && serial !== known.serial && at - known.at <= TOGETHER_MS,
    stood: isShown && serial === known.serial,
  };
}

/**
 * What a read adds to what earlier ones taught. The serial is compared server by server, as it stands in a negative
 * answer (RFC 2308 section 3), so that a server that lags is not taken for a zone that changed. One server that changed
 * its records and not its serial shows that the zone does not count, for good; that it counts only more than half of the
 * delegated names show together, with none that speaks against it.
 */
export function learn(observation: Observation, history: SerialHistory): SerialMemory | null {
  const before = history.serials;
  const { delegation, challengeName: name, servers, at } = observation;
  if (delegation.type !== "delegated") return before;
  const { zone, nameservers } = delegation;
  const known = before?.zone === zone ? before : (history.otherSerials(zone)[0] ?? null);
  const memoryOf = (host: string) => known?.servers.find((server) => server.host === host);
  const steps = servers
    .filter(({ host }) => nameservers.includes(host))
    .flatMap(({ host, answer }: ServerReading): Step[] => {
      const memory = memoryOf(host);
      if (answer) return [stepOf(memory, known?.name === name, answer, host, zone, at)];
      const kept = memory && { ...memory, set: known?.name === name ? memory.set : null };
      return kept ? [{ now: kept, moved: false, stood: false }] : [];
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

/** Whether the zone of a read is known to count its changes: some read showed it, this one included, and none the contrary. */
export function isCounting(observation: Observation, history: SerialHistory): boolean {
  const learnt = learn(observation, history);
  if (!learnt) return false;
  const verdicts = [learnt, ...history.otherSerials(learnt.zone)].map(({ counts }) => counts);
  return verdicts.includes(true) && !verdicts.includes(false);
}
