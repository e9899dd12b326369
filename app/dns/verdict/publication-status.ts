import { rcodeFailure } from "../rcode.ts";
import type { Observation, ServerReading, TxtAnswer, WitnessReading } from "./observation.ts";

/**
 * Publication of the token at the challenge name, according to the delegated nameservers:
 * - `unread`: our side did not read enough to say;
 * - `lame`: none gives an authoritative answer, or nothing is delegated;
 * - `nowhere`: they answer, and none has it;
 * - `partial`: some have it and others lack it or more than half are silent; or only some refer elsewhere;
 * - `published`: all that answer have it, at least half answer, and TCP confirmed it.
 */
export type PublicationStatus =
  | { type: "unread" }
  | { type: "lame"; nameservers: ServerReading[] }
  | { type: "nowhere"; answers: TxtAnswer[]; lacking: ServerReading[] }
  | ({ type: "partial" } & Spread)
  | { type: "published" };

/** Where a partly published token is. `lacking` answer without it; `silent` give no authoritative answer. */
export type Spread = {
  carrying: ServerReading[];
  lacking: ServerReading[];
  silent: ServerReading[];
};

/** The records at the name itself; records behind an alias may belong to somebody else. */
export const valuesOf = (answer: TxtAnswer): readonly string[] =>
  answer.rcode === "NOERROR" && answer.alias === null ? answer.values : [];

/** Whether one record at the name itself, not behind an alias, is byte for byte the token. */
export const hasToken = (answer: TxtAnswer | null, token: string): boolean =>
  answer !== null && valuesOf(answer).includes(token);

/** How many names the zone is delegated to, how many of them answered, and how many had the token. */
export type NameserverCount = { delegated: number; answered: number; holding: number };

/** Null if the read saw no delegation. */
export function nameserverCount({
  delegation,
  servers,
  token,
}: Pick<Observation, "delegation" | "servers" | "token">): NameserverCount | null {
  if (delegation.type !== "delegated") return null;
  return {
    delegated: delegation.nameservers.length,
    answered: servers.filter(isAnswered).length,
    holding: servers.filter(({ answer }) => hasToken(answer, token)).length,
  };
}

/** Whether the read never reached this server: no answer, and no address tried. */
export const isUnasked = ({
  result,
  address,
}: Pick<ServerReading, "result" | "address">): boolean => result === "timeout" && address === null;

/**
 * What the nameservers must show before anything is confirmed: all that answer have the token, none refers elsewhere,
 * at least half of the delegated names answer, and none of our limits kept the read from asking one.
 */
export function isEverywhere(observation: Observation): boolean {
  const { delegation, servers, strays, token } = observation;
  const answered = servers.filter(isAnswered);
  return (
    delegation.type === "delegated" &&
    strays.length === 0 &&
    answered.length > 0 &&
    answered.every(({ answer }) => hasToken(answer, token)) &&
    answered.length * 2 >= delegation.nameservers.length &&
    !isCutShort(observation)
  );
}

const isAnswered = (server: ServerReading) =>
  server.result === "answered" && server.answer !== null;

/** Whether one of our limits kept the read from asking a nameserver, so that its answer is unknown. */
const isCutShort = ({ limit, servers }: Observation) => limit !== null && servers.some(isUnasked);

export function publicationStatusOf(observation: Observation): PublicationStatus {
  const { delegation, servers, strays, token } = observation;
  if (delegation.type === "unreachable") return { type: "unread" };
  if (delegation.type === "none") return { type: "lame", nameservers: [] };

  const names = delegation.nameservers.length;
  const answered = servers.filter(isAnswered);
  const silent = servers.filter((server) => !answered.includes(server));
  const carrying = answered.filter((server) => hasToken(server.answer, token));
  const lacking = answered.filter((server) => !carrying.includes(server));
  const stoppedShort = servers.length < names || isCutShort(observation);

  // If only some servers refer elsewhere, the servers must agree before anything else counts.
  if (strays.length > 0) {
    const astray = silent.filter(({ host }) => strays.some((stray) => stray.host === host));
    return {
      type: "partial",
      carrying,
      lacking: lacking.length > 0 ? lacking : astray,
      silent: silent.filter((server) => !astray.includes(server)),
    };
  }
  if (answered.length === 0)
    return stoppedShort ? { type: "unread" } : { type: "lame", nameservers: servers };
  // A server skipped by the rate limit may have the token.
  if (carrying.length === 0 && observation.limit === "pace") return { type: "unread" };
  if (carrying.length === 0)
    return {
      type: "nowhere",
      answers: answered.flatMap(({ answer }) => answer ?? []),
      lacking,
    };
  if (lacking.length > 0) return { type: "partial", carrying, lacking, silent };
  if (!isEverywhere(observation))
    return stoppedShort ? { type: "unread" } : { type: "partial", carrying, lacking, silent };
  return observation.confirmation?.confirmed ? { type: "published" } : { type: "unread" };
}

