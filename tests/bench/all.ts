import type { Benchmark } from "./benchmark.ts";
import { proofJson } from "./proof-json.ts";
import { proofPage } from "./proof-page.ts";
import { timeToProved } from "./time-to-proved.ts";
import { verification } from "./verification.ts";
import { zoneStream } from "./zone-stream.ts";

/** Every benchmark, in the order of the table of goals. */
export const benchmarks: readonly Benchmark[] = [
  proofJson,
  proofPage,
  verification,
  zoneStream,
  timeToProved,
];
