import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { WATCH_STATES } from "#db/schema.ts";

export const ProofWatch = object("ProofWatch", {
  domain: z.string(),
  state: z
    .enum(WATCH_STATES)
    .describe(
      "`published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: the zone's nameservers are all others; `gone`: the registry lists none",
    ),
  seenAt: timestamp.describe("The last read that found it; at first the proof"),
  missingSince: timestamp.nullable().describe("Null while it is `published`"),
  checkedAt: timestamp
    .nullable()
    .describe("The last read with a definite result, outages left out; null before the first"),
});
export type ProofWatch = z.infer<typeof ProofWatch>;

const { domain: _, ...watchShape } = ProofWatch.shape;
export const Watch = object("Watch", { claimId: z.string(), ...watchShape, startedAt: timestamp });
export type Watch = z.infer<typeof Watch>;
