import { failureOf } from "../rcode.ts";
import type { Observation, ServerReading, TxtAnswer, WitnessReading } from "./observation.ts";

/**
 * How the token stands at the challenge name, as the delegated nameservers tell it:
 * - `unread`: our side did not read enough to say;
 * - `lame`: none of them gives an authoritative answer, or nothing is delegated;
 * - `nowhere`: they answer, and none has it;
 * - `partial`: some have it, others lack it or, half of them and more, stay silent; or some refer elsewhere, others not;
 * - `published`: every one that answers has it, at least half of them do, and TCP confirmed it.
 */
export type PublicationStatus =
  | { type: "unread" }
  | { type: "lame"; nameservers: ServerReading[] }
  | { type: "nowhere"; answers: TxtAnswer[]; lacking: ServerReading[] }
  | ({ type: "partial" } & Spread)
  | { type: "published" };

/** Where a token stands that is not everywhere. `lacking` answer without it; `silent` give no authoritative answer. */
export type Spread = {
  carrying: ServerReading[];
  lacking: ServerReading[];
  silent: ServerReading[];
};

/** The records at the name itself: what stands behind an alias is somebody else's. */
export const valuesOf = (answer: TxtAnswer): readonly string[] =>
  answer.rcode === "NOERROR" && answer.alias === null ? answer.values : [];

/** The token stands in one record of the answer, byte for byte, at the name itself. */
export const carries = (answer: TxtAnswer | null, token: string): boolean =>
  answer !== null && valuesOf(answer).includes(token);

/** Of the names a zone is delegated to: how many there are, answered, and held the token. */
export type NameserverCount = { delegated: number; answered: number; holding: number };

/** Null where the read saw no delegation. */
export function nameserverCount({
  delegation,
  servers,
  token,
}: Pick<Observation, "delegation" | "servers" | "token">): NameserverCount | null {
  if (delegation.type !== "delegated") return null;
  return {
    delegated: delegation.nameservers.length,
    answered: servers.filter(isAnswered).length,
    holding: servers.filter(({ answer }) => carries(answer, token)).length,
  };
}

/** A server the read never got to: no answer, and no address tried. */
export const isUnasked = ({
  result,
  address,
}: Pick<ServerReading, "result" | "address">): boolean => result === "timeout" && address === null;

/**
 * What the nameservers must say before anything is confirmed: every one that answers has the token, none refers
 * elsewhere, at least half of the delegated names answer, and none was left out by a limit of ours.
 */
export function isEverywhere(observation: Observation): boolean {
  const { delegation, servers, strays, token } = observation;
  const answered = servers.filter(isAnswered);
  return (
    delegation.type === "delegated" &&
    strays.length === 0 &&
    answered.length > 0 &&
    answered.every(({ answer }) => carries(answer, token)) &&
    answered.length * 2 >= delegation.nameservers.length &&
    !isCutShort(observation)
  );
}

const isAnswered = (server: ServerReading) =>
  server.result === "answered" && server.answer !== null;

/** A limit of ours kept the read from a nameserver: what it would have said is open. */
const isCutShort = ({ limit, servers }: Observation) => limit !== null && servers.some(isUnasked);

export function publicationStatusOf(observation: Observation): PublicationStatus {
  const { delegation, servers, strays, token } = observation;
  if (delegation.type === "unreachable") return { type: "unread" };
  if (delegation.type === "none") return { type: "lame", nameservers: [] };

  const names = delegation.nameservers.length;
  const answered = servers.filter(isAnswered);
  const silent = servers.filter((server) => !answered.includes(server));
  const carrying = answered.filter((server) => carries(server.answer, token));
  const lacking = answered.filter((server) => !carrying.includes(server));
  const stoppedShort = servers.length < names || isCutShort(observation);

  // Whatever stands where only some of them refer, the zone's servers have to agree first.
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
  // What was held back for other reads' sake may be where the token is.
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

/** Whether one of these names is a nameserver the walk came to. */
export const isNamedBy = ({ delegation }: Observation, hosts: readonly string[]): boolean =>
  delegation.type === "delegated" && hosts.some((host) => delegation.nameservers.includes(host));

/**
 * Whether a majority of the witnesses knows the zone by at least one of the nameservers the walk came to. A forged
 * delegation would own every other check of ours: it names the servers, and the server that confirms over TCP.
 */
export function isWitnessedDelegation(observation: Observation): boolean {
  const { delegation, witnesses } = observation;
  if (witnesses === null || delegation.type !== "delegated") return false;
  if (witnesses.length === 0) return true;
  const agreeing = witnesses.filter(
    ({ nameservers }) => nameservers && isNamedBy(observation, nameservers),
  );
  return agreeing.length >= majorityOf(witnesses);
}

/**
 * The servers that the zone itself names, and a majority of the witnesses knows it by, while the walk came to others.
 */
export function namedByTheZone(observation: Observation): readonly ServerReading[] {
  const { unlisted, witnesses } = observation;
  if (witnesses === null || isWitnessedDelegation(observation)) return [];
  const named = new Set(unlisted.map(({ host }) => host));
  const knowing = witnesses.filter(({ nameservers }) =>
    nameservers?.some((host) => named.has(host)),
  );
  return knowing.length >= majorityOf(witnesses) ? unlisted : [];
}

/**
 * What the witnesses that answer SERVFAIL say when they are asked not to validate (CD=1): most of them answer, most of
 * them fail again, or neither is known.
 */
export function uncheckedVerdict(
  witnesses: readonly WitnessReading[] | null,
): "answers" | "fails" | "unknown" {
  const rcodes = (witnesses ?? []).filter(isServfail).map((witness) => witness.uncheckedRcode);
  const failing = rcodes.filter((rcode) => rcode === "SERVFAIL").length;
  const answering = rcodes.filter((rcode) => rcode !== null && failureOf(rcode) === null).length;
  if (failing > answering) return "fails";
  return answering > 0 ? "answers" : "unknown";
}

export const isServfail = (witness: WitnessReading): boolean => witness.result === "servfail";

/** The token was typed as the value of an NS record: the challenge name is delegated to a host of that name. */
export const isDelegatedToToken = ({ delegation, challengeName, token }: Observation): boolean =>
  delegation.type === "delegated" &&
  delegation.zone === challengeName &&
  delegation.nameservers.some((host) => host.includes(token.toLowerCase()));
