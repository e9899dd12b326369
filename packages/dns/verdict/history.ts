import type { Observation } from "./observation.ts";

/** What earlier reads of the same claim recorded. */
export type History = {
  /** Zone serial at the first read of this claim that saw one. */
  firstSerial: number | null;
  /** When that read was, epoch milliseconds; null without a serial, or once the serial proved useless. */
  serialSince: number | null;
  /** When a read first saw the token on some but not all nameservers, epoch milliseconds. */
  partialSince: number | null;
  /** When resolvers should have a record that every nameserver has by now, epoch milliseconds. */
  resolversDue: number | null;
  /** When a read with the same result proves the record, epoch milliseconds. Kept secret. */
  secondReadAt: number | null;
  /** The end of the wait that the last read found, epoch milliseconds. */
  waitUntil: number | null;
  /** A random number from 0 to below 1, drawn for this read. */
  chance: number;
  /** Tokens of ended claims of this account on this name. */
  endedTokens: { token: string; endedAt: number; proved?: boolean }[];
  /** The account's other domain with this token in its claim; null if there is none. */
  domainOf: (token: string) => string | null;
  /** Prefix of the service's tokens, for example "service_v1_", before 40 hex digits. */
  tokenPrefix: string;
};

/** The history of a claim before its first read. */
export const NO_READS: Omit<History, "endedTokens" | "domainOf" | "tokenPrefix"> = {
  firstSerial: null,
  serialSince: null,
  partialSince: null,
  resolversDue: null,
  secondReadAt: null,
  waitUntil: null,
  chance: 0,
};

/** `serialSince` after this read. If a record appears or disappears and the serial stays the same, it shows nothing. */
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
