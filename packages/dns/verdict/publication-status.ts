import { delegatingZone, delegatorOf, ownedName, registeredName } from "../names.ts";
import type {
  Awaits,
  DiagnosisCode,
  DiagnosisOf,
  FailedNameserver,
  ObservedByCode,
  StaleGlue,
} from "./diagnosis.ts";
import {
  type Delegation,
  type Evidence,
  type Observation,
  rcodeFailure,
  type ServerReading,
  type TxtAnswer,
  type WitnessReading,
  type ZoneWitness,
} from "./observation.ts";

/** "unread": we read too little. "lame": none answers with authority, or none is delegated. "nowhere": none has it. */
export type PublicationStatus =
  | { type: "unread" }
  | { type: "lame"; nameservers: ServerReading[] }
  | { type: "nowhere"; answers: TxtAnswer[]; lacking: ServerReading[] }
  /** Some lack it, refer elsewhere or answer over UDP only; or over half are silent, or any without witnesses. */
  | ({ type: "partial" } & Spread)
  /** All that answer have it, at least half answer, and TCP confirmed it. */
  | { type: "published" };

/** The servers if only some have the token. `lacking` answer without it; `silent` give no authoritative answer. */
export type Spread = {
  carrying: ServerReading[];
  lacking: ServerReading[];
  silent: ServerReading[];
};

/** Leaves out records behind an alias, which may belong to somebody else. */
export const valuesOf = (answer: TxtAnswer): readonly string[] =>
  answer.rcode === "NOERROR" && answer.alias === null ? answer.values : [];

export const hasToken = (answer: TxtAnswer | null, token: string): boolean =>
  answer !== null && valuesOf(answer).includes(token);

/** How many nameservers have the record; null if the read saw no delegation. */
export const nameserverCount = ({ delegation, servers, token }: Evidence) =>
  delegation.type === "delegated"
    ? {
        delegated: delegation.nameservers.length,
        answered: servers.filter(isAnswered).length,
        holding: servers.filter(({ answer }) => hasToken(answer, token)).length,
      }
    : null;
export type NameserverCount = NonNullable<ReturnType<typeof nameserverCount>>;

export const wasNotAsked = (server: Pick<ServerReading, "result" | "address">): boolean =>
  server.result === "timeout" && server.address === null;

