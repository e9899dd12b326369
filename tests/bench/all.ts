import type { Benchmark } from "./benchmark.ts";

/** Every benchmark, in the order of the table of goals. */
export const benchmarks: readonly Benchmark[] = [];
