import type { ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { DIAGNOSES } from "@deed/dns/words/diagnoses/diagnoses.ts";
import type { Attempt } from "../claims/resources.ts";

export type ReadEntry = Pick<Attempt, "id" | "at" | "outcome" | "trigger" | "latencyMs"> & {
  code: ExplainedDiagnosis["code"] | null;
};

export type ReadGroup = ReturnType<typeof groupReads>[number];

/** Runs listed one by one; older reads are folded by day, at most eight days for a seven-day claim. */
const NEWEST_RUNS = 24;

function latencyOf(reads: readonly ReadEntry[]) {
  const sorted = reads.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const at = (place: number) => sorted.at(place) ?? 0;
  return sorted.length > 0 ? { min: at(0), median: at(sorted.length >> 1), max: at(-1) } : null;
}

function resultOf({ outcome, code }: ReadEntry) {
  if (outcome === "found") return { says: "found", tone: "proved" } as const;
  if (outcome === "unresolvable")
    return { says: "DNS could not be reached", tone: "ended" } as const;
  if (code === null) return { says: "on some nameservers", tone: "waiting" } as const;
  const tone = code === "negative_cache" ? "waiting" : "needs";
  return { says: DIAGNOSES[code].short, tone } as const;
}

function resultsOf(reads: readonly ReadEntry[]) {
  const results = new Map<string, ReturnType<typeof resultOf> & { count: number }>();
  for (const read of reads) {
    const result = resultOf(read);
    const count = (results.get(result.says)?.count ?? 0) + 1;
    results.set(result.says, { ...result, count });
  }
  return [...results.values()];
}

/** `id` is that of the newest, `since` when the oldest was made. */
function toGroup(reads: readonly ReadEntry[]) {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, results: resultsOf(reads), latency: latencyOf(reads) }];
}

function splitBy(reads: readonly ReadEntry[], keyOf: (read: ReadEntry) => string): ReadEntry[][] {
  const parts: ReadEntry[][] = [];
  for (const read of reads) {
    const part = parts.at(-1);
    if (part?.[0] && keyOf(part[0]) === keyOf(read)) part.push(read);
    else parts.push([read]);
  }
  return parts;
}

/** The newest runs of reads with the same result, then older reads folded by day. Input and output newest first. */
export function groupReads(reads: readonly ReadEntry[]) {
  const runs = splitBy(reads, ({ outcome, code }) => `${outcome} ${code}`);
  const days = splitBy(runs.slice(NEWEST_RUNS).flat(), ({ at }) => at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap(toGroup);
}
