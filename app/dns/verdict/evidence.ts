import { escapeUntrusted } from "./escape-untrusted.ts";
import type { Evidence, EvidenceSummary, Observation } from "./observation.ts";
import { hasToken } from "./publication-status.ts";

/** A read asks 32 nameservers, but a hostile registry may name more. */
const MAX_ITEMS = 64;
/** Limits of other lists, by key. A read sends at most 200 packets; the rest is for exchanges recorded without one. */
const LIMITS: Record<string, number> = {
  values: 20,
  extendedErrors: 20,
  dsKeyTags: 20,
  keyTags: 20,
  witnesses: Number.POSITIVE_INFINITY,
  exchanges: 240,
};

/** Bounds the lists and escapes the strings of a plain JSON value. `key`: of the property that holds it. */
function bounded<T>(value: T, token: string, key = ""): T {
  if (typeof value === "string") return escapeUntrusted(value) as T;
  if (Array.isArray(value)) {
    // The token comes first, so that the bound never drops it.
    const items = key === "values" && value.includes(token) ? new Set([token, ...value]) : value;
    const kept = [...items].slice(0, LIMITS[key] ?? MAX_ITEMS);
    return kept.map((item) => bounded(item, token)) as T;
  }
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([name, item]) => [name, bounded(item, token, name)]);
  return Object.fromEntries(entries) as T;
}

/** The observation as stored: at most 20 values of 255 visible characters per answer, every list bounded. */
export const evidenceOf = ({ chain: _, ...observation }: Observation): Evidence =>
  bounded(observation, observation.token);

/** The servers asked and whether they had the token: what remains of the evidence after 30 days. */
export const summaryOf = (evidence: Evidence): EvidenceSummary => ({
  version: 1,
  at: evidence.at,
  durationMs: evidence.durationMs,
  packets: evidence.packets,
  zone: evidence.delegation.type === "delegated" ? evidence.delegation.zone : null,
  servers: evidence.servers.map(({ host, result, answer }) => ({
    host,
    result,
    rcode: answer?.rcode ?? null,
    hasToken: hasToken(answer, evidence.token),
  })),
  witnesses:
    evidence.witnesses?.map(({ name, ad, answer }) => ({
      name,
      rcode: answer?.rcode ?? null,
      ad,
      hasToken: hasToken(answer, evidence.token),
    })) ?? [],
});
