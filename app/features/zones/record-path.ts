import { isRegistry, parentOf, providerOf, ROOT } from "@deed/dns/names.ts";
import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import type { EvidenceSummary } from "@deed/dns/verdict/evidence.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import {
  hasToken,
  isFiltered,
  valuesOf,
  wasNotAsked,
} from "@deed/dns/verdict/publication-status.ts";
import { headlineOf } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { failureInWords } from "@deed/dns/words/failures.ts";
import { providerName } from "@deed/dns/words/providers.ts";
import { capital, durationInWords } from "@deed/dns/words/wording.ts";
import type { lookUpZone } from "./zones.server.ts";

/** A server's answer. An "old" one is from before the record changed. */
export type Answer = "has" | "lacks" | "old" | "wrong" | "silent" | "unasked";

/** Servers with the same answer. `says` is the answer in a few words. */
export type Stop = { names: string[]; isHost: boolean; answer: Answer; says: string };

/** One step of the path. `isReached` says that the record, or the way to it, has come this far. */
export type PathStep = { title: string; isReached: boolean; stops: Stop[] };

export type RecordPath = PathStep[];

type PathDiagnosis = Pick<Diagnosis, "code" | "observed"> | null;
type Witness = NonNullable<Evidence["witnesses"]>[number];

/** The most nameservers that are shown singly; more are grouped by their answers. */
const MAX_SINGLE = 4;

const silent = (result: string) => ({ answer: "silent", says: failureInWords(result) }) as const;
const HAS_RECORD = { answer: "has", says: "has the record" } as const;
const LACKS = { answer: "lacks", says: "no record yet" } as const;
const UNREACHED = { answer: "silent", says: "could not be reached" } as const;
const ORPHAN = { answer: "wrong", says: "has the record, but nothing points here" } as const;
const FOR_RESOLVERS = { answer: "wrong", says: "listed only by resolvers" } as const;
const UDP_ONLY = { answer: "wrong", says: "has it over UDP only" } as const;
const UNASKED = { answer: "unasked", says: "not asked in this check" } as const;

type Reply = Pick<Stop, "answer" | "says">;

const hostStop = (host: string, reply: Reply): Stop => ({ names: [host], isHost: true, ...reply });
const resolverStop = (names: readonly string[], reply: Reply): Stop => ({
  names: names.map(capital),
  isHost: false,
  ...reply,
});

const VALUE_CODES = ["value_formatted", "expired_token", "foreign_token", "no_matching_record"];
const NAME_CODES = ["domain_appended", "record_at_apex", "record_on_www", "record_absent"];

/** Describes a wrong answer, in the words of the card's title if the diagnosis has one of `codes`. */
function wrong(diagnosis: PathDiagnosis, codes: string[], otherwise: string): Reply {
  const says =
    diagnosis && codes.includes(diagnosis.code) ? headlineOf(diagnosis as Diagnosis) : otherwise;
  return { answer: "wrong", says: says.charAt(0).toLowerCase() + says.slice(1) };
}

function nameserverReply(
  server: Evidence["servers"][number],
  { token, strays, misplaced, instead, confirmation }: Evidence,
  diagnosis: PathDiagnosis,
): Reply {
  if (strays?.some(({ host }) => host === server.host))
    return { answer: "wrong", says: "points to other nameservers" };
  if (wasNotAsked(server)) return UNASKED;
  if (server.result !== "answered" || !server.answer) return silent(server.result);
  if (hasToken(server.answer, token))
    return confirmation?.differs && confirmation.host === server.host ? UDP_ONLY : HAS_RECORD;
  if (server.answer.alias) return wrong(diagnosis, ["cname_conflict"], "has a CNAME instead");
  if (valuesOf(server.answer).length > 0)
    return wrong(diagnosis, VALUE_CODES, "has another TXT record");
  if (instead?.length && !misplaced.length) return wrong(null, [], "has other records instead");
  return misplaced.some(({ servers }) => servers.includes(server.host))
    ? wrong(diagnosis, NAME_CODES, "has it on another name")
    : LACKS;
}

