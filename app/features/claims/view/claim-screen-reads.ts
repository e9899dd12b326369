import type { ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import type { Attempt } from "#app/features/claims/resources.ts";

/** One read of a claim; `code` is that of its diagnosis. */
export type ReadEntry = Pick<Attempt, "id" | "at" | "outcome" | "trigger" | "latencyMs"> & {
  code: ExplainedDiagnosis["code"] | null;
};

/** A result of reads in a few words, and how many had it. */
export type ResultCount = {
  says: string;
  tone: "proved" | "waiting" | "needs" | "ended";
  count: number;
};

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

/** Runs listed one by one; older reads are folded by day, at most eight days for a seven-day claim. */
const NEWEST_RUNS = 24;

/** Splits a list wherever `differs` returns true for an item and the one before it. */
function splitWhere<T>(items: readonly T[], differs: (item: T, before: T) => boolean): T[][] {
  const parts: T[][] = [];
  for (const item of items) {
    const before = parts.at(-1)?.at(-1);
    if (before && !differs(item, before)) parts.at(-1)?.push(item);
    else parts.push([item]);
  }
  return parts;
}

function latencyOf(reads: readonly ReadEntry[]): ReadGroup["latency"] {
  const sorted = reads.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const at = (place: number) => sorted.at(place) ?? 0;
  return sorted.length > 0 ? { min: at(0), median: at(sorted.length >> 1), max: at(-1) } : null;
}

function resultOf({ outcome, code }: ReadEntry): Omit<ResultCount, "count"> {
  if (outcome === "found") return { says: "found", tone: "proved" };
  if (outcome === "unresolvable") return { says: "DNS could not be reached", tone: "ended" };
  if (code === null) return { says: "on some nameservers", tone: "waiting" };
  const tone = code === "negative_cache" ? "waiting" : "needs";
  return { says: DIAGNOSES[code].check, tone };
}

function resultsOf(reads: readonly ReadEntry[]): ResultCount[] {
  const results = new Map<string, ResultCount>();
  for (const read of reads) {
    const result = resultOf(read);
    const count = (results.get(result.says)?.count ?? 0) + 1;
    results.set(result.says, { ...result, count });
  }
  return [...results.values()];
}

function toGroup(reads: readonly ReadEntry[]): ReadGroup[] {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, results: resultsOf(reads), latency: latencyOf(reads) }];
}

/** The newest runs of reads with the same result, then older reads folded by day. Input and output newest first. */
export function groupReads(reads: readonly ReadEntry[]): ReadGroup[] {
  const runs = splitWhere(
    reads,
    ({ outcome, code }, before) => outcome !== before.outcome || code !== before.code,
  );
  const older = runs.slice(NEWEST_RUNS).flat();
  const days = splitWhere(older, (read, before) => read.at.slice(0, 10) !== before.at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap(toGroup);
}

/** Everything the screen shows of a claim's reads. Input newest first. */
export const readHistory = (reads: readonly ReadEntry[]) => ({
  count: reads.length,
  groups: groupReads(reads),
});
