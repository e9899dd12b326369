import type { Benchmark } from "./benchmark.ts";
import { proofJson } from "./proof-json.ts";
import { proofPage } from "./proof-page.ts";

/** Every benchmark, in the order of the table of goals. */
export const benchmarks: readonly Benchmark[] = [proofJson, proofPage];