export function isOnAllServers(observation: Observation): boolean {
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

export const isAnswered = (server: ServerReading) =>
  server.result === "answered" && server.answer !== null;

const isCutShort = ({ limit, servers }: Observation) => limit !== null && servers.some(wasNotAsked);

export function publicationStatusOf(observation: Observation): PublicationStatus {
  const { delegation, servers, strays, token } = observation;
  if (delegation.type === "unreachable") return { type: "unread" };
  if (delegation.type === "none") return { type: "lame", nameservers: [] };

  const delegatedCount = delegation.nameservers.length;
  const answered = servers.filter(isAnswered);
  const silent = servers.filter((server) => !answered.includes(server));
  const carrying = answered.filter((server) => hasToken(server.answer, token));
  const lacking = answered.filter((server) => !carrying.includes(server));
  const isIncomplete = servers.length < delegatedCount || isCutShort(observation);

  // If only some servers refer elsewhere, they disagree, and nothing is certain yet.
  if (strays.length > 0) {
    const strayServers = silent.filter(({ host }) => strays.some((stray) => stray.host === host));
    return {
      type: "partial",
      carrying,
      lacking: lacking.length > 0 ? lacking : strayServers,
      silent: silent.filter((server) => !strayServers.includes(server)),
    };
  }
  if (answered.length === 0)
    return isIncomplete ? { type: "unread" } : { type: "lame", nameservers: servers };
  const answers = answered.flatMap(({ answer }) => answer ?? []);
  if (carrying.length === 0) return { type: "nowhere", answers, lacking };
  const partial = { type: "partial", carrying, lacking, silent } as const;
  if (lacking.length > 0) return partial;
  if (!isOnAllServers(observation)) return isIncomplete ? { type: "unread" } : partial;
  const { confirmation } = observation;
  if (confirmation?.differs) {
    const isDiffering = ({ host }: ServerReading) => host === confirmation.host;
    const others = carrying.filter((server) => !isDiffering(server));
    return {
      type: "partial",
      // A single server counts both as having the record and as lacking it.
      carrying: others.length > 0 ? others : carrying,
      lacking: carrying.filter(isDiffering),
      silent,
    };
  }
  if (!confirmation?.confirmed) return { type: "unread" };
  const hasNoWitness = observation.witnesses?.length === 0;
  return hasNoWitness && isUncertain(observation) ? partial : { type: "published" };
}

const hasSilentName = ({ delegation, servers }: Observation): boolean =>
  delegation.type === "delegated" &&
  delegation.nameservers.some(
    (name) => !servers.some((server) => server.host === name && isAnswered(server)),
  );

/** Whether a silent server could deny an unsigned record, or lead elsewhere. */
export const isUncertain = (observation: Observation): boolean =>
  observation.validation?.verdict !== "secure" &&
  (hasSilentName(observation) ||
    observation.silentAbove.length > 0 ||
    (observation.named ?? []).some((server) => !isAnswered(server)));

/** When a witness that has not been asked yet may be asked, in epoch milliseconds; 0 means now. */
export const nextTurn = (tried: Observation["tried"] = []): number =>
  Math.max(0, ...tried.map(({ until }) => until));

export const majorityOf = (witnesses: readonly WitnessReading[]): number =>
  Math.floor(witnesses.length / 2) + 1;

/** "seen": enough have it, or none is set. "broken": most say SERVFAIL. "stale": enough (may) answer. Else "unread". */
export function witnessVerdictOf(observation: Observation) {
  const { witnesses, token } = observation;
  if (witnesses === null) return "unread";
  if (witnesses.length === 0) return "seen";
  const needed = countNeededWitnesses(observation);
  const count = (matches: (witness: WitnessReading) => boolean) => witnesses.filter(matches).length;
  if (count(({ answer }) => hasToken(answer, token)) >= needed) return "seen";
  if (count(isFailing) >= majorityOf(witnesses)) return "broken";
  return count(mayAnswer) >= needed ? "stale" : "unread";
}

/** Whether over half of the witnesses are silent, so that the others cannot make a majority. */
export const areMostSilent = (witnesses: readonly Pick<WitnessReading, "result">[]): boolean =>
  witnesses.filter(({ result }) => result === "timeout").length * 2 > witnesses.length;

export const mayAnswer = ({ result }: WitnessReading): boolean =>
  result === "answered" || result === "unasked";

/** How many witnesses must agree: all if a server is silent and the record unsigned, or NS lists differ; else most. */
export function countNeededWitnesses(observation: Observation): number {
  const witnesses = observation.witnesses ?? [];
  const needsAll = isUncertain(observation) || !majorityHosts(observation);
  return needsAll ? witnesses.length : majorityOf(witnesses);
}

/** The nameservers that a majority of the witnesses list, sorted; null if no majority agrees. */
export function majorityHosts({ witnesses }: Pick<Observation, "witnesses">): string[] | null {
  const lists = (witnesses ?? []).flatMap(({ nameservers }) =>
    nameservers && nameservers.length > 0 ? [nameservers] : [],
  );
  const countOf = (list: string[]) => lists.filter((other) => other.join() === list.join()).length;
  return lists.find((list) => countOf(list) >= majorityOf(witnesses ?? [])) ?? null;
}

export const isDelegatedToAny = ({ delegation }: Observation, hosts: readonly string[]): boolean =>
  delegation.type === "delegated" && hosts.some((host) => delegation.nameservers.includes(host));

/** Those of `named` that count against the record: they answer without it, or are silent and over half of the list. */
export function namedAgainst(observation: Observation): readonly ServerReading[] {
  const named = observation.named ?? [];
  const { token } = observation;
  const lacking = named.filter((server) => isAnswered(server) && !hasToken(server.answer, token));
  if (lacking.length > 0) return lacking;
  const answering = new Set(named.filter(isAnswered).map(({ host }) => host));
  const silent = named.filter(({ host }) => !answering.has(host));
  const listedCount = majorityHosts(observation)?.length ?? 0;
  return new Set(silent.map(({ host }) => host)).size * 2 > listedCount ? silent : [];
}

/** How witnesses with SERVFAIL answer without validation (CD=1): "fails" if more fail again than answer. */
export function uncheckedVerdict(witnesses: readonly WitnessReading[] | null) {
  const rcodes = (witnesses ?? []).filter(isFailing).map((witness) => witness.uncheckedRcode);
  const failures = rcodes.filter((rcode) => rcode === "SERVFAIL").length;
  const answers = rcodes.filter((rcode) => rcode !== null && rcodeFailure(rcode) === null).length;
  if (failures > answers) return "fails";
  return answers > 0 ? "answers" : "unknown";
}

/** Extended errors of a resolver that blocks an answer (RFC 8914 sections 4.16 to 4.18). */
const FILTERING_ERRORS = [15, 16, 17];

export const isFiltered = ({ extendedErrors }: WitnessReading): boolean =>
  extendedErrors.some(({ code }) => FILTERING_ERRORS.includes(code));

export const isFailing = (one: WitnessReading | ZoneWitness): boolean =>
  one.result === "servfail" || isFiltered(one) || ("parent" in one && one.parent === true);

/** Whether the token was entered as the value of an NS record, which delegates the challenge name to that host. */
export const isDelegatedToToken = ({ delegation, challengeName, token }: Observation): boolean =>
  delegation.type === "delegated" &&
  delegation.zone === challengeName &&
  delegation.nameservers.some((host) => host.includes(token.toLowerCase()));

export const MAX_LISTED = 20;
/** The API's limit on `values` of no_matching_record. */
export const MAX_SHOWN_VALUES = 10;

export const hostsOf = (servers: readonly ServerReading[]): string[] =>
  servers.slice(0, MAX_LISTED).map(({ host }) => host);

/** The nameservers that the zone above lists, bounded; empty if there is no delegation. */
export const delegatedHosts = ({ delegation }: Observation): string[] =>
  delegation.type === "delegated" ? delegation.nameservers.slice(0, MAX_LISTED) : [];

export const diagnosed = <C extends DiagnosisCode>(
  code: C,
  observed: ObservedByCode[C],
  awaits: Awaits = "claimant",
): DiagnosisOf<C> => ({ code, awaits, observed });

export function delegatingIn(cut: { zone: string; parent: string }): { parent?: string } {
  const parent = delegatingZone(cut);
  return parent === undefined ? {} : { parent };
}

export const delegatingOf = (delegation: Delegation): { parent?: string } =>
  delegation.type === "delegated" ? delegatingIn(delegation) : {};

/** Who can change the entry of a zone, or of an undelegated name, in the zone above. */
export function editorOf(zone: string, domain: string, parent?: string): Awaits {
  const party = delegatorOf(zone, domain, parent);
  if (party === "others") return "provider";
  return party === "parent" ? "claimant" : "registrar";
}

export const delegationEditor = ({ delegation, domain }: Observation): Awaits =>
  delegation.type === "delegated"
    ? editorOf(delegation.zone, domain, delegatingZone(delegation))
    : editorOf(registeredName(domain) ?? domain, domain);

/** Who can change a nameserver's address there: often its operator, who owns the nameserver's domain. */
export const glueEditor = ({ domain }: Observation, { host, parent }: StaleGlue): Awaits =>
  ownedName(host) === ownedName(domain) ? editorOf(ownedName(host), host, parent) : "provider";

/** The first of these servers with an address in the zone above that differs from its own zone. */
export function staleGlueOf(delegation: Delegation, servers: readonly ServerReading[]) {
  const [glue] = servers.flatMap(({ host, address, own }): StaleGlue[] =>
    address && own ? [{ host, registered: address, own, ...delegatingOf(delegation) }] : [],
  );
  return glue && { glue };
}

export const failedOf = (servers: readonly ServerReading[]): FailedNameserver[] =>
  servers.slice(0, MAX_LISTED).flatMap(({ host, result, alias, unregistered }) => {
    if (result === "answered") return [];
    const reason = unregistered && { reason: "unregistered" as const };
    return [{ host, result, ...(alias && { target: alias }), ...reason }];
  });
