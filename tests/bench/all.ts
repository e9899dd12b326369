import { accountStreams } from "./account-streams.ts";
import type { Benchmark } from "./benchmark.ts";
import { dnssecChain } from "./dnssec-chain.ts";
import { domainList } from "./domain-list.ts";
import { memory } from "./memory.ts";
import { outcome } from "./outcome.ts";
import { pending } from "./pending.ts";
import { proofHot } from "./proof-hot.ts";
import { proofJson } from "./proof-json.ts";
import { proofPage } from "./proof-page.ts";
import { references } from "./references.ts";
import { start } from "./start.ts";
import { timeToProved } from "./time-to-proved.ts";
import { verification } from "./verification.ts";
import { watching } from "./watching.ts";
import { writesWhileDraining } from "./writes-while-draining.ts";
import { zoneStream } from "./zone-stream.ts";

/** Every benchmark, in the order of the table of goals. */
export const benchmarks: readonly Benchmark[] = [
  proofJson,
  proofPage,
  proofHot,
  domainList,
  references,
  verification,
  zoneStream,
  accountStreams,
  pending,
  outcome,
  writesWhileDraining,
  start,
  timeToProved,
  dnssecChain,
  watching,
  memory,
];
