/** Thrown when a round saw anything unexpected, such as a wrong status or outcome. The round is discarded. */
export class Rejected extends Error {}

const LEAST_KEPT = 5;

/**
 * Warms up both sides, then measures product, floor, product, floor … A round in which either side is rejected is
 * repeated. At most twice `rounds` (or five, if that is more) are tried. Throws if fewer than five are kept.
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

/** The value below which `share` of the values lie, interpolated; NaN for no values. */
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
