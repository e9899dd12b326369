import { REGISTRY_STATUSES } from "@deed/dns/rdap/answer.ts";
import { seconds, timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { PROVIDERS } from "#db/schema.ts";

export const Registry = object(
  "Registry",
  {
    name: z.string().describe("The registered name, at or above the domain"),
    registered: z.boolean().describe("False if the registry does not know the name"),
    statuses: z.array(z.enum(REGISTRY_STATUSES)).describe("As in RFC 8056"),
    expiresAt: timestamp.nullable(),
    nameservers: z
      .array(z.string())
      .nullable()
      .describe("Those set at the registry; null if the registry did not say"),
    delegationSigned: z
      .boolean()
      .nullable()
      .describe("Whether a DS record is set; null if the registry did not say"),
    cause: z.string().nullable().describe("How this explains the diagnosis; null if it does not"),
    fix: z
      .string()
      .nullable()
      .describe("What to do instead of the diagnosis's `fix`; null if that `fix` is right"),
    askedAt: timestamp,
  },
  "What the registry said over RDAP",
);
export type Registry = z.infer<typeof Registry>;

export const DelegationFrame = object("DelegationFrame", {
  step: z.literal("delegation"),
  name: z.string(),
  domain: z.strictObject({
    ascii: z.string(),
    unicode: z.string(),
    normalisations: z.array(z.string()),
    isPublicSuffix: z.boolean(),
  }),
  nameservers: z.array(z.string()),
  provider: z
    .enum(PROVIDERS)
    // The contract's schema declares a default, but every frame names its provider.
    .meta({ default: "cloudflare" }),
  observedAt: timestamp,
  cached: z.boolean(),
});
export type DelegationFrame = z.infer<typeof DelegationFrame>;

export const PublishingFrame = object("PublishingFrame", {
  step: z.literal("publishing"),
  publishingMinutes: z.int().min(0).nullable(),
  negativeCacheTtlSeconds: seconds.nullable(),
});
export type PublishingFrame = z.infer<typeof PublishingFrame>;

export const ZoneFrame = z
  .discriminatedUnion("step", [DelegationFrame, PublishingFrame])
  .meta({ id: "ZoneFrame", description: "The data of each event of the zone stream" });
