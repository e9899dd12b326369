import { providerOf } from "../names.ts";
import { diagnoseAbsence } from "./absence.ts";
import {
  type Awaits,
  type Decision,
  type Diagnosis,
  diagnosed,
  type HeldAnswer,
  type OtherAnswer,
  type ResolverFault,
} from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import { type History, serialSince } from "./history.ts";
import { catchAll, delegatorOf, lameDelegation } from "./lame-delegation.ts";
import { tokenOfForm } from "./near-misses.ts";
import type { Observation, ServerReading, TxtAnswer } from "./observation.ts";
import {
  isProof,
  isStale,
  proofStandingOf,
  publicationOf,
  resolverFaultOf,
  resolversDueAfter,
  secondReadAt,
  secondReadBy,
  secondsRemaining,
  staleWitnesses,
  waitOf,
  zoneFaultOf,
} from "./proof.ts";
import {
  delegatingOf,
  hasToken,
  hostsOf,
  isDelegatedToAny,
  isDelegatedToToken,
  isFailing,
  MAX_LISTED,
  MAX_SHOWN_VALUES,
  namedAgainst,
  publicationStatusOf,
  type Spread,
  staleGlueOf,
  valuesOf,
  witnessVerdictOf,
} from "./publication-status.ts";
import { decideOverHttps } from "./shut-port.ts";

/** `unresolvable`: our side, not the zone, kept the read from reaching a result. */
export function decide(observation: Observation, history: History): Decision {
  if (observation.shut) return decideOverHttps(observation, history);
  const standing = publicationStatusOf(observation);
  if (standing.type === "unread") return { outcome: "unresolvable" };
  if (isProof(observation, history)) return { outcome: "found" };
  if (proofStandingOf(observation) === "unread") return { outcome: "unresolvable" };
  const diagnosis = diagnose(observation, history);
  // Stale resolver caches are the only condition with both a diagnosis and a wait.
  const isWaitedFor = diagnosis === null || diagnosis.code === "negative_cache";
  const wait = isWaitedFor ? waitOf(observation, history) : null;
  if (diagnosis) return { outcome: "absent", diagnosis, wait };
  return wait ? { outcome: "absent", diagnosis, wait } : { outcome: "unresolvable" };
}

/** The zone in whose panel the record is edited; skips a zone cut created by entering the token as an NS record. */
function zoneOf(observation: Observation): string | null {
  const { delegation } = observation;
  if (delegation.type !== "delegated") return null;
  return isDelegatedToToken(observation) ? delegation.parent : delegation.zone;
}

export type Progress = ReturnType<typeof progressOf>;

/**
 * `partialSince` stays until no nameserver has the token, `resolversDue` until one lacks it, `secondReadAt` until a
 * read finds anything else; the first serial stays.
 */
export function progressOf(observation: Observation, history: History) {
  const { delegation } = observation;
  const standing = publicationStatusOf(observation);
  const partialSince =
    history.partialSince ?? (standing.type === "partial" ? observation.at : null);
  return {
    firstSerial: history.firstSerial ?? observation.soa?.serial ?? null,
    serialSince: serialSince(observation, history),
    partialSince: standing.type === "nowhere" ? null : partialSince,
    resolversDue: resolversDueAfter(observation, history),
    secondReadAt: secondReadAt(observation, history),
    waitUntil: secondReadBy(observation, history),
    zone: zoneOf(observation),
    provider: delegation.type === "delegated" ? providerOf(delegation.nameservers) : null,
  };
}

/** Null if nothing is wrong, if nameservers only need time, or if too little was read. */
export const diagnose = (observation: Observation, history: History): Diagnosis | null =>
  escapeAll(diagnosisOf(observation, history));

function diagnosisOf(observation: Observation, history: History): Diagnosis | null {
  const standing = publicationStatusOf(observation);
  if (standing.type === "unread") return null;
  if (standing.type === "lame")
    return tokenAsNameserver(observation) ?? lameDelegation(observation, standing.nameservers);
  const servfail = diagnoseServfail(observation);
  if (servfail) return servfail;
  if (standing.type === "nowhere")
    return (
      catchAll(observation) ??
      diagnoseAbsence(observation, history, standing.answers, standing.lacking)
    );
  if (standing.type === "partial") return outlastedSync(observation, history, standing);
  return otherNames(observation) ?? staleResolvers(observation, history);
}

function tokenAsNameserver(observation: Observation) {
  if (!isDelegatedToToken(observation)) return null;
  return diagnosed("record_absent", {
    answer: { type: "nodata", types: ["NS"] },
    nearMiss: { kind: "ns_target", name: observation.challengeName },
  });
}

/** The nameservers still disagree after the time allowed for synchronisation, so their operator must act. */
function outlastedSync(observation: Observation, history: History, spread: Spread) {
  if (waitOf(observation, history)) return null;
  const stuck = stuckCopy(observation, spread.lacking);
  const serial = observation.soa?.serial ?? null;
  const nameservers = leftoverOf(spread);
  const { delegation } = observation;
  const elsewhere = { type: "leftover" as const, ...delegatingOf(delegation) };
  const observed = {
    ...{ ...publicationOf(spread), serial, ...staleGlueOf(delegation, spread.lacking) },
    ...(stuck && { stuck }),
    ...(nameservers.length > 0 && { nameservers, elsewhere }),
  };
  const isMislisted = "glue" in observed || nameservers.length > 0;
  return diagnosed("not_published", observed, isMislisted ? delegatorOf(delegation) : "provider");
}

