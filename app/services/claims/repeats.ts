import type { Seen } from "#app/dns/verdict/seen.ts";

/** What reads saw since the verdict last changed, and the attempts that have their evidence, oldest first. */
type Memory = { verdict: string | null; reads: { facts: string; attemptId: string }[] };

/** Enough for servers that answer now and then. */
const MOST_READS = 8;

/** What is stored of a read: the attempt whose evidence it shares, and the memory for the next read. */
type Repeat = { sameAs: string | null; seen: string | null };

/**
 * Finds the read that saw the same since the verdict last changed. `before`: JSON of a Memory. `seen`: null if nothing
 * was seen. Without such a read, attempt `id` keeps its own evidence.
 */
export function repeatOf(before: string | null, seen: Seen | null, id: string): Repeat {
  if (!seen) return { sameAs: null, seen: before };
  const memory: Memory = before ? JSON.parse(before) : { verdict: null, reads: [] };
  const verdict = seen.verdict ?? memory.verdict;
  const known = verdict === memory.verdict ? memory.reads : [];
  const same = known.find(({ facts }) => facts === seen.facts);
  if (same) return { sameAs: same.attemptId, seen: before };
  const reads = [...known, { facts: seen.facts, attemptId: id }].slice(-MOST_READS);
  return { sameAs: null, seen: JSON.stringify({ verdict, reads } satisfies Memory) };
}
