import { printFigure } from "../support/figures.ts";
import { isFull } from "../support/size.ts";

export { quantile, spread } from "../support/figures.ts";
export { isFull, sized } from "../support/size.ts";

/** Prints a measured figure; those of a full run are stored for docs/reliability.md. */
export const figure = (name: string, value: string | number): void =>
  printFigure(name, value, isFull ? "reliability-figures.json" : null);

/** Seeded numbers in [0, 1), so that a failing run can be repeated (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
