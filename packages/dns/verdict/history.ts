import type { Observation } from "./observation.ts";

/** The history of a claim before its first read. Times are in epoch milliseconds. */
export const NO_READS = {
  /** The zone's serial at the first read of this claim that saw one. */
  firstSerial: null as number | null,
  /** When that read was. Null without a serial, or once the serial proved useless. */
  serialSince: null as number | null,
  /** When a read first saw the token on some but not all nameservers. */
  partialSince: null as number | null,
  /** When resolvers should have a record that every nameserver has by now. */
  resolversDue: null as number | null,
  /** When a read with the same result proves the record. Kept secret. */
  secondReadAt: null as number | null,
  /** The end of the wait that the last read found. */
  waitUntil: null as number | null,
  /** A random number from 0 to below 1, drawn for this read. */
  chance: 0,
};

export type History = typeof NO_READS & {
  /** The tokens of ended claims of this account on this name. */
  endedTokens: { token: string; endedAt: number; proved?: boolean }[];
  /** The account's other domain with this token in its claim; null if there is none. */
  domainOf: (token: string) => string | null;
  /** The prefix of the service's tokens, such as "service_v1_", before 40 hex digits. */
  tokenPrefix: string;
};

/** The `serialSince` after this read. A serial that stays although a record came or went tells nothing about the zone. */
export function serialSince(
  { at, soa, servers, misplaced, typesAtName, wildcard }: Observation,
  history: Pick<History, "firstSerial" | "serialSince">,
): number | null {
  const isRecordSeen =
    misplaced.length > 0 ||
    (typesAtName.length > 0 && wildcard === false) ||
    servers.some(({ answer }) => answer && (answer.values.length > 0 || answer.alias !== null));
  if (isRecordSeen) return null;
  return history.firstSerial === null && soa ? at : history.serialSince;
}
