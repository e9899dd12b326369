import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";

export const Limit = object("Limit", {
  budget: z.string().describe("As `error.budget` names it in a 409 or 429"),
  counts: z.string().describe("What it counts, for people"),
  most: z.int(),
  seconds: z.int().nullable().describe("In how long; null where it counts what there is"),
  used: z.int(),
  left: z.int(),
  resetsAt: timestamp
    .nullable()
    .describe("When all of it is back; null if none is used, or none comes back by itself"),
  raisedBy: z
    .enum(["operator"])
    .nullable()
    .describe("Who can raise it for this account; null if nobody can"),
});
export type Limit = z.infer<typeof Limit>;
