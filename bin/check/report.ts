import { durationInWords, type ServerSummary } from "@deed/dns";
import { ROOT } from "@deed/dns/names.ts";
import { secondsRemaining } from "@deed/dns/verdict/standing.ts";
import { capital } from "@deed/dns/words/wording.ts";
import { iso } from "#app/core/time.ts";
import { align, styled } from "../support/output.ts";
import type { Reading } from "./read.ts";

const zoneName = (zone: string): string => (zone === ROOT ? "the root" : zone);

/** Makes the output of `deed check --json`, with times in ISO 8601 and escaped text. `now` is in epoch milliseconds. */
export function reportOf({ question, verdict, check }: Reading, now: number) {
  const { domain, unicode, token } = question;
  const { outcome, zone, cause, fix, wait, evidence } = verdict;
  const { challengeName, at, durationMs, delegation } = evidence.seen;
  const isUnresolvable = outcome === "unresolvable";
  // Without a token, only faults of the zone count, not a missing record.
  const isRecordShown = token !== null || verdict.diagnosis?.code === "lame_delegation";
  const diagnosis = isRecordShown ? verdict.diagnosis : null;
  const shownRow = <T extends Row>(row: T) => ({
    ...row,
    hasRecord: token === null ? null : row.hasRecord,
  });
  return {
    name: domain,
    unicode,
    challengeName,
    at: iso(at),
    durationMs,
    outcome: token === null && !isUnresolvable ? null : outcome,
    zone: zone && {
      name: zone.name,
      parent: zone.parent,
      provider: zone.provider,
      dnsHost: zone.operator,
      ttlSeconds: zone.ttl,
      publishingMinutes: zone.publishingMinutes,
      negativeCacheTtlSeconds: zone.negativeTtl,
    },
    /** The zone where the read stopped: its servers are silent, or it does not delegate the name. */
    stoppedAt: zone ? null : "zone" in delegation ? delegation.zone : delegation.parent,
    nameservers: verdict.nameservers.map(({ name, ...row }) => ({ host: name, ...shownRow(row) })),
    resolvers: verdict.resolvers.map(shownRow),
    diagnosis: diagnosis && { ...diagnosis, cause, fix },
    wait:
      token === null || wait === null
        ? null
        : { reason: wait.reason, secondsRemaining: secondsRemaining(wait.until, now), cause, fix },
    failure: isUnresolvable ? cause : null,
    ...(check && {
      record: {
        ...{ type: check.type, value: check.value, code: check.code, cause, fix },
        ...{ nearest: check.nearest?.value ?? null, others: check.others },
        ...{ aliases: check.aliases, vendor: check.vendor },
      },
    }),
  };
}
export type Report = ReturnType<typeof reportOf>;

const TRANSPORTS = { udp: "UDP", tcp: "TCP", tls: "TLS", https: "HTTPS" };
const LABEL_WIDTH = 13;

const labeledLines = (label: string, ...lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`);

type Row = Omit<ServerSummary, "name">;

function rowVerdict({ result, hasRecord, says }: Row): string {
  if (result !== "answered") return styled("red", says);
  if (hasRecord === null) return says;
  if (hasRecord) return styled("green", "has the record");
  return `${styled("red", "does not have it")}: ${says}`;
}

/** Color codes would count as width, so the colored column is last and not padded. */
function serverLines(serverRows: Report["nameservers"] | Report["resolvers"]): string[] {
  const rows = serverRows.map((row) => [
    "host" in row ? row.host : capital(row.name),
    row.address ?? "not asked",
    row.transport === null ? "" : TRANSPORTS[row.transport],
    row.latencyMs === null ? "" : `${row.latencyMs} ms`,
  ]);
  const lines = align(rows);
  return serverRows.map((row, index) => `${lines[index]}  ${rowVerdict(row)}`);
}

function zoneLines({ zone, stoppedAt, diagnosis }: Report): string[] {
  if (zone === null) {
    const stopped = zoneName(stoppedAt ?? ROOT);
    const silent = `not reached: ${stopped} does not answer`;
    const none = `none: ${stopped} does not delegate the name`;
    return labeledLines("Zone", diagnosis === null ? silent : none);
  }
  const { dnsHost, publishingMinutes, negativeCacheTtlSeconds } = zone;
  const publishing = durationInWords((publishingMinutes ?? 0) * 60);
  const known = `${dnsHost}, publishes a saved record within ${publishing}`;
  const caching = durationInWords(negativeCacheTtlSeconds ?? 0);
  const isCaching = negativeCacheTtlSeconds !== null;
  return [
    ...labeledLines("Zone", `${zone.name}, delegated by ${zoneName(zone.parent)}`),
    ...labeledLines("DNS host", dnsHost === null ? "unknown to Deed" : known),
    ...(isCaching ? labeledLines("Caching", `resolvers cache "not found" for ${caching}`) : []),
  ];
}

function conclusionLines(report: Report): string[] {
  const { outcome, diagnosis, wait, failure, record } = report;
  if (outcome === "found") {
    const next = record
      ? `on every nameserver. ${record.vendor?.next ?? ""}`
      : "this proves the domain.";
    return ["", styled("green", `Found: ${next}`.trim())];
  }
  const failureAdvice = {
    cause: failure,
    fix: "Run `deed doctor` to see what this machine cannot reach.",
  };
  const explanation = failure === null ? (diagnosis ?? wait ?? record) : failureAdvice;
  if (!explanation) return [];
  const notFound = styled("red", outcome === null ? "Broken:" : "Not found:");
  const code = record?.code ?? diagnosis?.code ?? wait?.reason;
  const head = `${wait ? styled("yellow", "Not yet:") : notFound} ${code}`;
  return [
    "",
    failure === null ? head : styled("red", "DNS could not be checked from here."),
    ...labeledLines("Cause", explanation.cause ?? ""),
    ...labeledLines("Fix", explanation.fix ?? ""),
  ];
}

export function textOf(report: Report): string[] {
  const { name, unicode, challengeName, nameservers, resolvers, record } = report;
  return [
    styled("bold", unicode === name ? name : `${unicode} (${name})`),
    ...zoneLines(report),
    ...(record
      ? labeledLines("Record", `${record.type} “${record.value}”`)
      : labeledLines("Challenge", `TXT at ${challengeName}`)),
    ...labeledLines("Nameservers", ...serverLines(nameservers)),
    ...labeledLines("Resolvers", ...serverLines(resolvers)),
    ...conclusionLines(report),
  ];
}

export function summaryOf({ outcome, diagnosis, wait, record }: Report): string {
  if (outcome === "found") return "found";
  if (outcome === "unresolvable") return "DNS could not be checked";
  if (wait !== null) return `not yet (${wait.reason})`;
  const code = record?.code ?? diagnosis?.code;
  if (code) return `not found (${code})`;
  return "read";
}

const IGNORED_FIELDS = /^(at|durationMs|address|latencyMs|transport)$/;

/** Returns all of a report except times and the addresses that answered. */
export function contentOf({ wait, diagnosis, record, ...rest }: Report): string {
  // Sentences about a wait contain its seconds.
  const content = { ...rest, wait: wait?.reason, ...(wait === null && { diagnosis, record }) };
  return JSON.stringify(content, (key, value) => (IGNORED_FIELDS.test(key) ? undefined : value));
}
