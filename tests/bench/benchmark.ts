/** The results of one round of one side, by figure. */
export type Figures = Record<string, number>;

/** Measures a started side: the product, or the floor to compare it with. */
export type Round = () => Promise<Figures>;

export type Benchmark = {
  /** Its name in commands like `npm run bench reads`. */
  name: string;
  /** One round takes minutes, so there is only one, without a warm-up. */
  isLong?: true;
  /** For each figure: its unit, and the goal, as a ratio of product to floor, or as the most that the product may have. */
  figures: Record<
    string,
    { unit: string; goal: { least: number } | { most: number } | { product: number } }
  >;
  /** Starts the product at `command`, the path of a packed `bin/deed.mjs`. */
  startProduct(command: string, stops: Stops): Promise<Round> | Round;
  startFloor(stops: Stops): Promise<Round> | Round;
};

/** Collects functions that stop things, and calls the last one first. */
export class Stops {
  readonly #stops: (() => unknown)[] = [];

  add(stop: () => unknown): void {
    this.#stops.unshift(stop);
  }

  async run(): Promise<void> {
    for (const stop of this.#stops) await stop();
  }
}
