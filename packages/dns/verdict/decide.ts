import { isRunByOthers, providerOf } from "../names.ts";
import { countsSerials, diagnoseAbsence } from "./absence.ts";
import type { CachedAnswer, Decision, Diagnosis, OtherAnswer } from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import { type History, serialSince } from "./history.ts";
import { diagnoseCatchAll, lameDelegation, listingFault } from "./lame-delegation.ts";
import { tokenOfForm } from "./near-misses.ts";
import type { Observation, ServerReading, TxtAnswer } from "./observation.ts";
import {
  delegatedHosts,
  delegatingOf,
  delegationEditor,
  diagnosed,
  glueEditor,
  hasToken,
  hostsOf,
  isDelegatedToAny,
  isDelegatedToToken,
  isFiltered,
  MAX_LISTED,
  MAX_SHOWN_VALUES,
  namedAgainst,
  type Spread,
  staleGlueOf,
  valuesOf,
} from "./publication-status.ts";
import { diagnoseServfail } from "./servfail.ts";
import { diagnoseOverHttps } from "./shut-port.ts";
import { publicationOf, type Standing, secondsRemaining, staleWitnesses } from "./standing.ts";

/** Decides from one read. "unresolvable" means that the read failed on our side, not because of the zone. */
export function decide(standing: Standing): Decision {
  if (standing.isProof) return { outcome: "found" };
  if (standing.proofState === "unread") return { outcome: "unresolvable" };
  const diagnosis = diagnose(standing);
  // Stale resolver caches are the only condition with both a diagnosis and a wait.
  const wait = diagnosis === null || diagnosis.code === "negative_cache" ? standing.wait : null;
  if (diagnosis) return { outcome: "absent", diagnosis, wait };
  return wait ? { outcome: "absent", diagnosis, wait } : { outcome: "unresolvable" };
}

/** The zone whose panel edits the record, without a cut that was made by entering the token as an NS record. */
function zoneOf(observation: Observation): string | null {
  const { delegation } = observation;
  if (delegation.type !== "delegated") return null;
  return isDelegatedToToken(observation) ? delegation.parent : delegation.zone;
}

export type Progress = ReturnType<typeof progressOf>;

/** What the next read needs. `partialSince` lasts until no server has the token, `resolversDue` until one lacks it. */
export function progressOf(standing: Standing) {
  const { observation, history, status, resolversDue, secondReadAt, secondReadBy } = standing;
  const { delegation } = observation;
  const partialSince = history.partialSince ?? (status.type === "partial" ? observation.at : null);
  return {
    firstSerial: history.firstSerial ?? observation.soa?.serial ?? null,
    serialSince: serialSince(observation, history),
    partialSince: status.type === "nowhere" ? null : partialSince,
    ...{ resolversDue, secondReadAt, waitUntil: secondReadBy, zone: zoneOf(observation) },
    provider: delegation.type === "delegated" ? providerOf(delegation.nameservers) : null,
  };
}

/** Says what is wrong. Null if nothing is, if nameservers only need time, or if too little was read. */
export const diagnose = (standing: Standing): Diagnosis | null => escapeAll(diagnosisOf(standing));

function diagnosisOf(standing: Standing): Diagnosis | null {
  const { observation, history, status, proofState } = standing;
  if (observation.shut) return diagnoseOverHttps(observation, history);
  if (status.type === "unread") return null;
  if (status.type === "lame")
    return tokenAsNameserver(observation) ?? lameDelegation(observation, status.nameservers);
  const servfail = diagnoseServfail(observation, proofState === "disproved");
  if (servfail) return servfail;
  if (status.type === "nowhere")
    return (
      diagnoseCatchAll(observation) ??
      diagnoseAbsence(observation, history, status.answers, status.lacking)
    );
  if (status.type === "partial") return lastingDifference(standing, status);
  return (isCacheWait(standing) ? null : otherNameservers(standing)) ?? staleResolvers(standing);
}

function tokenAsNameserver(observation: Observation) {
  if (!isDelegatedToToken(observation)) return null;
  return diagnosed("record_absent", {
    answer: { type: "nodata", types: ["NS"] },
    nearMiss: { kind: "ns_target", name: observation.challengeName },
  });
}

/** Explains why nameservers still disagree when zone transfers should be over, so that their operator must act. */
function lastingDifference(standing: Standing, spread: Spread) {
  const { observation, wait } = standing;
  if (wait) return null;
  const { delegation, soa } = observation;
  const stuck = stuckCopy(observation, spread.lacking);
  const leftoverHosts = leftoverServers(spread);
  const nameservers = leftoverHosts.length > 0 ? leftoverHosts : deadServers(spread, delegation);
  const type = leftoverHosts.length > 0 ? ("leftover" as const) : ("dead" as const);
  const serial = soa?.serial ?? null;
  const staleGlue = staleGlueOf(delegation, spread.lacking);
  const isMislisted = nameservers.length > 0;
  const observed = {
    ...{ ...publicationOf(spread), serial, ...staleGlue, ...(stuck && { stuck }) },
    ...(isMislisted && { nameservers, elsewhere: { type, ...delegatingOf(delegation) } }),
  };
  const editor = isMislisted ? delegationEditor(observation) : "provider";
  const awaits = staleGlue ? glueEditor(observation, staleGlue.glue) : editor;
  return diagnosed("not_published", observed, awaits);
}

