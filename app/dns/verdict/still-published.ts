import type { Observation } from "./observation.ts";
import { proofStandingOf } from "./proof-standing.ts";
import { isDelegatedToAny, publicationStatusOf } from "./publication-status.ts";

/**
 * Where a record is that was found before:
 * - `seen`: found again, as for a proof;
 * - `absent`: at least half of the nameservers answer, and none of them has it;
 * - `moved`: the zone's nameservers are all others, and the record is not found there;
 * - `gone`: the registry lists no nameservers;
 * - `unread`: none of these is certain. Silence, and what only some servers say, is no finding.
 */
export type RecordFinding = "seen" | "absent" | "moved" | "gone" | "unread";

/** Where the record was found: the zone, and the names of its nameservers in lower case. */
export type KnownPlace = { zone: string | null; nameservers: readonly string[] };

/** What a read says about a record that was found at `known` before. */
export function findingOf(observation: Observation, known: KnownPlace): RecordFinding {
  const { delegation, servers, limit } = observation;
  if (delegation.type === "none") return "gone";
  if (delegation.type === "unreachable") return "unread";
  const status = publicationStatusOf(observation);
  if (status.type === "published")
    return proofStandingOf(observation) === "proves" ? "seen" : "unread";
  if (status.type === "partial") return "unread";
  const answered = servers.filter(({ result, answer }) => result === "answered" && answer !== null);
  const isAbsent =
    status.type === "nowhere" &&
    limit === null &&
    answered.length * 2 >= delegation.nameservers.length;
  const isElsewhere =
    known.nameservers.length > 0 && !isDelegatedToAny(observation, known.nameservers);
  // A silent child zone is not found at all: then the servers of the zone above it are no others of the same zone.
  if (isElsewhere && (isAbsent || delegation.zone === known.zone)) return "moved";
  return isAbsent ? "absent" : "unread";
}
