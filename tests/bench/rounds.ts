/** A round that saw anything unexpected, such as a wrong status or outcome: it counts for nothing. */
export class Rejected extends Error {}

const LEAST_KEPT = 5;

/**
 * A warm-up of each side, then product, floor, product, floor … A round of which either side is rejected is
 * run again; at most twice `rounds` are tried, and fewer than five kept ones throw the last rejection.
 */
export async function interleave<P = number, F = number>(
  rounds: number,
  sides: { product: () => Promise<P>; floor: () => Promise<F> },
): Promise<{ product: P[]; floor: F[]; rejected: number }> {
  const kept = { product: [] as P[], floor: [] as F[], rejected: 0 };
  await sides.product();
  await sides.floor();
  const wanted = Math.max(rounds, LEAST_KEPT);
  let last: Rejected | null = null;
  for (let tried = 0; tried < 2 * wanted && kept.product.length < wanted; tried++) {
    try {
      const product = await sides.product();
      const floor = await sides.floor();
      kept.product.push(product);
      kept.floor.push(floor);
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
      last = thrown;
      kept.rejected++;
    }
  }
  if (kept.product.length >= LEAST_KEPT) return kept;
  throw new Error(`only ${kept.product.length} rounds could be kept: ${last?.message}`);
}

/** The value below which `share` of the sorted values lie, interpolated; NaN where there are none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Interquartile range as a share of the median. */
export const spread = (values: readonly number[]): number =>
  (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
