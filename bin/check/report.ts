import { providerOf, ROOT } from "@deed/dns/names.ts";
import type { Evidence, ServerReading, WitnessReading } from "@deed/dns/verdict/observation.ts";
import { secondsRemaining } from "@deed/dns/verdict/proof.ts";
import { hasToken, valuesOf } from "@deed/dns/verdict/publication-status.ts";
import { sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { PANELS, type RecordLocation } from "@deed/dns/words/providers.ts";
import { joinList } from "@deed/dns/words/wording.ts";
import { iso } from "#app/core/time.ts";
import type { Reading } from "./read.ts";

function transportOf({ exchanges, challengeName }: Evidence, server: string) {
  const asked = exchanges.filter(
    (one) => one.server === server && one.question.name === challengeName,
  );
  return (asked.findLast(({ result }) => result === "answered") ?? asked.at(-1))?.transport ?? null;
}

/** What one server said. */
const said = (
  evidence: Evidence,
  token: string | null,
  name: string,
  { address, result, answer, latencyMs }: ServerReading | WitnessReading,
) => ({
  address,
  /** What carried the last question. */
  transport: transportOf(evidence, name),
  result,
  rcode: answer?.rcode ?? null,
  /** Null without a token or an answer. */
  hasRecord: token !== null && answer ? hasToken(answer, token) : null,
  /** TXT values at the challenge name. */
  values: answer ? [...valuesOf(answer)] : [],
  /** Where an alias at the challenge name leads. */
  alias: answer?.alias?.target ?? null,
  latencyMs,
});
export type Said = ReturnType<typeof said>;

/** The zone that holds the challenge name; null if nothing is delegated, or the read did not get that far. */
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

/** A zone in a sentence. */
export const zoneName = (zone: string): string => (zone === ROOT ? "the root" : zone);

/** The zone whose servers did not answer, or that does not delegate the name; null where the zone is known. */
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

/**
 * What `deed check --json` prints of one read. Times ISO 8601; text from DNS escaped. `now`: epoch milliseconds, from
 * which waits count.
 */
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
    /** Null without a token, unless DNS could not be read. */
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
    /** What the registry knows, where the diagnosis turns on the delegation. */
    registry: diagnosis ? registry : null,
    wait:
      token !== null && absent?.wait
        ? {
            reason: absent.wait.reason,
            secondsRemaining: secondsRemaining(absent.wait.until, now),
          }
        : null,
    /** Why DNS could not be read, in a sentence; null if it could. */
    failure: decision.outcome === "unresolvable" ? failureOf(evidence) : null,
  };
}
export type Report = ReturnType<typeof reportOf>;
