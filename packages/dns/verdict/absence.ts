import { providerOf } from "../names.ts";
import type { Diagnosis, Elsewhere, ObservedByCode } from "./diagnosis.ts";
import { escapeUntrusted } from "./escape-untrusted.ts";
import { type History, serialSince } from "./history.ts";
import { corruptionOf, piecesOf, takeDistinct, tokenOfForm } from "./near-misses.ts";
import {
  type Delegation,
  NEAR_MISS_KINDS,
  type Observation,
  type ProbeKind,
  type ServerReading,
  type TxtAnswer,
} from "./observation.ts";
import { parkedIn } from "./parked.ts";
import {
  delegatedHosts,
  delegatingOf,
  delegationEditor,
  diagnosed,
  hasToken,
  hostsOf,
  MAX_LISTED,
  MAX_SHOWN_VALUES,
  valuesOf,
} from "./publication-status.ts";

type Absence = {
  observation: Observation;
  history: History;
  answers: readonly TxtAnswer[];
  values: readonly string[];
  lacking: readonly ServerReading[];
};

type Rule = (absence: Absence) => Diagnosis | null | undefined;

const othersField = (others: number) => (others > 0 ? { others } : {});
/** Types at the challenge name, with TXT only if it has values. They may come from a wildcard. */
const typesOf = ({ observation, answers, values }: Absence): string[] => {
  const aliases = answers.flatMap(({ alias }) => alias?.type ?? []);
  const types = [...observation.typesAtName, ...aliases, ...(values.length > 0 ? ["TXT"] : [])];
  return [...new Set(types)].slice(0, MAX_LISTED);
};
const wildcardIn = (absence: Absence) => {
  const { wildcard } = absence.observation;
  if (!wildcard) return {};
  const types = typesOf(absence);
  // If the name has TXT values, the reader did not ask for other types.
  const isKnown = types.some((type) => type !== "TXT");
  return { wildcardName: wildcard, ...(isKnown && { wildcardTypes: types }) };
};
const valueFacts = (absence: Absence, value: string) => ({
  ...othersField(new Set(absence.values.filter((other) => other !== value)).size),
  ...wildcardIn(absence),
});

const valueFormatted: Rule = (absence) => {
  const { observation, values } = absence;
  const { token } = observation;
  const pieces = piecesOf(values, token);
  const [first] = pieces;
  if (first !== undefined) {
    const truncated = { value: first, damage: ["truncated" as const], pieces: pieces.length };
    const others = othersField(values.length - pieces.length);
    return diagnosed("value_formatted", { ...truncated, ...others, ...wildcardIn(absence) });
  }
  for (const value of values) {
    const damage = corruptionOf(value, token);
    if (damage)
      return diagnosed("value_formatted", { value, damage, ...valueFacts(absence, value) });
  }
  return null;
};

const misplacedAt = ({ observation: { misplaced, token } }: Absence, kind: ProbeKind) =>
  misplaced.find(
    (hit) =>
      hit.kind === kind &&
      (kind === "token_as_host" || hit.value === token || corruptionOf(hit.value, token) !== null),
  );

const NON_TXT_KINDS = new Set<ProbeKind>(["token_as_host", "mx_target", "spf_type", "ns_target"]);

/** Has `value` only if that is not the token alone: then the record must not be moved unchanged. */
const placeOf = (
  { observation: { token } }: Absence,
  { kind, name, value, others }: Observation["misplaced"][number],
) => ({
  name,
  ...(value !== token && !NON_TXT_KINDS.has(kind) && { value }),
  ...othersField(others),
});

const domainAppended: Rule = (absence) => {
  const hit = misplacedAt(absence, "domain_appended");
  return hit && diagnosed("domain_appended", { ...placeOf(absence, hit), ...wildcardIn(absence) });
};

const recordAt =
  (code: "record_at_apex" | "record_on_www", kind: ProbeKind): Rule =>
  (absence) => {
    const hit = misplacedAt(absence, kind);
    if (!hit) return null;
    const { name, value, others } = hit;
    return diagnosed(code, { name, value, ...othersField(others) });
  };

const nearMiss: Rule = (absence) => {
  for (const kind of NEAR_MISS_KINDS) {
    const hit = misplacedAt(absence, kind);
    if (hit) return recordAbsent(absence, { kind, ...placeOf(absence, hit) });
  }
  return null;
};

/** Answers of parking servers are nobody's record, and none can be added there. */
const zoneParked: Rule = (absence) =>
  "parked" in parkedIn(absence.observation)
    ? { ...recordAbsent(absence, null), awaits: delegationEditor(absence.observation) }
    : null;

const cnameConflict: Rule = ({ observation: { wildcard, challengeName }, answers }) => {
  const alias = answers.find((answer) => answer.alias)?.alias;
  if (!alias) return null;
  const { type, target } = alias;
  const name = type === "DNAME" ? alias.name : wildcard === false ? challengeName : wildcard;
  return diagnosed("cname_conflict", { target, ...(name !== null && { record: { type, name } }) });
};

const expiredToken: Rule = (absence) => {
  const { history, values } = absence;
  // Without other values, the account's tokens need no lookup.
  if (values.length === 0) return null;
  const { endedTokens, tokenPrefix } = history;
  for (const value of values) {
    const foundToken = tokenOfForm(value, tokenPrefix);
    const ended = endedTokens.find(({ token }) => token === value || token === foundToken);
    if (!ended) continue;
    const claimEndedAt = new Date(ended.endedAt).toISOString();
    const facts = { claimEndedAt, ...(ended.proved && { proved: true as const }) };
    return diagnosed("expired_token", { value, ...facts, ...valueFacts(absence, value) });
  }
  return null;
};

