import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { WATCH_REGISTRIES, WATCH_STATES } from "#db/schema.ts";

export const ProofWatch = object("ProofWatch", {
  domain: z.string(),
  state: z
    .enum(WATCH_STATES)
    .describe(
      "`published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: the zone's nameservers are all others; `gone`: the registry lists none; `registered_again`: whatever became of the record, the registry says that the domain was registered after the proof",
    ),
  seenAt: timestamp.describe("The last read that found it; at first the proof"),
  missingSince: timestamp.nullable().describe("Null while it is `published`"),
  checkedAt: timestamp
    .nullable()
    .describe("The last read with a definite result, outages left out; null before the first"),
  registration: z.enum(WATCH_REGISTRIES).nullable().describe("By the registry, asked once a week"),
  registeredAt: timestamp.nullable(),
  registryAskedAt: timestamp.nullable(),
});
export type ProofWatch = z.infer<typeof ProofWatch>;

const { domain: _, ...watchShape } = ProofWatch.shape;
export const Watch = object("Watch", { claimId: z.string(), ...watchShape, startedAt: timestamp });
export type Watch = z.infer<typeof Watch>;
