import type { Figures, Round } from "./benchmark.ts";

/** Thrown if a round saw anything unexpected, such as a wrong status or outcome. The round is discarded. */
export class Rejected extends Error {}

/** Warms up both sides unless they are long, then measures them in turn. Repeats a rejected round; throws after too many. */
export async function interleave(
  { rounds, isLong = false }: { rounds: number; isLong?: boolean | undefined },
  sides: readonly [Round, Round],
): Promise<[Figures, Figures][]> {
  for (const round of isLong ? [] : sides) await round();
  const kept: [Figures, Figures][] = [];
  let last: Rejected | null = null;
  for (let tried = 0; kept.length < rounds; tried++) {
    if (tried === 2 * rounds)
      throw new Error(`only ${kept.length} rounds were kept: ${last?.message}`);
    try {
      kept.push([await sides[0](), await sides[1]()]);
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
      last = thrown;
    }
  }
  return kept;
}
