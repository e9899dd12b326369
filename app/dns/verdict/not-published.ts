import type { DelegatedZone, Diagnosis, Elsewhere, History } from "./diagnosis.ts";
import type { Observation, ServerReading } from "./observation.ts";
import { delegatingOf, hostsOf, MAX_LISTED } from "./observed-lists.ts";
import { hasToken } from "./publication-status.ts";
import { isSerialReliable } from "./serials.ts";

/** Servers outside the delegation that have the token, and their relation to the zone. */
function elsewhereOf({
  token,
  parent,
  former,
  unlisted,
  delegation,
}: Observation): { publishedOn: string[]; elsewhere: Elsewhere } | null {
  if (parent?.name) {
    const { zone, name, nameservers } = parent;
    return {
      publishedOn: nameservers.slice(0, MAX_LISTED),
      elsewhere: { type: "parent", zone, name },
    };
  }
  const carrying = (servers: readonly ServerReading[]) =>
    hostsOf(servers.filter(({ answer }) => hasToken(answer, token)));
  const left = carrying(former);
  if (left.length > 0) return { publishedOn: left, elsewhere: { type: "former" } };
  const publishedOn = carrying(unlisted);
  if (publishedOn.length === 0) return null;
  return { publishedOn, elsewhere: { type: "unlisted", ...delegatingOf(delegation) } };
}

/** The wildcard that answers at the challenge name. */
export const wildcardName = ({ wildcard }: Observation): { wildcardName?: string } =>
  wildcard ? { wildcardName: wildcard } : {};

/** The parent zone, where the record may have been saved by mistake. */
export function delegatedZone({ delegation, parent }: Observation): { delegated?: DelegatedZone } {
  if (delegation.type !== "delegated" || !parent) return {};
  const { zone, nameservers } = delegation;
  return {
    delegated: { zone, parent: parent.zone, nameservers: nameservers.slice(0, MAX_LISTED) },
  };
}

/** Explains a record that no delegated server has: saved elsewhere, or not saved at all since the first read. */
export function notPublished(
  observation: Observation,
  history: History,
  lacking: readonly ServerReading[],
): Diagnosis | null {
  const serial = observation.soa?.serial ?? null;
  const nameservers = hostsOf(lacking);
  const found = elsewhereOf(observation);
  if (found)
    return {
      code: "not_published",
      // Only the delegating party can make resolvers use servers that the delegation does not list.
      awaits:
        found.elsewhere.type === "unlisted" && found.elsewhere.parent === undefined
          ? "registrar"
          : "claimant",
      observed: { nameservers, serial, ...found },
    };
  if (serial === null || !isUnchanged(observation, history)) return null;
  return {
    code: "not_published",
    awaits: "claimant",
    observed: {
      nameservers,
      publishedOn: [],
      serial,
      unchanged: true,
      ...wildcardName(observation),
      ...delegatedZone(observation),
    },
  };
}

/**
 * Whether every serial seen equals that of the claim's first read, in a zone whose serial is known to move with
 * changes.
 */
function isUnchanged(observation: Observation, history: History): boolean {
  const { soa, servers } = observation;
  const serials = servers.flatMap(({ answer }) =>
    answer?.soa && answer.soa.zone === soa?.zone ? answer.soa.serial : [],
  );
  return (
    [soa?.serial, ...serials].every((serial) => serial === history.firstSerial) &&
    isSerialReliable(observation, history)
  );
}
