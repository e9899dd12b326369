/** What one round of one side showed, by what it is a figure of. */
export type Figures = Record<string, number>;

/** A side that was started: the product, or the floor that it is compared with. */
export type Side = {
  round(): Promise<Figures>;
  stop(): Promise<unknown>;
  /** What a floor that copies the product needs: its origin, and the slugs of its proofs. */
  asked?: { url: string; slugs: readonly string[] };
};

export type Benchmark = {
  /** For example in `npm run bench proofs`. */
  name: string;
  floor: string;
  /** Of each figure: its unit, and the goal: the ratio of product to floor, or the product's own figure at most. */
  figures: Record<
    string,
    { unit: string; goal: { least: number } | { most: number } | { product: number } }
  >;
  /** Starts the product at `command`, the path of a packed `bin/deed.mjs`. */
  startProduct(command: string): Promise<Side>;
  startFloor(product: Side): Promise<Side>;
};

/** Collects what is to be stopped, and stops the last first. */
export class Stops {
  readonly #stops: (() => unknown)[] = [];

  add(stop: () => unknown): void {
    this.#stops.unshift(stop);
  }

  readonly run = async (): Promise<void> => {
    for (const stop of this.#stops) await stop();
  };
}
