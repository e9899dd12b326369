import type { ServerReading } from "./observation.ts";
import { visible } from "./visible.ts";

/** Entries of a list shown at most: a zone may name hundreds of servers. */
export const MAX_LISTED = 20;
/** The contract's bound on `values` of no_matching_record. */
export const MAX_VALUES = 10;

export const hostsOf = (servers: readonly ServerReading[]): string[] =>
  servers.slice(0, MAX_LISTED).map(({ host }) => visible(host));

export const namesOf = (names: readonly string[]): string[] =>
  names.slice(0, MAX_LISTED).map((name) => visible(name));
