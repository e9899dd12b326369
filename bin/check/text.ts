import type { Failure, WitnessFailure } from "@deed/dns/verdict/observation.ts";
import { durationInWords, failureInWords } from "@deed/dns/words/wording.ts";
import { aligned } from "../support/output.ts";
import { type Report, type Said, zoneName } from "./report.ts";

/** How a piece of the text is meant; the caller may colour it. */
export type Tone = "good" | "bad" | "waiting" | "strong" | "quiet";
export type Paint = (tone: Tone, text: string) => string;

const TRANSPORTS = { udp: "UDP", tcp: "TCP", tls: "TLS", https: "HTTPS" };
const COLUMN = 13;

function block(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${(index === 0 ? label : "").padEnd(COLUMN)}${line}`);
}

const RESOLVER_FAILURES: Record<WitnessFailure, string> = {
  timeout: "does not answer",
  refused: "refuses to answer",
  servfail: "cannot resolve it (SERVFAIL)",
  malformed: "answers with something that is not DNS",
  untrusted: "has no valid certificate",
};

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(", ");

/** What an answer holds besides the record. */
function contentOf({ rcode, values, alias }: Said) {
  if (alias !== null) return `is an alias of ${alias}`;
  if (values.length > 0) return `has ${quoted(values)}`;
  return rcode === "NXDOMAIN" ? "has no such name" : "has no TXT there";
}

function verdictOn(one: Said, failure: string, paint: Paint): string {
  if (one.result !== "answered") return paint("bad", failure);
  if (one.hasRecord === null) return contentOf(one);
  if (one.hasRecord) return paint("good", "has the record");
  return `${paint("bad", "does not have it")}: ${contentOf(one)}`;
}

const row = (name: string, { address, transport, latencyMs }: Said) => [
  name,
  address ?? "not asked",
  transport === null ? "" : TRANSPORTS[transport],
  latencyMs === null ? "" : `${latencyMs} ms`,
];

/** Colours do not count into a column's width, so what is coloured comes last and is not padded. */
function servers<T extends Said>(
  all: readonly T[],
  nameOf: (one: T) => string,
  failureOf: (one: T) => string,
  paint: Paint,
): string[] {
  const rows = aligned(all.map((one) => row(nameOf(one), one)));
  return all.map((one, index) => `${rows[index]}  ${verdictOn(one, failureOf(one), paint)}`);
}

function zoneLines({ zone, stoppedAt, diagnosis }: Report): string[] {
  if (zone === null)
    return block("Zone", [
      diagnosis === null
        ? `not reached: ${zoneName(stoppedAt ?? ".")} does not answer`
        : `none: ${zoneName(stoppedAt ?? ".")} does not delegate the name`,
    ]);
  const { publishingMinutes, negativeCacheTtlSeconds } = zone;
  return [
    ...block("Zone", [`${zone.name}, delegated by ${zoneName(zone.parent)}`]),
    ...block("DNS host", [
      zone.dnsHost === null
        ? "unknown to Deed"
        : `${zone.dnsHost}, publishes a saved record within ${durationInWords((publishingMinutes ?? 0) * 60)}`,
    ]),
    ...(negativeCacheTtlSeconds === null
      ? []
      : block("Caching", [
          `resolvers cache "not found" for ${durationInWords(negativeCacheTtlSeconds)}`,
        ])),
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
      ...block("Cause", [failure]),
      ...block("Fix", ["Run `deed doctor` to see what this machine cannot reach."]),
    ];
  if (diagnosis === null && wait === null) return [];
  const head = wait
    ? paint("waiting", "Not yet:")
    : paint("bad", outcome === null ? "Broken:" : "Not found:");
  return [
    "",
    `${head} ${diagnosis?.code ?? wait?.reason}`,
    ...block("Cause", [diagnosis?.cause ?? syncing(nameservers)]),
    ...(registry?.cause ? block("Registry", [registry.cause]) : []),
    ...block("Fix", [
      registry?.fix ??
        diagnosis?.fix ??
        `Leave the record as it is for ${durationInWords(wait?.secondsRemaining ?? 0)}.`,
    ]),
  ];
}

/** The report as lines of text. */
export function textOf(report: Report, paint: Paint = (_, text) => text): string[] {
  const { name, unicode, challengeName, nameservers, resolvers } = report;
  return [
    paint("strong", unicode === name ? name : `${unicode} (${name})`),
    ...zoneLines(report),
    ...block("Challenge", [`TXT at ${challengeName}`]),
    ...block(
      "Nameservers",
      servers(
        nameservers,
        ({ host }) => host,
        ({ result }) => failureInWords(result as Failure),
        paint,
      ),
    ),
    ...block(
      "Resolvers",
      servers(
        resolvers,
        ({ name }) => name,
        ({ result }) => RESOLVER_FAILURES[result as WitnessFailure],
        paint,
      ),
    ),
    ...conclusion(report, paint),
  ];
}

/** The result of a read in a few words, for a line of progress. */
export function inBrief({ outcome, diagnosis, wait }: Report): string {
  if (outcome === "found") return "found";
  if (outcome === "unresolvable") return "DNS could not be checked";
  if (wait !== null) return `not yet (${wait.reason})`;
  if (diagnosis !== null) return `not found (${diagnosis.code})`;
  return "read";
}

/** What of a report is news when it differs: everything but times and which address answered. */
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
