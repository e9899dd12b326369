import { diagnose } from "../verdict/diagnose.ts";
import { type Diagnosis, type History, UNREAD } from "../verdict/diagnosis.ts";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import {
  type Misplaced,
  newObservation,
  type Observation,
  type ProbeKind,
  type TxtAnswer,
} from "../verdict/observation.ts";
import { probesFor } from "../verdict/probes.ts";
import { prefixOf } from "../verdict/token-corruption.ts";
import { type ParsedRecord, parseRecord, type TypedRecord } from "./parsed-record.ts";
import type { RecordLocation } from "./providers.ts";

export type { TypedRecord } from "./parsed-record.ts";

/** The record that would be published, and what would be wrong with it. */
export type Rehearsal = ParsedRecord & {
  /** Null if nothing in the input is wrong. */
  diagnosis: Diagnosis | null;
};

const EMPTY: TxtAnswer = { rcode: "NXDOMAIN", values: [], ttl: null, alias: null, soa: null };

/** An observation of a zone with one nameserver that publishes only the typed record. */
function hypotheticalObservation(
  { domain, label, token, zone }: RecordLocation,
  answer: TxtAnswer,
  change: Partial<Observation> = {},
): Observation {
  const host = "supposed";
  const challengeName = `${label}.${domain}`;
  const nameservers = [host];
  return {
    ...newObservation({ at: 0, domain, label, challengeName, token }),
    delegation: { type: "delegated", zone: zone ?? domain, parent: "", nameservers, ttl: 0 },
    servers: [{ host, address: host, result: "answered", answer, latencyMs: 0 }],
    confirmation: { host, address: host, confirmed: true },
    wildcard: false,
    witnesses: [],
    ...change,
  };
}

/** The kind of wrong name, if records are known to end up at it. */
function wrongNameKind(name: string, place: RecordLocation, empty: Observation): ProbeKind | null {
  const probe = probesFor(empty, place.zone ?? place.domain).find((one) => one.name === name);
  if (probe) return probe.kind;
  if (name.includes(place.token)) return "token_as_host";
  const [label = "", ...rest] = name.split(".");
  const isClose = rest.join(".") === place.domain && editDistance(label, place.label) <= 2;
  return isClose ? "misspelled" : null;
}

/** Levenshtein distance between two labels. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(
        Math.min(
          (row[j] ?? 0) + (letter === wanted ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

const HOLDING: Record<string, ProbeKind> = { MX: "mx_target", SPF: "spf_type", NS: "ns_target" };

/** A hit if the token is in a record of another type that can hold it. */
function wrongType(
  type: string,
  name: string,
  value: string,
  { token }: RecordLocation,
): Misplaced[] {
  const kind = HOLDING[type];
  return kind && value.includes(token) ? [{ kind, name, value, others: 0, servers: [] }] : [];
}

function observe(record: ParsedRecord, place: RecordLocation): Observation {
  const empty = hypotheticalObservation(place, EMPTY);
  const present = { ...EMPTY, rcode: "NOERROR" };
  const { type } = record;
  const value = record.value ?? place.token;
  const name = record.name ?? empty.challengeName;
  if (name !== empty.challengeName) {
    const kind = type === "TXT" ? wrongNameKind(name, place, empty) : null;
    return { ...empty, misplaced: kind ? [{ kind, name, value, others: 0, servers: [] }] : [] };
  }
  if (type === "TXT") return hypotheticalObservation(place, { ...present, values: [value] });
  if (type === "CNAME" || type === "DNAME")
    return hypotheticalObservation(place, { ...present, alias: { type, name, target: value } });
  const misplaced = wrongType(type, name, value, place);
  return hypotheticalObservation(place, present, { typesAtName: [type], misplaced });
}

const NOTHING_ELSE = { endedTokens: [], domainOf: () => null };

/**
 * Predicts, without a DNS query, the record that the input would create and the diagnosis that a read would yield, with
 * the same codes and rules. Null if the input is empty. `endedTokens` and `domainOf` as in History.
 */
export function rehearse(
  typed: TypedRecord,
  place: RecordLocation,
  { endedTokens, domainOf }: Pick<History, "endedTokens" | "domainOf"> = NOTHING_ELSE,
): Rehearsal | null {
  const record = parseRecord(typed, place);
  if (!record) return null;
  const history: History = {
    ...UNREAD,
    endedTokens,
    domainOf,
    tokenPrefix: prefixOf(place.token),
  };
  return {
    name: record.name === null ? null : escapeUntrusted(record.name),
    type: record.type,
    value: record.value === null ? null : escapeUntrusted(record.value),
    diagnosis: diagnose(observe(record, place), history),
  };
}
