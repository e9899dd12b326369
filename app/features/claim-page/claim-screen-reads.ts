import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import type { Tone } from "#app/ui/page.tsx";
import { causeOf, NO_RECORD } from "../claims/open-state.server.ts";
import type { Attempt } from "../claims/resources.ts";

export type ReadEntry = Pick<Attempt, "id" | "at" | "outcome" | "trigger"> & {
  diagnosis: Diagnosis | null;
};

export type ReadGroup = ReturnType<typeof groupReads>[number];

/** The number of runs listed one by one; older reads are grouped by day, at most eight days for a seven-day claim. */
const NEWEST_RUNS = 24;

function resultOf({ outcome, diagnosis }: ReadEntry): { says: string; tone: Tone } {
  if (outcome === "found") return { says: "found", tone: "proved" };
  if (outcome === "unresolvable") return { says: "DNS could not be reached", tone: "ended" };
  if (diagnosis === null) return { says: "found, not confirmed yet", tone: "waiting" };
  const says = causeOf(diagnosis);
  const isWait = says === NO_RECORD || diagnosis.awaits === "resolvers";
  return { says, tone: isWait ? "waiting" : "needs" };
}

const resultsOf = (reads: readonly ReadEntry[]) =>
  [...Map.groupBy(reads.map(resultOf), ({ says }) => says).values()].flatMap((sameResults) =>
    sameResults.slice(0, 1).map((result) => ({ ...result, count: sameResults.length })),
  );

/** `id` is the newest read's, `since` the oldest read's time. */
function toGroup(reads: readonly ReadEntry[]) {
  const [newest] = reads;
  if (!newest) return [];
  const { id, at, trigger } = newest;
  const since = reads.at(-1)?.at ?? at;
  return [{ id, at, trigger, since, results: resultsOf(reads) }];
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
export function groupReads(reads: readonly ReadEntry[]) {
  const runs = splitBy(reads, (read) => resultOf(read).says);
  const days = splitBy(runs.slice(NEWEST_RUNS).flat(), ({ at }) => at.slice(0, 10));
  return [...runs.slice(0, NEWEST_RUNS), ...days].flatMap(toGroup);
}
