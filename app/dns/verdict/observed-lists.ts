import type { FailedNameserver } from "./diagnosis.ts";
import type { Delegation, ServerReading } from "./observation.ts";
import { delegatingZone } from "./registry.ts";

/** Maximum entries of a list that are shown: a zone may name hundreds of servers. */
export const MAX_LISTED = 20;
/** The API's bound on `values` of no_matching_record. */
export const MAX_SHOWN_VALUES = 10;

export const hostsOf = (servers: readonly ServerReading[]): string[] =>
  servers.slice(0, MAX_LISTED).map(({ host }) => host);

/** The parent zone for `observed`, unless the registrar sets the delegation. */
export function delegatingIn(cut: { zone: string; parent: string }): { parent?: string } {
  const parent = delegatingZone(cut);
  return parent === undefined ? {} : { parent };
}

export const delegatingOf = (delegation: Delegation): { parent?: string } =>
  delegation.type === "delegated" ? delegatingIn(delegation) : {};

/** The servers that gave no usable answer, and how each one failed. */
export const failedOf = (servers: readonly ServerReading[]): FailedNameserver[] =>
  servers
    .slice(0, MAX_LISTED)
    .flatMap(({ host, result, size, alias }) =>
      result === "answered"
        ? []
        : [{ host, result, ...size, ...(alias !== undefined && { target: alias }) }],
    );
