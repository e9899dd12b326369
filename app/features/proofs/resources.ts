import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";

export const ProofNameservers = object("ProofNameservers", {
  delegated: z.int().min(1).describe("Nameservers the zone is delegated to"),
  answered: z.int().min(1).describe("Nameservers that answered for the zone"),
  holding: z.int().min(1).describe("Nameservers whose answer had the token"),
});

const proofFields = {
  slug: z.string(),
  url: z.string(),
  domain: z.string(),
  unicodeDomain: z.string(),
  heldBy: z.string(),
  token: z.string(),
  challengeHost: z.string(),
  provider: z.string().nullable(),
  nameservers: ProofNameservers.nullable().describe(
    "What the nameservers said at that moment; null if that is no longer known",
  ),
  provedAt: timestamp,
};

export const ProofLink = object("ProofLink", {
  ...proofFields,
  claimId: z.string(),
  standing: z.enum(["live", "revoked"]),
  issuedAt: timestamp,
  revokedAt: timestamp.nullable(),
});
export type ProofLink = z.infer<typeof ProofLink>;

export const Recency = z
  .discriminatedUnion("type", [
    object("LatestProof", { type: z.literal("latest") }),
    object("EarlierProof", { type: z.literal("earlier"), latestProvedAt: timestamp }),
  ])
  .meta({ id: "Recency" });

export const PublishedProof = object("PublishedProof", { ...proofFields, recency: Recency });
export type PublishedProof = z.infer<typeof PublishedProof>;

const ReceiptChain = object("ReceiptChain", { chain: z.string().describe("Base64") });

const ReceiptStamp = object("ReceiptStamp", { token: z.string().describe("Base64") });

export const Receipt = object("Receipt", {
  about: z.string().describe("In words, what the file is and where it can be checked; not signed"),
  format: z.literal("deed-receipt/2"),
  statement: z.string().describe("A compact JWS (RFC 7515)"),
  dnssec: ReceiptChain.nullable().describe("Null if the statement says `indeterminate`"),
  stamp: ReceiptStamp.nullable().describe(
    "An RFC 3161 time stamp on the statement; null if there is none",
  ),
});

export const Opening = object("Opening", {
  opening: z.string().length(43).describe("32 octets, base64url"),
});

export const Evidence = z
  .looseObject({})
  .meta({ id: "Evidence", description: "Everything that a read saw; members may be added" });
