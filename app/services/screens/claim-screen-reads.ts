import type { Attempt, ExplainedDiagnosis } from "../resources.ts";

/** One read of a claim; `code` is that of its diagnosis. */
export type ReadEntry = Pick<Attempt, "id" | "at" | "outcome" | "trigger" | "latencyMs"> & {
  code: ExplainedDiagnosis["code"] | null;
};

/** A result of reads, and how many had it. */
export type ResultCount = Pick<ReadEntry, "outcome" | "code"> & { count: number };

/** Consecutive reads folded into one list entry: a run with the same result, or those of one day. */
export type ReadGroup = {
  /** The newest of them. */
  id: string;
  at: string;
  trigger: ReadEntry["trigger"];
  /** When the oldest of them was made. */
  since: string;
  /** Their results, the newest first. */
  results: ResultCount[];
  /** Milliseconds; null if none of them was answered. */
  latency: { min: number; median: number; max: number } | null;
};

/** The reads of a claim, however many, in a bounded number of entries. */
export type ReadHistory = {
  count: number;
  /** Newest first. */
  groups: ReadGroup[];
};

/** Runs listed one by one; older reads are folded by day, at most eight days for a seven-day claim. */
const NEWEST_RUNS = 24;

type ReadOutcome = Pick<ReadEntry, "outcome" | "code">;
const isSame = (a: ReadOutcome, b: ReadOutcome) => a.outcome === b.outcome && a.code === b.code;

/** Splits a list wherever `differs` returns true for an item and the one before it. */
function splitWhere<T>(items: readonly T[], differs: (item: T, before: T) => boolean): T[][] {
  const parts: T[][] = [];
  for (const item of items) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (part && before && !differs(item, before)) part.push(item);
    else parts.push([item]);
  }
  return parts;
}

function latencyOf(reads: readonly ReadEntry[]): ReadGroup["latency"] {
  const sorted = reads.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const [min] = sorted;
  const median = sorted[sorted.length >> 1];
  const max = sorted.at(-1);
  return min === undefined || median === undefined || max === undefined
    ? null
    : { min, median, max };
}

function findingsOf(reads: readonly ReadEntry[]): ResultCount[] {
  const findings: ResultCount[] = [];
  for (const { outcome, code } of reads) {
    const known = findings.find((result) => isSame(result, { outcome, code }));
    if (known) known.count++;
    else findings.push({ outcome, code, count: 1 });
  }
  return findings;
}

function toGroup(reads: readonly ReadEntry[]): ReadGroup[] {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, results: findingsOf(reads), latency: latencyOf(reads) }];
}

/** The newest runs of reads with the same result, then older reads folded by day. Input and output newest first. */
export function groupReads(reads: readonly ReadEntry[]): ReadGroup[] {
  const runs = splitWhere(reads, (read, before) => !isSame(read, before));
  const older = runs.slice(NEWEST_RUNS).flat();
  const days = splitWhere(older, (read, before) => read.at.slice(0, 10) !== before.at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap(toGroup);
}

/** Everything the screen shows of a claim's reads. Input newest first. */
export const readHistory = (reads: readonly ReadEntry[]): ReadHistory => ({
  count: reads.length,
  groups: groupReads(reads),
});
