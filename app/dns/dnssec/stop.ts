import { BUDGET } from "./limits.ts";
import type { Cost, Fault, Gap, Insecurity, Judgement } from "./verdict.ts";

/** Ends a judgement. */
export class Stop extends Error {
  constructor(readonly judgement: Judgement) {
    super(judgement.verdict);
  }
}

const stop = (judgement: Judgement): never => {
  throw new Stop(judgement);
};
/** They throw Stop. */
export const stopAs = {
  bogus: (reason: Fault) => stop({ verdict: "bogus", reason }),
  insecure: (reason: Insecurity) => stop({ verdict: "insecure", reason }),
  indeterminate: (reason: Gap) => stop({ verdict: "indeterminate", reason }),
};

/** Counts work before it is done. Throws Stop at the limit. */
export function spend(cost: Cost, limit: keyof Cost, count = 1): void {
  if (cost[limit] + count > BUDGET[limit]) stopAs.indeterminate({ type: "limit", limit });
  cost[limit] += count;
}
