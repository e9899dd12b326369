import { printFigure } from "../support/figures.ts";

export { spread } from "../support/figures.ts";

/** Prints a measured figure and stores it with the others of the run. */
export const figure = (name: string, value: string | number): void =>
  printFigure(name, value, "cluster-figures.json");

/** A size that a long run raises: `CLUSTER_<NAME>=50`. */
export const sizeOf = (name: string, usual: number): number =>
  Number(process.env[`CLUSTER_${name}`] ?? usual);
