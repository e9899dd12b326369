import { createHash } from "node:crypto";
import type { Decision } from "./diagnosis.ts";
import { escapeAll, MAX_VISIBLE_LENGTH } from "./escape-untrusted.ts";
import type { Evidence, Exchange, Observation, TxtAnswer } from "./observation.ts";
import { hasToken } from "./publication-status.ts";

/** A read asks 32 nameservers, but a hostile registry may name more. */
const MAX_ITEMS = 64;
/** Limits of lists, by key. The 240 exchanges are at most 200 packets of a read, and questions that sent no packet. */
const LIST_LIMITS: Record<string, number> = {
  values: 20,
  extendedErrors: 20,
  dsKeyTags: 20,
  keyTags: 20,
  witnesses: Number.POSITIVE_INFINITY,
  exchanges: 240,
};

/** Makes an observation fit for storage: at most 20 values of 255 visible characters per answer, every list bounded. */
export function evidenceOf({ chain: _, ...observation }: Observation): Evidence {
  const { token } = observation;
  const keep = (items: unknown[], key: string) => {
    // The token comes first, so that the bound never drops it.
    const ordered = key === "values" && items.includes(token) ? new Set([token, ...items]) : items;
    return [...ordered].slice(0, LIST_LIMITS[key] ?? MAX_ITEMS);
  };
  // A longer token must not look like another with the same beginning.
  return escapeAll(observation, keep, Math.max(MAX_VISIBLE_LENGTH, token.length + 1));
}

/** The servers and whether they had the token. This part of the evidence is kept after 30 days. */
export function summaryOf({ at, durationMs, packets, delegation, token, ...seen }: Evidence) {
  const rcodeOf = (answer: TxtAnswer | null) => answer?.rcode ?? null;
  return {
    ...{ version: 1 as const, at, durationMs, packets },
    zone: delegation.type === "delegated" ? delegation.zone : null,
    servers: seen.servers.map(({ host, result, answer }) => ({
      ...{ host, result, rcode: rcodeOf(answer), hasToken: hasToken(answer, token) },
    })),
    witnesses: (seen.witnesses ?? []).map(({ name, ad, answer }) => ({
      ...{ name, rcode: rcodeOf(answer), ad, hasToken: hasToken(answer, token) },
    })),
  };
}

export type EvidenceSummary = ReturnType<typeof summaryOf>;

/** Fields that differ between two reads although nothing that matters has changed. */
const IGNORED_FIELDS =
  /^(at|durationMs|packets|ttl|until|secondsRemaining|secondsRemembered|serial)$/;

function withoutIgnored(key: string, value: unknown) {
  if (IGNORED_FIELDS.test(key)) return undefined;
  return key === "values" && Array.isArray(value) ? [...value].sort() : value;
}

export const codeOf = (decision: Decision): string =>
  decision.outcome === "absent" ? (decision.diagnosis?.code ?? decision.wait?.reason ?? "") : "";

export function digestOf(decision: Decision, evidence: Evidence) {
  const facts = [decision, evidence.delegation, evidence.limit, summaryOf(evidence)];
  return {
    /** Null if the read failed on our side, which changes nothing. */
    verdict: decision.outcome === "unresolvable" ? null : `${decision.outcome} ${codeOf(decision)}`,
    facts: digest(facts, withoutIgnored),
    /** Null if a question was not asked or not answered. Then the next read searches again. */
    answers: isComplete(evidence) ? answersOf(evidence) : null,
    addresses: evidence.servers.flatMap(({ address }) => address ?? []),
    held: evidence.shut?.held ?? [],
    tried: evidence.tried ?? [],
    known: evidence.known ?? null,
    outside: evidence.outside,
  };
}
/** A summary of a read, to compare with other reads of its claim. */
export type ReadDigest = ReturnType<typeof digestOf>;

const digest = (value: unknown, replacer: (key: string, value: unknown) => unknown): string =>
  createHash("sha256").update(JSON.stringify(value, replacer)).digest("base64url").slice(0, 16);

/** Whether the servers that answer at all answered every question. An unanswered one may hide a change. */
function isComplete({ limit, servers, exchanges }: Evidence): boolean {
  const answered = servers.filter(({ result }) => result === "answered");
  const answering = new Set(answered.map(({ address }) => address));
  const isLost = ({ address, result }: Exchange) => result === "timeout" && answering.has(address);
  return limit === null && !exchanges.some(isLost);
}

/** A digest of servers' answers, with serials. If it is the same, nothing has changed. */
export const replyHash = (answers: unknown): string =>
  digest(answers, (key, value) => (key === "serial" ? value : withoutIgnored(key, value)));

export function answersOf({ delegation, servers, strays, soa }: Evidence): string {
  const answers = servers.map(({ host, result, answer }) => [host, result, answer]);
  return replyHash([delegation, answers, strays, soa]);
}