function resolverReply(witness: Witness, token: string, diagnosis: PathDiagnosis): Reply {
  const { result, answer } = witness;
  if (result === "unasked") return { answer: "unasked", says: "asked next" };
  if (result === "servfail") return { answer: "wrong", says: "answers with an error" };
  if (result !== "answered" || !answer) return silent(result);
  if (hasToken(answer, token)) return HAS_RECORD;
  if (isFiltered(witness)) return { answer: "wrong", says: "withholds the answer" };
  // Only this code shows that caches may not have expired yet.
  if (diagnosis?.code === "negative_cache")
    return Object(diagnosis.observed).unasked
      ? LACKS
      : { answer: "old", says: "old answer still cached" };
  return { answer: diagnosis ? "wrong" : "lacks", says: "gets another answer" };
}

/** Makes one stop of all servers with the same answer, in the order of the first of each. */
const groupStops = (stops: readonly Stop[]): Stop[] =>
  [...Map.groupBy(stops, ({ says }) => says).values()].flatMap((same) => {
    const names = same.flatMap((stop) => stop.names);
    return same.slice(0, 1).map((first) => ({ ...first, names }));
  });

const stepOf = (title: string, stops: Stop[]): PathStep => ({
  title,
  isReached: stops.some(({ answer }) => answer === "has"),
  stops,
});

const nameserverStep = (stops: Stop[]): PathStep =>
  stepOf(
    stops.length === 1 && stops[0]?.isHost ? "Nameserver" : "Nameservers",
    stops.length > MAX_SINGLE ? groupStops(stops) : stops,
  );

function registryStep(zone: string, parent: string, reply: Reply): PathStep {
  const isSuffix = isRegistry(parent, zone);
  const name = parent === ROOT || parent === "" ? "root" : `${isSuffix ? "." : ""}${parent}`;
  return stepOf(isSuffix ? "Registry" : "Parent domain", [hostStop(name, reply)]);
}

/** Says "points to GoDaddy", or to how many nameservers if the provider is unknown. */
function pointsTo(hosts: readonly string[]): Reply {
  const count = `${hosts.length} ${hosts.length === 1 ? "nameserver" : "nameservers"}`;
  return { answer: "has", says: `points to ${providerName(providerOf(hosts)) ?? count}` };
}

const resolverStep = (stops: Stop[]): PathStep[] =>
  stops.length === 0 ? [] : [stepOf("Public resolvers", stops)];

const unaskedResolvers = (names: readonly string[], says: string): PathStep[] =>
  names.length === 0 ? [] : resolverStep([resolverStop(names, { answer: "unasked", says })]);

const ASKED_LATER = "asked after the nameservers";
const NONE_LISTED = { ...hostStop("None listed", UNASKED), isHost: false, says: "none to ask" };

/** Draws the path of a zone of which only the delegation is known. `witnesses` names the resolvers to ask. */
export function zonePath(
  { zone, nameservers }: { zone: string; nameservers: readonly string[] },
  witnesses: readonly string[],
  says = { nameservers: "not checked yet", resolvers: ASKED_LATER },
): RecordPath {
  const unaskedAnswer = { answer: "unasked", says: says.nameservers } as const;
  return [
    registryStep(zone, parentOf(zone), pointsTo(nameservers)),
    nameserverStep(nameservers.map((host) => hostStop(host, unaskedAnswer))),
    ...unaskedResolvers(witnesses, says.resolvers),
  ];
}

