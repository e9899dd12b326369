import { providerOf, ROOT } from "@deed/dns/names.ts";
import type {
  Evidence,
  Failure,
  ServerReading,
  WitnessFailure,
  WitnessReading,
} from "@deed/dns/verdict/observation.ts";
import { secondsRemaining } from "@deed/dns/verdict/proof.ts";
import { hasToken, valuesOf } from "@deed/dns/verdict/publication-status.ts";
import { sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { PANELS, type RecordLocation } from "@deed/dns/words/providers.ts";
import { durationInWords, failureInWords, joinList } from "@deed/dns/words/wording.ts";
import { iso } from "#app/core/time.ts";
import { aligned } from "../support/output.ts";
import type { Reading } from "./read.ts";

function transportOf({ exchanges, challengeName }: Evidence, server: string) {
  const asked = exchanges.filter(
    (one) => one.server === server && one.question.name === challengeName,
  );
  return (asked.findLast(({ result }) => result === "answered") ?? asked.at(-1))?.transport ?? null;
}

const said = (
  evidence: Evidence,
  token: string | null,
  name: string,
  { address, result, answer, latencyMs }: ServerReading | WitnessReading,
) => ({
  address,
  transport: transportOf(evidence, name),
  result,
  rcode: answer?.rcode ?? null,
  /** Null without a token or an answer. */
  hasRecord: token !== null && answer ? hasToken(answer, token) : null,
  values: answer ? [...valuesOf(answer)] : [],
  alias: answer?.alias?.target ?? null,
  latencyMs,
});
type Said = ReturnType<typeof said>;

/** Null if nothing is delegated, or the read did not get that far. */
function zoneIn({ delegation, soa }: Evidence) {
  if (delegation.type !== "delegated") return null;
  const provider = providerOf(delegation.nameservers);
  return {
    name: delegation.zone,
    parent: delegation.parent,
    provider,
    dnsHost: provider === "other" ? null : PANELS[provider].operator,
    ttlSeconds: delegation.ttl,
    publishingMinutes: PANELS[provider].publishingMinutes,
    negativeCacheTtlSeconds: soa && Math.min(soa.ttl, soa.minimum),
  };
}

const zoneName = (zone: string): string => (zone === ROOT ? "the root" : zone);

/** The zone whose servers did not answer, or that does not delegate the name. */
function stoppedAt({ delegation }: Evidence): string | null {
  if (delegation.type === "delegated") return null;
  return delegation.type === "none" ? delegation.parent : delegation.zone;
}

function failureOf({ delegation, limit, servers, witnesses }: Evidence): string {
  if (delegation.type === "unreachable")
    return `No server of ${zoneName(delegation.zone)} answers this machine.`;
  if (limit === "tcp") return "This machine cannot open TCP connections to port 53.";
  if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    return "The zone's nameservers have only IPv6 addresses, and this machine has no IPv6.";
  const silent = (witnesses ?? []).filter(({ result }) => result !== "answered");
  if (silent.length > 0)
    return `Too few of the configured resolvers answer: nothing usable from ${joinList(silent.map(({ name }) => name))}.`;
  return "The check did not finish within its limits.";
}

/** What `deed check --json` prints. Times ISO 8601; text from DNS escaped. `now`: epoch milliseconds. */
export function reportOf({ question, evidence, decision, registry }: Reading, now: number) {
  const { domain, unicode, label, token } = question;
  const zone = zoneIn(evidence);
  const place: RecordLocation = {
    label,
    domain,
    token: token ?? "",
    zone: zone?.name ?? null,
    provider: zone?.provider ?? "other",
  };
  const absent = decision.outcome === "absent" ? decision : null;
  // Without a token only what is wrong with the zone counts, not what is missing from it.
  const diagnosis =
    token !== null || absent?.diagnosis?.code === "lame_delegation" ? absent?.diagnosis : null;
  return {
    name: domain,
    unicode,
    challengeName: evidence.challengeName,
    at: iso(evidence.at),
    durationMs: evidence.durationMs,
    outcome: token === null && decision.outcome !== "unresolvable" ? null : decision.outcome,
    zone,
    stoppedAt: stoppedAt(evidence),
    nameservers: evidence.servers.map((server) => ({
      host: server.host,
      ...said(evidence, token, server.host, server),
    })),
    /** Empty unless the nameservers gave a reason to ask them. `validated`: the answer's AD flag. */
    resolvers: (evidence.witnesses ?? []).map((witness) => ({
      name: witness.name,
      ...said(evidence, token, witness.name, witness),
      validated: witness.ad,
    })),
    diagnosis: diagnosis ? { ...diagnosis, ...sentencesFor(diagnosis, place) } : null,
    registry: diagnosis ? registry : null,
    wait:
      token !== null && absent?.wait
        ? {
            reason: absent.wait.reason,
            secondsRemaining: secondsRemaining(absent.wait.until, now),
          }
        : null,
    failure: decision.outcome === "unresolvable" ? failureOf(evidence) : null,
  };
}
export type Report = ReturnType<typeof reportOf>;

export type Tone = "good" | "bad" | "waiting" | "strong" | "quiet";
export type Paint = (tone: Tone, text: string) => string;

const TRANSPORTS = { udp: "UDP", tcp: "TCP", tls: "TLS", https: "HTTPS" };
const COLUMN = 13;

const block = (label: string, ...lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? label : "").padEnd(COLUMN)}${line}`);

const RESOLVER_FAILURES: Record<WitnessFailure, string> = {
  timeout: "does not answer",
  refused: "refuses to answer",
  servfail: "cannot resolve it (SERVFAIL)",
  malformed: "answers with something that is not DNS",
  untrusted: "has no valid certificate",
};

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(", ");

function contentOf({ rcode, values, alias }: Said) {
  if (alias !== null) return `is an alias of ${alias}`;
  if (values.length > 0) return `has ${quoted(values)}`;
  return rcode === "NXDOMAIN" ? "has no such name" : "has no TXT there";
}

function verdictOn(one: Named, paint: Paint): string {
  if (one.result !== "answered") return paint("bad", one.failure);
  if (one.hasRecord === null) return contentOf(one);
  if (one.hasRecord) return paint("good", "has the record");
  return `${paint("bad", "does not have it")}: ${contentOf(one)}`;
}

type Named = Said & { called: string; failure: string };

/** Colours do not count into a column's width, so what is coloured comes last and is not padded. */
function servers(all: readonly Named[], paint: Paint): string[] {
  const rows = all.map(({ called, address, transport, latencyMs }) => [
    called,
    address ?? "not asked",
    transport === null ? "" : TRANSPORTS[transport],
    latencyMs === null ? "" : `${latencyMs} ms`,
  ]);
  const lines = aligned(rows);
  return all.map((one, index) => `${lines[index]}  ${verdictOn(one, paint)}`);
}

function zoneLines({ zone, stoppedAt, diagnosis }: Report): string[] {
  if (zone === null)
    return block(
      "Zone",
      diagnosis === null
        ? `not reached: ${zoneName(stoppedAt ?? ".")} does not answer`
        : `none: ${zoneName(stoppedAt ?? ".")} does not delegate the name`,
    );
  const { publishingMinutes, negativeCacheTtlSeconds } = zone;
  return [
    ...block("Zone", `${zone.name}, delegated by ${zoneName(zone.parent)}`),
    ...block(
      "DNS host",
      zone.dnsHost === null
        ? "unknown to Deed"
        : `${zone.dnsHost}, publishes a saved record within ${durationInWords((publishingMinutes ?? 0) * 60)}`,
    ),
    ...(negativeCacheTtlSeconds === null
      ? []
      : block(
          "Caching",
          `resolvers cache "not found" for ${durationInWords(negativeCacheTtlSeconds)}`,
        )),
  ];
}

/** Why nothing but time is needed, for the one wait without a diagnosis. */
const syncing = (nameservers: Report["nameservers"]): string =>
  nameservers.some(({ hasRecord }) => hasRecord === false)
    ? "Some of the zone's nameservers have the record. The others update automatically."
    : "The record is there, but at least half of the zone's nameservers must answer.";

function conclusion(report: Report, paint: Paint): string[] {
  const { outcome, diagnosis, registry, wait, failure, nameservers } = report;
  if (outcome === "found") return ["", paint("good", "Found: this proves the domain.")];
  if (failure !== null)
    return [
      "",
      paint("bad", "DNS could not be checked from here."),
      ...block("Cause", failure),
      ...block("Fix", "Run `deed doctor` to see what this machine cannot reach."),
    ];
  if (diagnosis === null && wait === null) return [];
  const head = wait
    ? paint("waiting", "Not yet:")
    : paint("bad", outcome === null ? "Broken:" : "Not found:");
  return [
    "",
    `${head} ${diagnosis?.code ?? wait?.reason}`,
    ...block("Cause", diagnosis?.cause ?? syncing(nameservers)),
    ...(registry?.cause ? block("Registry", registry.cause) : []),
    ...block(
      "Fix",
      registry?.fix ??
        diagnosis?.fix ??
        `Leave the record as it is for ${durationInWords(wait?.secondsRemaining ?? 0)}.`,
    ),
  ];
}

export function textOf(report: Report, paint: Paint = (_, text) => text): string[] {
  const { name, unicode, challengeName } = report;
  const nameservers = report.nameservers.map((one) => ({
    ...one,
    called: one.host,
    failure: failureInWords(one.result as Failure),
  }));
  const resolvers = report.resolvers.map((one) => ({
    ...one,
    called: one.name,
    failure: RESOLVER_FAILURES[one.result as WitnessFailure],
  }));
  return [
    paint("strong", unicode === name ? name : `${unicode} (${name})`),
    ...zoneLines(report),
    ...block("Challenge", `TXT at ${challengeName}`),
    ...block("Nameservers", ...servers(nameservers, paint)),
    ...block("Resolvers", ...servers(resolvers, paint)),
    ...conclusion(report, paint),
  ];
}

export function inBrief({ outcome, diagnosis, wait }: Report): string {
  if (outcome === "found") return "found";
  if (outcome === "unresolvable") return "DNS could not be checked";
  if (wait !== null) return `not yet (${wait.reason})`;
  if (diagnosis !== null) return `not found (${diagnosis.code})`;
  return "read";
}

/** Everything but times and which address answered. */
export function newsOf({ at, durationMs, wait, diagnosis, ...rest }: Report): string {
  return JSON.stringify({
    ...rest,
    wait: wait?.reason,
    // The sentences of a wait count seconds.
    diagnosis: wait === null ? diagnosis : null,
    nameservers: rest.nameservers.map(lasting),
    resolvers: rest.resolvers.map(lasting),
  });
}

function lasting<T extends Said>(one: T) {
  const { address: _address, latencyMs: _latency, transport: _transport, ...rest } = one;
  return rest;
}
