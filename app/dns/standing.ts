import type { Observation, ServerReading, TxtAnswer, WitnessReading } from "./observation.ts";

/**
 * How the token stands at the challenge name, as the delegated nameservers tell it:
 * - `unread`: our side did not read enough to say;
 * - `lame`: none of them gives an authoritative answer, or nothing is delegated;
 * - `nowhere`: they answer, and none has it;
 * - `partial`: some have it, others lack it or, half of them and more, stay silent;
 * - `published`: every one that answers has it, at least half of them do, and TCP confirmed it.
 */
export type Standing =
  | { type: "unread" }
  | { type: "lame"; nameservers: ServerReading[] }
  | { type: "nowhere"; answers: TxtAnswer[]; lacking: ServerReading[] }
  | { type: "partial"; carrying: ServerReading[]; lacking: ServerReading[] }
  | { type: "published" };

/** The records at the name itself: what stands behind an alias is somebody else's. */
export const valuesOf = (answer: TxtAnswer): readonly string[] =>
  answer.rcode === "NOERROR" && answer.alias === null ? answer.values : [];

/** The token stands in one record of the answer, byte for byte, at the name itself. */
export const carries = (answer: TxtAnswer | null, token: string): boolean =>
  answer !== null && valuesOf(answer).includes(token);

/** A server the read never got to: no answer, and no address tried. */
const isUnasked = (server: ServerReading) => server.result === "timeout" && server.address === null;

export function standingOf(observation: Observation): Standing {
  const { delegation, servers, token } = observation;
  if (delegation.type === "unreachable") return { type: "unread" };
  if (delegation.type === "none") return { type: "lame", nameservers: [] };

  const names = delegation.nameservers.length;
  const answered = servers.filter((server) => server.result === "answered" && server.answer);
  const silent = servers.filter((server) => !answered.includes(server));
  const carrying = answered.filter((server) => carries(server.answer, token));
  const lacking = answered.filter((server) => !carrying.includes(server));
  const stoppedShort =
    servers.length < names || (observation.limit !== null && silent.some(isUnasked));

  if (answered.length === 0)
    return stoppedShort ? { type: "unread" } : { type: "lame", nameservers: servers };
  // What was held back for other reads' sake may be where the token is.
  if (carrying.length === 0 && observation.limit === "pace") return { type: "unread" };
  if (carrying.length === 0)
    return {
      type: "nowhere",
      answers: answered.flatMap(({ answer }) => answer ?? []),
      lacking,
    };
  if (lacking.length > 0) return { type: "partial", carrying, lacking };
  if (answered.length * 2 < names)
    return stoppedShort ? { type: "unread" } : { type: "partial", carrying, lacking: silent };
  return observation.confirmation?.confirmed ? { type: "published" } : { type: "unread" };
}

/**
 * What the witnesses make of a record the zone's own nameservers have: `seen` by a majority (or none is configured),
 * `broken` where a majority answers SERVFAIL, `stale` where a majority answers and too few have it yet, `unread`
 * where fewer than a majority answers.
 */
export type Verdict = "seen" | "broken" | "stale" | "unread";

export const majorityOf = (witnesses: readonly WitnessReading[]): number =>
  Math.floor(witnesses.length / 2) + 1;

export function verdictOf(witnesses: readonly WitnessReading[] | null, token: string): Verdict {
  if (witnesses === null) return "unread";
  if (witnesses.length === 0) return "seen";
  const majority = majorityOf(witnesses);
  const count = (is: (witness: WitnessReading) => boolean) => witnesses.filter(is).length;
  if (count(({ answer }) => carries(answer, token)) >= majority) return "seen";
  if (count(isServfail) >= majority) return "broken";
  return count(({ result }) => result === "answered") >= majority ? "stale" : "unread";
}

export const isServfail = (witness: WitnessReading): boolean => witness.result === "servfail";
