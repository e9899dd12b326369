import type { Seen } from "#app/dns/verdict/evidence.ts";

/** What reads saw since the verdict last changed, and the attempts that have their evidence, oldest first. */
type Memory = {
  verdict: string | null;
  reads: { facts: string; attemptId: string }[];
  /** What the servers answered last, and the attempt that has the evidence; null if the next read must search anew. */
  last: { answers: string; attemptId: string } | null;
  /** Addresses of the nameservers. */
  addresses: string[];
};

/** Enough for servers that answer now and then. */
const MOST_READS = 8;

/** What is stored of a read: the attempt whose evidence it shares, and the memory for the next read. */
type Repeat = { sameAs: string | null; seen: string | null };

const NOTHING: Memory = { verdict: null, reads: [], last: null, addresses: [] };

/** `seen`: JSON of a Memory, which may lack what older versions did not keep. */
const memoryOf = (seen: string | null): Memory => ({ ...NOTHING, ...(seen && JSON.parse(seen)) });

/** What the read before saw, as the next one needs it. */
export const lastSeen = (seen: string | null): Pick<Memory, "last" | "addresses"> => memoryOf(seen);

/**
 * Finds the read that saw the same since the verdict last changed. `before`: JSON of a Memory. `seen`: null if nothing
 * was seen. Without such a read, attempt `id` keeps its own evidence.
 */
export function repeatOf(before: string | null, seen: Seen | null, id: string): Repeat {
  if (!seen) return { sameAs: null, seen: before };
  const memory = memoryOf(before);
  const verdict = seen.verdict ?? memory.verdict;
  const known = verdict === memory.verdict ? memory.reads : [];
  const same = known.find(({ facts }) => facts === seen.facts);
  const attemptId = same?.attemptId ?? id;
  const reads = same ? known : [...known, { facts: seen.facts, attemptId }].slice(-MOST_READS);
  const { answers, addresses } = seen;
  // A failure on our side changes nothing.
  const last = answers === null ? null : { answers, attemptId };
  const kept = { ...memory, verdict, reads, ...(seen.verdict !== null && { last, addresses }) };
  return { sameAs: same?.attemptId ?? null, seen: JSON.stringify(kept satisfies Memory) };
}
