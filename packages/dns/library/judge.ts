import { randomInt } from "node:crypto";
import { decide, progressOf } from "../verdict/decide.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import { NO_READS } from "../verdict/history.ts";
import { prefixOf } from "../verdict/near-misses.ts";
import type { Observation } from "../verdict/observation.ts";
import { standingOf } from "../verdict/standing.ts";
import type { Evidence } from "./explain.ts";

/** Decides from one read and the progress of earlier ones. Ignores `before` if it is about another question. */
export function judge(observation: Observation, before?: Omit<Evidence, "decision">): Evidence {
  const { challengeName, token } = observation;
  const isSame = before?.seen.challengeName === challengeName && before.seen.token === token;
  // A token in another format has no prefix; "(?!)" matches nothing.
  const standing = standingOf(observation, {
    ...{ ...NO_READS, ...(isSame && before.progress), chance: randomInt(2 ** 47) / 2 ** 47 },
    ...{ endedTokens: [], domainOf: () => null, tokenPrefix: prefixOf(token) ?? "(?!)" },
  });
  const progress = progressOf(standing);
  return { seen: evidenceOf(observation), decision: decide(standing), progress };
}
