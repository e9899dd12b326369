import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { NORMALISATIONS } from "#app/core/normalisations.ts";
import { object, reference } from "#app/core/resources.ts";
import { outstanding } from "#app/features/claims/resources.ts";
import { holds, Watch } from "#app/features/claims/watch.ts";
import { DOMAIN_STATUSES } from "#db/schema.ts";

export const Domain = object("Domain", {
  id: z.string(),
  name: z.string(),
  unicodeName: z.string(),
  reference,
  archived: z.boolean(),
  lastProvedAt: timestamp
    .nullable()
    .describe("The date of its newest proof, whatever claims came after it"),
  holds,
  createdAt: timestamp,
});
export type Domain = z.infer<typeof Domain>;

export const AddedDomain = object("AddedDomain", {
  ...Domain.shape,
  normalisations: z
    .array(z.enum(NORMALISATIONS))
    .describe("What was done to the input, in this order; empty if nothing"),
});
export type AddedDomain = z.infer<typeof AddedDomain>;

export const DomainCounts = object("DomainCounts", {
  unclaimed: z.int().min(0),
  pending: z.int().min(0),
  proved: z.int().min(0),
  expired: z.int().min(0),
  canceled: z.int().min(0),
  archived: z.int().min(0),
});
export type DomainCounts = z.infer<typeof DomainCounts>;

export const ListedDomain = object("ListedDomain", {
  ...Domain.shape,
  status: z.enum(DOMAIN_STATUSES),
  claimId: z.string().nullable(),
  verificationId: z.string().nullable(),
  claimStartedAt: timestamp.nullable(),
  claimEndedAt: timestamp.nullable(),
  watch: Watch.nullable().describe("For the newest watched proof; null if no proof is watched"),
  ...outstanding,
});
export type ListedDomain = z.infer<typeof ListedDomain>;

export const DomainList = object("DomainList", {
  domains: z.array(ListedDomain),
  counts: DomainCounts,
  nextCursor: z.string().nullable(),
});
export type DomainList = z.infer<typeof DomainList>;
