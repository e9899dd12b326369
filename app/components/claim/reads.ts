import type { Attempt, ExplainedDiagnosis } from "#app/services/resources.ts";
import type { ReadEntry, ReadGroup } from "#app/services/screens/claim-screen-reads.ts";
import type { Tone } from "../ui/state.tsx";

type Outcome = Pick<ReadEntry, "outcome" | "code">;

export function toneOf({ outcome, code }: Outcome): Tone {
  if (outcome === "found") return "proved";
  if (outcome === "unresolvable") return "ended";
  return code === null || code === "negative_cache" ? "waiting" : "needs";
}

const CODES: Record<ExplainedDiagnosis["code"], string> = {
  domain_appended: "on a doubled name",
  record_at_apex: "at the name itself",
  record_on_www: "on www",
  value_formatted: "value altered",
  expired_token: "token of an ended claim",
  foreign_token: "another token",
  no_matching_record: "other TXT records",
  cname_conflict: "a CNAME in its place",
  record_absent: "no record",
  not_published: "not published yet",
  negative_cache: "there, not yet seen by resolvers",
  servfail: "there, but resolvers fail",
  lame_delegation: "nameservers do not answer",
};

/** The outcome of a read, in a few words. */
export function outcomeText({ outcome, code }: Outcome): string {
  if (outcome === "found") return "found";
  if (outcome === "unresolvable") return "DNS could not be reached";
  return code === null ? "on some nameservers" : CODES[code];
}

const TRIGGERS: Record<Attempt["trigger"], string> = {
  first_check: "first read",
  scheduled: "on schedule",
  requested: "asked for",
  deadline: "last read",
};
export const triggerText = (trigger: Attempt["trigger"]): string => TRIGGERS[trigger];

/** "320 ms, 140 to 2,400": the median of several, then the shortest and the longest. */
export function latencyText(latency: ReadGroup["latency"]): string {
  if (latency === null) return "";
  const [median, min, max] = [latency.median, latency.min, latency.max].map((ms) =>
    ms.toLocaleString("en"),
  );
  return latency.min === latency.max ? `${median} ms` : `${median} ms, ${min} to ${max}`;
}
