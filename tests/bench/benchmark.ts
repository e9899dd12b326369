/** The goal that a figure is compared with. */
export type Goal = {
  what: string;
  at: "least" | "most";
  value: number;
  unit: "" | "ms" | "%" | "MB" | "packets" | "left";
};

/**
 * One goal and its measurement. `value` is compared with the goal and is usually a ratio of medians. `product` and
 * `floor` hold one figure per kept round, in `unit`.
 */
export type Row = {
  goal: Goal;
  value: number;
  product?: number[];
  floor?: number[];
  unit?: string;
  note?: string;
};

/** `commands`: what was started, for anyone who wants to repeat it. `rejected`: the number of rounds discarded. */
export type Result = { rows: Row[]; commands: string[]; rejected: number };

export type Point = { size: number; product: number; floor?: number };
export type Growth = {
  title: string;
  axis: string;
  unit: string;
  points: Point[];
  note?: string;
};

export type Benchmark = {
  /** For example in `npm run bench proof-json`. */
  name: string;
  /** Its number in the table of goals. */
  number: number;
  work: string;
  floor: string;
  /** Programs that must be on PATH. */
  needs: readonly string[];
  run(options: { rounds: number }): Promise<Result>;
  /** Measures the same work at sizes a factor of ten apart. */
  grow?(): Promise<Growth>;
};

export const isMet = ({ goal, value }: Row): boolean =>
  goal.at === "least" ? value >= goal.value : value <= goal.value;
