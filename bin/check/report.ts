import { ROOT } from "@deed/dns/names.ts";
import type { Diagnosis, Provider, Wait } from "@deed/dns/verdict/diagnosis.ts";
import type {
  Evidence,
  Exchange,
  ServerReading,
  WitnessReading,
} from "@deed/dns/verdict/observation.ts";
import { PUBLISHING_MINUTES, providerOf } from "@deed/dns/verdict/provider.ts";
import { hasToken, valuesOf } from "@deed/dns/verdict/publication-status.ts";
import { secondsRemaining } from "@deed/dns/verdict/wait.ts";
import { sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { PANELS, type RecordLocation } from "@deed/dns/words/providers.ts";
import { joinList } from "@deed/dns/words/wording.ts";
import type { Registry } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import type { Reading } from "./read.ts";

/** What one server said. `hasRecord`: null without a token or an answer. */
export type Said = {
  address: string | null;
  /** What carried the last question. */
  transport: Exchange["transport"] | null;
  result: ServerReading["result"] | WitnessReading["result"];
  rcode: string | null;
  hasRecord: boolean | null;
  /** TXT values at the challenge name. */
  values: string[];
  /** Where an alias at the challenge name leads. */
  alias: string | null;
  latencyMs: number | null;
};
export type SaidByNameserver = Said & { host: string };
/** `validated`: the answer's AD flag. */
type SaidByResolver = Said & { name: string; validated: boolean };

/** What `deed check --json` prints of one read. Times ISO 8601; text from DNS escaped. */
export type Report = {
  name: string;
  unicode: string;
  challengeName: string;
  at: string;
  durationMs: number;
  /** Null without a token, unless DNS could not be read. */
  outcome: "found" | "absent" | "unresolvable" | null;
  /** The zone that holds the challenge name; null if nothing is delegated, or the read did not get that far. */
  zone: {
    name: string;
    parent: string;
    provider: Provider;
    dnsHost: string | null;
    ttlSeconds: number;
    publishingMinutes: number | null;
    negativeCacheTtlSeconds: number | null;
  } | null;
  /** The zone whose servers did not answer, or that does not delegate the name; null where `zone` is set. */
  stoppedAt: string | null;
  nameservers: SaidByNameserver[];
  /** Empty unless the nameservers gave a reason to ask them. */
  resolvers: SaidByResolver[];
  diagnosis: (Diagnosis & { cause: string; fix: string }) | null;
  /** What the registry knows, where the diagnosis turns on the delegation. */
  registry: Registry | null;
  wait: { reason: Wait["reason"]; secondsRemaining: number } | null;
  /** Why DNS could not be read, in a sentence; null if it could. */
  failure: string | null;
};

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
): Said => ({
  address,
  transport: transportOf(evidence, name),
  result,
  rcode: answer?.rcode ?? null,
  hasRecord: token !== null && answer ? hasToken(answer, token) : null,
  values: answer ? [...valuesOf(answer)] : [],
  alias: answer?.alias?.target ?? null,
  latencyMs,
});

function zoneIn({ delegation, soa }: Evidence): Report["zone"] {
  if (delegation.type !== "delegated") return null;
  const provider = providerOf(delegation.nameservers);
  return {
    name: delegation.zone,
    parent: delegation.parent,
    provider,
    dnsHost: provider === "other" ? null : PANELS[provider].operator,
    ttlSeconds: delegation.ttl,
    publishingMinutes: PUBLISHING_MINUTES[provider],
    negativeCacheTtlSeconds: soa && Math.min(soa.ttl, soa.minimum),
  };
}

/** A zone in a sentence. */
export const zoneName = (zone: string): string => (zone === ROOT ? "the root" : zone);

function stoppedAt({ delegation }: Evidence): string | null {
  if (delegation.type === "delegated") return null;
  return delegation.type === "none" ? delegation.parent : delegation.zone;
}

/** What kept this machine from reading DNS. */
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

/** What a read shows, as plain values. `now`: epoch milliseconds, from which waits count. */
export function reportOf({ question, evidence, decision, registry }: Reading, now: number): Report {
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
