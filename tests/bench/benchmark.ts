/** What one round of one side showed, by what it is a figure of. */
export type Figures = Record<string, number>;

/** Measures a side that was started, the product or the floor that it is compared with. */
export type Round = () => Promise<Figures>;

export type Benchmark = {
  /** For example in `npm run bench reads`. */
  name: string;
  /** One round takes minutes: it is the only one, without a warm-up. */
  isLong?: true;
  /** Of each figure: its unit, and the goal: the ratio of product to floor, or the product's own figure at most. */
  figures: Record<
    string,
    { unit: string; goal: { least: number } | { most: number } | { product: number } }
  >;
  /** Starts the product at `command`, the path of a packed `bin/deed.mjs`. */
  startProduct(command: string, stops: Stops): Promise<Round> | Round;
  startFloor(stops: Stops): Promise<Round> | Round;
};

/** Collects what is to be stopped, and stops the last first. */
export class Stops {
  readonly #stops: (() => unknown)[] = [];

  add(stop: () => unknown): void {
    this.#stops.unshift(stop);
  }

  async run(): Promise<void> {
    for (const stop of this.#stops) await stop();
  }
}
