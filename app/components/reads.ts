import type { Attempt, ShownDiagnosis } from "#app/services/resources.ts";
import type { Tone } from "./state.tsx";

/** One read as the strip shows it. */
export type Read = Pick<Attempt, "id" | "at" | "outcome" | "trigger" | "latencyMs"> & {
  code: ShownDiagnosis["code"] | null;
};

/** Reads that follow one another and came to the same. */
export type ReadGroup = { first: Read; last: Read; count: number };

const SMALLEST_MS = 60_000;

/**
 * Where a moment stands on the strip, 0 to 1: logarithmic in the claim's age, so that the first
 * ten minutes have as much room as the last five days.
 */
export function position(at: string, start: string, end: string): number {
  const scale = (ms: number) => Math.log1p(Math.max(0, ms) / SMALLEST_MS);
  const from = Date.parse(start);
  const whole = scale(Date.parse(end) - from);
  return whole === 0 ? 0 : Math.min(1, scale(Date.parse(at) - from) / whole);
}

/** Height of a read's stem, 0 to 1: logarithmic from 10 ms to 10 s. */
export function stem(latencyMs: number | null): number {
  if (latencyMs === null) return 0;
  return Math.min(1, Math.max(0, Math.log10(Math.max(10, latencyMs) / 10) / 3));
}

export function toneOf({ outcome, code }: Read): Tone {
  if (outcome === "found") return "proved";
  if (outcome === "unresolvable") return "ended";
  return code === null || code === "negative_cache" ? "waiting" : "needs";
}

const CODES: Record<ShownDiagnosis["code"], string> = {
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
  servfail: "DNSSEC broken",
  lame_delegation: "nameservers do not answer",
};

/** What a read came to, in a few words. */
export function readText({ outcome, code }: Read): string {
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

/** Groups reads, newest first as given, that came to the same one after another. */
export function grouped(reads: readonly Read[]): ReadGroup[] {
  const groups: ReadGroup[] = [];
  for (const read of reads) {
    const group = groups.at(-1);
    if (group && readText(group.first) === readText(read)) {
      group.first = read;
      group.count++;
    } else groups.push({ first: read, last: read, count: 1 });
  }
  return groups;
}

/** Reads whose marks would lie on one another, as one: it stands where the newest does. */
export type Mark = { id: string; x: number; tone: Tone; stem: number; count: number };

/** Marks closer than this share of the strip lie on one another on the narrowest phone. */
const CLOSEST = 0.045;
/** Which of the folded reads is told of: what needs somebody before what only waits. */
const WEIGHT: Record<Tone, number> = { ended: 0, waiting: 1, needs: 2, proved: 3 };

/** The marks of reads, newest first as given, on the strip from `start` to `end`; oldest first. */
export function marksOf(reads: readonly Read[], start: string, end: string): Mark[] {
  const marks: Mark[] = [];
  for (const read of reads) {
    const x = position(read.at, start, end);
    const mark = { id: read.id, x, tone: toneOf(read), stem: stem(read.latencyMs), count: 1 };
    const last = marks.at(-1);
    if (!last || last.x - x >= CLOSEST) {
      marks.push(mark);
      continue;
    }
    last.count++;
    last.stem = Math.max(last.stem, mark.stem);
    if (WEIGHT[mark.tone] > WEIGHT[last.tone]) last.tone = mark.tone;
  }
  return marks.reverse();
}