/**
 * What the witnesses say about a record that the zone's nameservers have: `seen` if a majority has it or no witness is
 * configured, `broken` if a majority answers SERVFAIL, `stale` if a majority answers but too few have it yet, `unread`
 * if fewer than a majority answer.
 */
export type WitnessVerdict = "seen" | "broken" | "stale" | "unread";

export const majorityOf = (witnesses: readonly WitnessReading[]): number =>
  Math.floor(witnesses.length / 2) + 1;

export function witnessVerdictOf(
  witnesses: readonly WitnessReading[] | null,
  token: string,
): WitnessVerdict {
  if (witnesses === null) return "unread";
  if (witnesses.length === 0) return "seen";
  const majority = majorityOf(witnesses);
  const count = (is: (witness: WitnessReading) => boolean) => witnesses.filter(is).length;
  if (count(({ answer }) => hasToken(answer, token)) >= majority) return "seen";
  if (count(isServfail) >= majority) return "broken";
  return count(({ result }) => result === "answered") >= majority ? "stale" : "unread";
}

/** Whether the walk found one of these names in the delegation. */
export const isDelegatedToAny = ({ delegation }: Observation, hosts: readonly string[]): boolean =>
  delegation.type === "delegated" && hosts.some((host) => delegation.nameservers.includes(host));

/**
 * Whether a majority of the witnesses knows the zone by at least one nameserver that the walk found. A forged
 * delegation would pass our other checks, because it names every server we ask, including the one that confirms over
 * TCP.
 */
export function isWitnessedDelegation(observation: Observation): boolean {
  const { delegation, witnesses } = observation;
  if (witnesses === null || delegation.type !== "delegated") return false;
  if (witnesses.length === 0) return true;
  const agreeing = witnesses.filter(
    ({ nameservers }) => nameservers && isDelegatedToAny(observation, nameservers),
  );
  return agreeing.length >= majorityOf(witnesses);
}

/** The servers named by the zone's own NS RRset and known to a majority of the witnesses, if the walk found others. */
export function namedByZone(observation: Observation): readonly ServerReading[] {
  const { unlisted, witnesses } = observation;
  if (witnesses === null || isWitnessedDelegation(observation)) return [];
  const named = new Set(unlisted.map(({ host }) => host));
  const knowing = witnesses.filter(({ nameservers }) =>
    nameservers?.some((host) => named.has(host)),
  );
  return knowing.length >= majorityOf(witnesses) ? unlisted : [];
}

/**
 * How the witnesses that answered SERVFAIL respond without validation (CD=1): "fails" if more fail again than answer,
 * "answers" if at least one answers, otherwise "unknown".
 */
export function uncheckedVerdict(
  witnesses: readonly WitnessReading[] | null,
): "answers" | "fails" | "unknown" {
  const rcodes = (witnesses ?? []).filter(isServfail).map((witness) => witness.uncheckedRcode);
  const failing = rcodes.filter((rcode) => rcode === "SERVFAIL").length;
  const answering = rcodes.filter((rcode) => rcode !== null && rcodeFailure(rcode) === null).length;
  if (failing > answering) return "fails";
  return answering > 0 ? "answers" : "unknown";
}

export const isServfail = (witness: WitnessReading): boolean => witness.result === "servfail";

/**
 * Whether the token was entered as the value of an NS record, which delegates the challenge name to a host of that
 * name.
 */
export const isDelegatedToToken = ({ delegation, challengeName, token }: Observation): boolean =>
  delegation.type === "delegated" &&
  delegation.zone === challengeName &&
  delegation.nameservers.some((host) => host.includes(token.toLowerCase()));
