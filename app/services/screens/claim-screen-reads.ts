import type { Attempt, ShownDiagnosis } from "../resources.ts";

/** One read of a claim; `code` is its diagnosis'. */
export type Read = Pick<Attempt, "id" | "at" | "outcome" | "trigger" | "latencyMs"> & {
  code: ShownDiagnosis["code"] | null;
};

/** What reads came to, and how many of them did. */
export type Finding = Pick<Read, "outcome" | "code"> & { count: number };

/** Reads that follow one another, as one entry of a list: a run that came to the same, or a day's. */
export type ReadFold = {
  /** The newest of them. */
  id: string;
  at: string;
  trigger: Read["trigger"];
  /** When the oldest of them was made. */
  since: string;
  /** What they came to, the newest finding first. */
  findings: Finding[];
  /** Milliseconds; null where none of them was answered. */
  latency: { min: number; median: number; max: number } | null;
};

/** Reads whose marks would lie on one another, as one: it stands where the newest does. */
export type ReadMark = Pick<Read, "at" | "outcome" | "code"> & {
  count: number;
  /** The longest of them; null where none was answered. */
  latencyMs: number | null;
};

/** The reads of a claim, however many, in a bounded number of entries. */
export type ReadStory = {
  count: number;
  /** Newest first. */
  folds: ReadFold[];
  /** Oldest first. */
  marks: ReadMark[];
};

/** Runs told of one by one; before them a claim of seven days has at most eight days. */
const NEWEST_RUNS = 24;
const SMALLEST_MS = 60_000;
/** Marks closer than this share of the strip lie on one another on the narrowest phone. */
const CLOSEST = 0.045;

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

type Came = Pick<Read, "outcome" | "code">;
const isSame = (a: Came, b: Came) => a.outcome === b.outcome && a.code === b.code;

/** Cuts a list where `differs` says that an item does not go with the one before. */
function cut<T>(items: readonly T[], differs: (item: T, before: T) => boolean): T[][] {
  const parts: T[][] = [];
  for (const item of items) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (part && before && !differs(item, before)) part.push(item);
    else parts.push([item]);
  }
  return parts;
}

function latencyOf(reads: readonly Read[]): ReadFold["latency"] {
  const sorted = reads.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const [min] = sorted;
  const median = sorted[sorted.length >> 1];
  const max = sorted.at(-1);
  return min === undefined || median === undefined || max === undefined
    ? null
    : { min, median, max };
}

function findingsOf(reads: readonly Read[]): Finding[] {
  const findings: Finding[] = [];
  for (const { outcome, code } of reads) {
    const known = findings.find((finding) => isSame(finding, { outcome, code }));
    if (known) known.count++;
    else findings.push({ outcome, code, count: 1 });
  }
  return findings;
}

function foldOf(reads: readonly Read[]): ReadFold[] {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, findings: findingsOf(reads), latency: latencyOf(reads) }];
}

/** The newest runs of reads that came to the same, then what is older by days. Newest first, as given. */
export function foldsOf(reads: readonly Read[]): ReadFold[] {
  const runs = cut(reads, (read, before) => !isSame(read, before));
  const older = runs.slice(NEWEST_RUNS).flat();
  const days = cut(older, (read, before) => read.at.slice(0, 10) !== before.at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap(foldOf);
}

/** Which of the reads under one mark is told of: what needs somebody before what only waits. */
function weight({ outcome, code }: Came): number {
  if (outcome === "found") return 3;
  if (outcome === "unresolvable") return 0;
  return code === null || code === "negative_cache" ? 1 : 2;
}

/** The marks of reads, newest first as given, on a strip from `start` to `end`; oldest first. */
export function marksOf(reads: readonly Read[], start: string, end: string): ReadMark[] {
  const marks: ReadMark[] = [];
  let x = Number.POSITIVE_INFINITY;
  for (const { at, outcome, code, latencyMs } of reads) {
    const mark = marks.at(-1);
    if (!mark || x - position(at, start, end) >= CLOSEST) {
      marks.push({ at, outcome, code, latencyMs, count: 1 });
      x = position(at, start, end);
      continue;
    }
    mark.count++;
    if (latencyMs !== null) mark.latencyMs = Math.max(mark.latencyMs ?? 0, latencyMs);
    if (weight({ outcome, code }) > weight(mark)) Object.assign(mark, { outcome, code });
  }
  return marks.reverse();
}

/** All that the screen tells of a claim's reads, newest first as given. */
export const storyOf = (reads: readonly Read[], start: string, end: string): ReadStory => ({
  count: reads.length,
  folds: foldsOf(reads),
  marks: marksOf(reads, start, end),
});