export function publicPath(
  { zone, delegation: { nameservers }, publishing }: Awaited<ReturnType<typeof lookUpZone>>,
  witnesses: readonly string[],
): RecordPath {
  const { publishingMinutes: minutes, negativeCacheTtlSeconds: seconds } = publishing;
  return zonePath({ zone, nameservers }, witnesses, {
    nameservers:
      minutes === null
        ? "asked once you add a record"
        : `shows it in about ${durationInWords(minutes * 60)}`,
    resolvers:
      seconds === null ? ASKED_LATER : `caches “not found” for ${durationInWords(seconds)}`,
  });
}

const undelegatedStep = (name: string, parent: string): PathStep =>
  registryStep(name, parent, { answer: "wrong", says: "lists no nameservers" });

export function undelegatedPath(name: string): RecordPath {
  let parent = parentOf(name);
  while (!isRegistry(parent, name)) parent = parentOf(parent);
  return [undelegatedStep(name, parent)];
}

function delegationStep({ delegation, domain }: Evidence): PathStep {
  switch (delegation.type) {
    case "delegated":
      return registryStep(delegation.zone, delegation.parent, pointsTo(delegation.nameservers));
    case "none":
      return undelegatedStep(domain, delegation.parent);
    case "unreachable":
      return registryStep(domain, delegation.zone, UNREACHED);
  }
}

/** Returns the nameservers that are known only to resolvers without the record. */
function namedByResolvers({ servers, witnesses, token }: Evidence): Stop[] {
  const unaware = (witnesses ?? []).filter(({ answer }) => !answer || !hasToken(answer, token));
  const names = new Set(unaware.flatMap(({ nameservers }) => nameservers ?? []));
  for (const { host } of servers) names.delete(host);
  return Array.from(names, (host) => hostStop(host, FOR_RESOLVERS));
}

/** Draws the path of a record by the evidence of a check. `isLast` says that no other check follows. */
export function recordPath(
  evidence: Evidence,
  diagnosis: PathDiagnosis,
  witnesses: readonly string[],
  isLast = false,
) {
  const { servers, unlisted, former, token } = evidence;
  const listedStops = servers.map((one) => {
    const reply = nameserverReply(one, evidence, diagnosis);
    return hostStop(one.host, isLast && reply === LACKS ? { ...reply, says: "no record" } : reply);
  });
  // Evidence of older versions lacks both lists.
  const orphanStops = [...(unlisted ?? []), ...(former ?? [])]
    .filter(({ answer }) => hasToken(answer, token))
    .map(({ host }) => hostStop(host, ORPHAN));
  const resolverStops = (evidence.witnesses ?? []).map((one) =>
    resolverStop([one.name], resolverReply(one, token, diagnosis)),
  );
  const resolverOnlyStops = diagnosis?.code === "not_published" ? namedByResolvers(evidence) : [];
  const noneListed = evidence.delegation.type === "none" ? [NONE_LISTED] : [];
  const stops = [...listedStops, ...orphanStops, ...resolverOnlyStops, ...noneListed];
  const unasked = unaskedResolvers(witnesses, isLast ? UNASKED.says : ASKED_LATER);
  return [
    delegationStep(evidence),
    ...(stops.length > 0 ? [nameserverStep(stops)] : []),
    ...(evidence.witnesses ? resolverStep(resolverStops) : stops.length > 0 ? unasked : []),
  ];
}

/** Draws the path of a check whose evidence is only a summary; empty if it saw no zone. */
export function summaryPath({ zone, servers, witnesses }: EvidenceSummary): RecordPath {
  if (zone === null) return [];
  const replyOf = (one: { rcode: string | null; hasToken: boolean }, result: string): Reply =>
    one.hasToken ? HAS_RECORD : result === "answered" ? LACKS : silent(result);
  return [
    registryStep(zone, parentOf(zone), pointsTo(servers.map(({ host }) => host))),
    nameserverStep(servers.map((one) => hostStop(one.host, replyOf(one, one.result)))),
    ...resolverStep(
      witnesses.map((one) =>
        resolverStop([one.name], replyOf(one, one.rcode === null ? "timeout" : "answered")),
      ),
    ),
  ];
}
