import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { ChallengeRecord, outstanding, Panel } from "#app/features/claims/resources.ts";
import { VERIFICATION_STATUSES } from "#db/schema.ts";

const handoffFields = {
  slug: z.string(),
  url: z.string(),
  claimId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.describe("The latest time at which the claim and the page end"),
};

export const Handoff = object("Handoff", handoffFields);
export type Handoff = z.infer<typeof Handoff>;

export const RevokedHandoff = object("RevokedHandoff", { ...handoffFields, revokedAt: timestamp });

export const ReturnSite = object("ReturnSite", {
  host: z.string(),
  url: z.string().describe("Leads there while that domain is proved"),
});

export const HandoffEnding = object("HandoffEnding", {
  how: z.enum(["proved", "expired", "canceled", "revoked"]),
  at: timestamp,
});

export const SharedRecord = object("SharedRecord", {
  domain: z.string(),
  unicodeDomain: z.string(),
  title: z.string().nullable().describe("As the person who asks wrote it"),
  requestedFor: z.string().nullable().describe("The customer's name, in the asker's words"),
  askedBy: z.string().describe("Who asks: masked, unless they let the page show it"),
  askedAt: timestamp,
  record: ChallengeRecord,
  panel: Panel.nullable(),
  status: z.enum(VERIFICATION_STATUSES),
  ...outstanding,
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  expiresAt: timestamp,
  back: ReturnSite.nullable(),
});
export type SharedRecord = z.infer<typeof SharedRecord>;
