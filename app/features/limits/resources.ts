import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";

export const Limit = object("Limit", {
  budget: z.string().describe("The name of the limit, as in `error.budget` of a 409 or 429"),
  counts: z.string().describe("What it counts, in words"),
  most: z.int(),
  seconds: z.int().nullable().describe("The period; null for a limit of how many exist"),
  used: z.int(),
  left: z.int(),
  resetsAt: timestamp
    .nullable()
    .describe("When all of it is available again; null if none is used or nothing resets it"),
  raisedBy: z
    .enum(["operator"])
    .nullable()
    .describe("Who can raise it for this account; null if nobody can"),
});
export type Limit = z.infer<typeof Limit>;