const foreignToken: Rule = (absence) => {
  const { history, values } = absence;
  const tokens = values.flatMap((value) => {
    const token = tokenOfForm(value, history.tokenPrefix);
    return token === null ? [] : [{ value, token }];
  });
  for (const { value, token } of tokens.slice(0, MAX_LISTED)) {
    const domain = history.domainOf(token);
    if (domain !== null)
      return diagnosed("foreign_token", { value, domain, ...valueFacts(absence, value) });
  }
  const [first] = tokens;
  return first && diagnosed("foreign_token", { value: first.value, ...wildcardIn(absence) });
};

const noMatchingRecord: Rule = (absence) => {
  const { observation, values } = absence;
  if (values.length === 0) return null;
  const shown = new Set(values.map((value) => escapeUntrusted(value)));
  return diagnosed("no_matching_record", {
    values: [...shown].slice(0, MAX_SHOWN_VALUES),
    wildcard: typeof observation.wildcard === "string",
    ...wildcardIn(absence),
  });
};

function recordAbsent(absence: Absence, nearMiss: ObservedByCode["record_absent"]["nearMiss"]) {
  const { observation, answers } = absence;
  const nameservers = delegatedHosts(observation);
  const types = typesOf(absence);
  const isMissing = types.length === 0 && answers.every(({ rcode }) => rcode === "NXDOMAIN");
  return diagnosed("record_absent", {
    answer: isMissing ? { type: "nxdomain" } : { type: "nodata", types },
    nearMiss,
    ...(!nearMiss && observation.delegation.type === "delegated" && { nameservers }),
    ...wildcardIn(absence),
    ...delegatedZone(observation),
    ...parkedIn(observation),
  });
}

function delegatedZone(observation: Observation) {
  const { delegation, parent } = observation;
  if (delegation.type !== "delegated" || !parent) return {};
  const nameservers = delegatedHosts(observation);
  return { delegated: { zone: delegation.zone, parent: parent.zone, nameservers } };
}

const publishedElsewhere: Rule = (absence) => {
  const { observation, lacking } = absence;
  const { token, parent, former, unlisted, delegation, soa } = observation;
  const foundOn = (publishedOn: string[], elsewhere: Elsewhere) => {
    const observed = { nameservers: hostsOf(lacking), serial: soa?.serial ?? null };
    const place = { ...wildcardIn(absence), publishedOn, elsewhere };
    return diagnosed("not_published", { ...observed, ...place });
  };
  const hostsWithToken = (servers: readonly ServerReading[]) =>
    hostsOf(servers.filter(({ answer }) => hasToken(answer, token)));
  if (parent?.name) {
    const { zone, name, nameservers } = parent;
    return foundOn(nameservers.slice(0, MAX_LISTED), { type: "parent", zone, name });
  }
  const [formerHosts, unlistedHosts] = [hostsWithToken(former), hostsWithToken(unlisted)];
  if (formerHosts.length > 0) return foundOn(formerHosts, { type: "former" });
  if (unlistedHosts.length === 0) return null;
  return foundOn(unlistedHosts, { type: "unlisted", ...delegatingOf(delegation) });
};

const zoneUnsaved: Rule = (absence) => {
  const { observation, history, lacking } = absence;
  const serial = observation.soa?.serial ?? null;
  const since = unchangedSince(observation, history);
  if (serial === null || since === null) return null;
  return diagnosed("not_published", {
    ...{ nameservers: hostsOf(lacking), publishedOn: [], serial, unchanged: true as const },
    since: new Date(since).toISOString(),
    ...{ ...wildcardIn(absence), ...delegatedZone(observation) },
  });
};

/** Since when all serials are that of the claim's first read. Null if they show nothing: most zones raise them. */
function unchangedSince(observation: Observation, history: History): number | null {
  const { soa, servers, delegation } = observation;
  const serials = [soa, ...servers.map(({ answer }) => answer?.soa)];
  const copies = serials.filter((copy) => copy?.zone === soa?.zone);
  const isCounted = countsSerials(delegation, soa?.serial);
  const areUnchanged = copies.every((copy) => copy?.serial === history.firstSerial);
  return isCounted && areUnchanged ? serialSince(observation, history) : null;
}

/** Whether the zone's serial changes with its contents. */
export const countsSerials = (delegation: Delegation, serial = 0): boolean =>
  serial > 1 && delegation.type === "delegated" && providerOf(delegation.nameservers) !== "route53";

/** The servers may show us another view of the zone than they show the public. */
const innerView: Rule = ({ observation: { outside, soa }, lacking }) => {
  const observed = { nameservers: hostsOf(lacking), publishedOn: [], serial: soa?.serial ?? null };
  return outside ? diagnosed("not_published", { ...observed, outside }, "provider") : null;
};

const RULES: readonly Rule[] = [
  valueFormatted,
  domainAppended,
  recordAt("record_at_apex", "apex"),
  recordAt("record_on_www", "challenge_on_www"),
  recordAt("record_on_www", "www"),
  nearMiss,
  zoneParked,
  cnameConflict,
  expiredToken,
  foreignToken,
  noMatchingRecord,
  publishedElsewhere,
  innerView,
  zoneUnsaved,
];

export function diagnoseAbsence(
  observation: Observation,
  history: History,
  answers: readonly TxtAnswer[],
  lacking: readonly ServerReading[],
): Diagnosis {
  const values = takeDistinct(answers.flatMap(valuesOf));
  const absence = { observation, history, answers, values, lacking };
  for (const rule of RULES) {
    const diagnosis = rule(absence);
    if (diagnosis) return diagnosis;
  }
  return recordAbsent(absence, null);
}
