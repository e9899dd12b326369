import { Chance } from "../fuzz/chance.ts";
import { printFigure } from "../support/figures.ts";
import { isFull } from "../support/size.ts";

export { quantile, spread } from "../support/figures.ts";
export { isFull, sized } from "../support/size.ts";

/** Prints a measured figure; those of a full run are stored for tests/evidence/reliability.md. */
export const figure = (name: string, value: string | number): void =>
  printFigure(name, value, isFull ? "reliability-figures.json" : null);

/** Seeded numbers in [0, 1), so that a failing run can be repeated. */
export function seeded(seed: number): () => number {
  const chance = new Chance(seed);
  return () => chance.next();
}