/** Servers of a former provider: they and those with the record list each other in neither copy of the zone. */
function leftoverOf({ carrying, lacking }: Spread): string[] {
  const isApart = (one: ServerReading, other: ServerReading) =>
    one.listed !== undefined && one.listed.length > 0 && !one.listed.includes(other.host);
  const isLeft = (one: ServerReading) =>
    carrying.every((holder) => isApart(one, holder) && isApart(holder, one));
  return carrying.length > 0 ? hostsOf(lacking.filter(isLeft)) : [];
}

/** The delegated servers have the record, but resolvers use other nameservers, which the zone's NS RRset names. */
function otherNames(observation: Observation): Diagnosis | null {
  const { delegation, soa } = observation;
  const named = namedAgainst(observation);
  const isDisproved = proofStandingOf(observation) === "disproved";
  if (delegation.type !== "delegated" || named.length === 0 || !isDisproved) return null;
  const observed = {
    nameservers: [...new Set(hostsOf(named))],
    publishedOn: delegation.nameservers.slice(0, MAX_LISTED),
    serial: soa?.serial ?? null,
    elsewhere: { type: "listed" as const, ...delegatingOf(delegation) },
  };
  return diagnosed("not_published", observed, "provider");
}

/** Resolvers may have an old answer cached. Once every cache must have expired, they are getting another answer. */
function staleResolvers(observation: Observation, history: History): Diagnosis | null {
  if (!isStale(observation)) return null;
  const wait = waitOf(observation, history);
  if (!wait) return otherAnswers(observation);
  const left = secondsRemaining(wait.until, observation.at + observation.durationMs);
  const observed = { secondsRemaining: left, held: heldBy(observation, history) };
  return diagnosed("negative_cache", observed, "resolvers");
}

function heldBy({ witnesses, token }: Observation, history: History): HeldAnswer {
  const held = (witnesses ?? []).flatMap(({ answer }) =>
    answer && !hasToken(answer, token) && (answer.alias || answer.values.length > 0) ? answer : [],
  );
  if (held.length === 0) return "nothing";
  const values = held.flatMap((answer) => valuesOf(answer));
  const tokens = new Set(values.map((value) => tokenOfForm(value, history.tokenPrefix)));
  return history.endedTokens.some(({ token: ended }) => tokens.has(ended))
    ? "earlier_token"
    : "other_values";
}

function answerOf({ rcode, alias, values }: TxtAnswer): OtherAnswer["answer"] {
  if (alias) return { type: "alias", target: alias.target };
  if (values.length > 0) return { type: "values", values: values.slice(0, MAX_SHOWN_VALUES) };
  return { type: rcode === "NXDOMAIN" ? "nxdomain" : "nodata" };
}

function otherAnswers(observation: Observation) {
  const { servers, soa, token } = observation;
  const resolvers = staleWitnesses(observation)
    .slice(0, MAX_LISTED)
    .flatMap(({ name, answer, nameservers }): OtherAnswer[] => {
      if (!answer) return [];
      const isElsewhere = nameservers !== null && !isDelegatedToAny(observation, nameservers);
      const others = isElsewhere ? { nameservers: nameservers.slice(0, MAX_LISTED) } : {};
      return [{ name, answer: answerOf(answer), ...others }];
    });
  const publishedOn = hostsOf(servers.filter(({ answer }) => hasToken(answer, token)));
  const observed = { nameservers: [], publishedOn, serial: soa?.serial ?? null, resolvers };
  return diagnosed("not_published", observed, "provider");
}

/** Whether one serial is higher than another (RFC 1982 section 3.2). */
export const isHigherSerial = (one: number, other: number): boolean =>
  one !== other && (one - other) >>> 0 < 0x8000_0000;

/** A serial above that of the copy with the record: secondaries never fetch a lower one (RFC 1034 section 4.3.5). */
function stuckCopy({ holder, soa }: Observation, lacking: readonly ServerReading[]) {
  if (!holder) return;
  const stuck = lacking.flatMap(({ host, answer }) => {
    const own = answer?.soa;
    const isStuck = own?.zone === soa?.zone && own && isHigherSerial(own.serial, holder.serial);
    return isStuck ? { host, serial: own.serial, published: holder } : [];
  });
  return stuck[0];
}

/** Resolvers that cannot read the zone at all show that before it has the record. */
function diagnoseServfail({ zoneWitnesses = null, ...seen }: Observation) {
  const observation = { ...seen, witnesses: seen.witnesses ?? zoneWitnesses };
  const isBroken = witnessVerdictOf(observation) === "broken";
  const isDisproved = proofStandingOf(observation) === "disproved";
  const ownFault = isDisproved ? zoneFaultOf(observation) : null;
  const fault = isBroken ? resolverFaultOf(observation) : ownFault;
  if (!isBroken && !fault) return null;
  const failing = (observation.witnesses ?? []).filter(isFailing);
  const given = failing.flatMap(({ extendedErrors }) => extendedErrors);
  const errors = new Map(given.map((error) => [`${error.code} ${error.text}`, error]));
  const observed = {
    resolvers: failing.map(({ name }) => name),
    extendedErrors: [...errors.values()].slice(0, MAX_LISTED),
    ...(fault && { fault }),
  };
  return diagnosed("servfail", observed, fault ? awaitedBy(fault) : "provider");
}

function awaitedBy(fault: ResolverFault): Awaits {
  if (fault.type === "unsigned") return "resolvers";
  if (fault.type === "filtered") return "claimant";
  if (!("dsKeyTags" in fault)) return "provider";
  return fault.parent === undefined ? "registrar" : "claimant";
}
