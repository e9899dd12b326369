import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import type { StateLabel } from "#app/ui/page.tsx";
import { causeOf, NO_RECORD, type OpenState } from "../claims/open-state.server.ts";
import type { Attempt } from "../claims/resources.ts";

export type ReadEntry = Pick<Attempt, "id" | "at" | "outcome" | "trigger"> & {
  diagnosis: Diagnosis | null;
};

export type ReadGroup = ReturnType<typeof groupReads>[number];

/** The number of runs listed one by one; older reads are grouped by day, at most eight days for a seven-day claim. */
const NEWEST_RUNS = 24;

type Result = { says: string } & Pick<StateLabel, "tone" | "mark">;

/** `open`: the page's state, whose sign a missing record has; null once the claim has ended. */
function resultOf({ outcome, diagnosis }: ReadEntry, open: OpenState | null): Result {
  if (outcome === "found") return { says: "found", tone: "proved" };
  if (outcome === "unresolvable") return { says: "DNS could not be reached", tone: "ended" };
  const says = diagnosis ? causeOf(diagnosis) : "found, not confirmed yet";
  if (open === null) return { says: says === NO_RECORD ? "no record" : says, tone: "ended" };
  if (says === NO_RECORD)
    return { says, tone: open === "needs_you" ? "needs" : "waiting", mark: "needs" };
  const isWait = diagnosis === null || diagnosis.awaits === "resolvers";
  return { says, tone: isWait ? "waiting" : "needs" };
}

function resultsOf(reads: readonly ReadEntry[], open: OpenState | null) {
  const results = reads.map((read) => resultOf(read, open));
  return [...Map.groupBy(results, ({ says }) => says).values()].flatMap((same) =>
    same.slice(0, 1).map((result) => ({ ...result, count: same.length })),
  );
}

/** `id` is the newest read's, `since` the oldest read's time. */
function toGroup(reads: readonly ReadEntry[], open: OpenState | null) {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, results: resultsOf(reads, open) }];
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

/** Groups the newest reads by runs with the same result, and older ones by day. Reads and groups are newest first. */
export function groupReads(reads: readonly ReadEntry[], open: OpenState | null) {
  const runs = splitBy(reads, (read) => resultOf(read, open).says);
  const days = splitBy(runs.slice(NEWEST_RUNS).flat(), ({ at }) => at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap((part) => toGroup(part, open));
}
