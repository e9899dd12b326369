/** Claims and verifications as the API, the pages and webhooks show them (see app/core/resources.ts). */

import {
  ExplainedDiagnosis,
  heldDelegation,
  Publication,
  seconds,
  timestamp,
  unasked,
} from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object, reference } from "#app/core/resources.ts";
import { Registry } from "#app/features/zones/resources.ts";
import {
  CLAIM_STATES,
  OUTCOMES,
  PROVIDERS,
  TRIGGERS,
  VERIFICATION_STATUSES,
  WAIT_REASONS,
} from "#db/schema.ts";
import { holds, Watch } from "./watch.ts";

export const ChallengeRecord = object("ChallengeRecord", {
  host: z
    .string()
    .describe(
      "The label. Below a zone's apex, the panel needs more: see `panel.host` of the claim",
    ),
  name: z.string(),
  type: z.literal("TXT"),
  value: z.string(),
});
export type ChallengeRecord = z.infer<typeof ChallengeRecord>;

export const Panel = object("Panel", {
  zone: z.string().describe("The zone that the panel manages"),
  host: z.string().describe("What to type into the panel's host field"),
  provider: z.enum(PROVIDERS),
});
export type Panel = z.infer<typeof Panel>;

export const Claim = object("Claim", {
  id: z.string(),
  domainId: z.string(),
  domain: z.string(),
  unicodeDomain: z.string(),
  reference,
  state: z.enum(CLAIM_STATES),
  token: z.string(),
  records: z.array(ChallengeRecord),
  panel: Panel.nullable().describe(
    "Where to type the record; null until a read of the claim has found the zone",
  ),
  verificationId: z.string(),
  holds,
  watch: Watch.nullable().describe("Null unless its proof is watched"),
  expiresAt: timestamp,
  endedAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type Claim = z.infer<typeof Claim>;

export const Coexistence = z
  .discriminatedUnion("type", [
    object("UnnamedCoexistence", { type: z.literal("unnamed") }),
    object("NamedCoexistence", {
      type: z.literal("named"),
      maskedEmail: z.string(),
      provedAt: timestamp,
    }),
  ])
  .meta({ id: "Coexistence" });
export type Coexistence = z.infer<typeof Coexistence>;

export const ClaimDetail = object("ClaimDetail", {
  ...Claim.shape,
  coexistence: Coexistence.nullable(),
});
export type ClaimDetail = z.infer<typeof ClaimDetail>;

export const WaitEstimate = object("WaitEstimate", {
  reason: z.enum(WAIT_REASONS),
  secondsRemaining: seconds,
  unasked,
  held: heldDelegation,
  observed: Publication.optional().describe(
    "For `nameserver_sync`: where the record is, and which servers are still expected to answer with it",
  ),
});
export type WaitEstimate = z.infer<typeof WaitEstimate>;

/** What a claim needs or waits for: exactly one of the two while it is open, neither once it is proved. */
export const outstanding = {
  diagnosis: ExplainedDiagnosis.nullable(),
  waitEstimate: WaitEstimate.nullable(),
};

export const Verification = object("Verification", {
  id: z.string(),
  claimId: z.string(),
  method: z.literal("dns_txt"),
  status: z.enum(VERIFICATION_STATUSES),
  lastOutcome: z.enum(OUTCOMES).nullable(),
  ...outstanding,
  registry: Registry.nullable().describe(
    "Null if the diagnosis is not about the delegation, or if nothing is known",
  ),
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  deadline: timestamp,
  createdAt: timestamp,
});
export type Verification = z.infer<typeof Verification>;

export const ListedClaim = object("ListedClaim", { ...Claim.shape, ...outstanding });

export const ClaimList = object("ClaimList", {
  claims: z.array(ListedClaim),
  nextCursor: z.string().nullable(),
});
export type ClaimList = z.infer<typeof ClaimList>;

export const Attempt = object("Attempt", {
  id: z.string(),
  trigger: z.enum(TRIGGERS),
  outcome: z.enum(OUTCOMES),
  diagnosis: ExplainedDiagnosis.nullable(),
  latencyMs: z.int().min(0).nullable(),
  at: timestamp,
});
export type Attempt = z.infer<typeof Attempt>;