/** Servers of a former provider. They and those with the record do not list each other in their copies of the zone. */
function leftoverServers({ carrying, lacking }: Spread): string[] {
  const isUnlistedBy = (server: ServerReading, other: ServerReading) =>
    server.listed !== undefined && server.listed.length > 0 && !server.listed.includes(other.host);
  const isLeftover = (server: ServerReading) =>
    carrying.every((holder) => isUnlistedBy(server, holder) && isUnlistedBy(holder, server));
  return carrying.length > 0 ? hostsOf(lacking.filter(isLeftover)) : [];
}

/** Silent servers that are listed but not the zone's: its own NS records lack them, or no such host can exist. */
function deadServers({ carrying, lacking, silent }: Spread, delegation: Observation["delegation"]) {
  if (delegation.type !== "delegated" || lacking.length > 0 || carrying.length === 0) return [];
  const isDead = (server: ServerReading) =>
    server.unregistered ||
    listingFault(server, delegation.zone) !== null ||
    carrying.every(({ listed = [] }) => listed.length > 0 && !listed.includes(server.host));
  return hostsOf(silent.filter(isDead));
}

/** The delegated servers have the record, but resolvers use others, from the zone's own NS RRset. */
function otherNameservers({ observation, proofState }: Standing): Diagnosis | null {
  const { delegation, soa } = observation;
  const named = namedAgainst(observation);
  if (delegation.type !== "delegated" || named.length === 0 || proofState !== "disproved")
    return null;
  const observed = {
    nameservers: [...new Set(hostsOf(named))],
    publishedOn: delegatedHosts(observation),
    serial: soa?.serial ?? null,
    elsewhere: { type: "listed" as const, ...delegatingOf(delegation) },
  };
  return diagnosed("not_published", observed, "provider");
}

const isCacheWait = ({ wait }: Standing): boolean =>
  wait?.reason === "negative_cache" && wait.held !== undefined;

/** Explains resolvers that lack the record: they cache an old answer, or, once no cache can have one, get another. */
function staleResolvers(standing: Standing): Diagnosis | null {
  const { observation, history, isStale, wait } = standing;
  if (!isStale && !isCacheWait(standing)) return null;
  if (wait?.reason !== "negative_cache") return otherAnswers(observation);
  const left = secondsRemaining(wait.until, observation.at + observation.durationMs);
  const { reason: _reason, until: _until, ...details } = wait;
  const observed = { held: cachedAnswer(observation, history), secondsRemaining: left, ...details };
  return diagnosed("negative_cache", observed, "resolvers");
}

function cachedAnswer({ witnesses, token }: Observation, history: History): CachedAnswer {
  const cached = (witnesses ?? []).flatMap(({ answer }) =>
    answer && !hasToken(answer, token) && (answer.alias || answer.values.length > 0) ? answer : [],
  );
  if (cached.length === 0) return "nothing";
  const values = cached.flatMap((answer) => valuesOf(answer));
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
  const { servers, soa, token, domain } = observation;
  const resolvers = staleWitnesses(observation)
    .slice(0, MAX_LISTED)
    .flatMap((witness): OtherAnswer[] => {
      const { name, answer, nameservers } = witness;
      if (!answer) return [];
      if (isFiltered(witness)) return [{ name, answer: answerOf(answer), filtered: true }];
      const isElsewhere = nameservers !== null && !isDelegatedToAny(observation, nameservers);
      const moreFields = isElsewhere ? { nameservers: nameservers.slice(0, MAX_LISTED) } : {};
      return [{ name, answer: answerOf(answer), ...moreFields }];
    });
  const publishedOn = hostsOf(servers.filter(({ answer }) => hasToken(answer, token)));
  const observed = { nameservers: [], publishedOn, serial: soa?.serial ?? null, resolvers };
  // Without other nameservers or a filter, another view of the zone explains it, which its owner sets up.
  const allHave = (what: "nameservers" | "filtered") => resolvers.every((one) => one[what]);
  const isOfOthers = isRunByOthers(zoneOf(observation) ?? domain, domain);
  const isOwnView = !allHave("nameservers") && !allHave("filtered") && !isOfOthers;
  return diagnosed("not_published", observed, isOwnView ? "claimant" : "provider");
}

/** Whether one serial is higher than another (RFC 1982 section 3.2). */
export const isHigherSerial = (serial: number, other: number): boolean =>
  serial !== other && (serial - other) >>> 0 < 0x8000_0000;

/** A copy that never updates: it lacks the record, but its serial is no lower than that of one with it (RFC 1034). */
function stuckCopy({ holder, soa, delegation }: Observation, lacking: readonly ServerReading[]) {
  if (!holder) return;
  const mayBeEqual = countsSerials(delegation, holder.serial);
  const stuckCopies = lacking.flatMap(({ host, answer }) => {
    const copy = answer?.soa;
    const isStuck =
      copy?.zone === soa?.zone &&
      copy &&
      (copy.serial === holder.serial ? mayBeEqual : isHigherSerial(copy.serial, holder.serial));
    return isStuck ? { host, serial: copy.serial, published: holder } : [];
  });
  return stuckCopies[0];
}
