/**
 * The resources of the contract, as zod schemas and the types inferred from them. Services return these values, the API
 * sends them unchanged, and OpenAPI describes them.
 */

import { REGISTRY_STATUSES } from "@deed/dns/rdap/answer.ts";
import {
  ExplainedDiagnosis,
  Publication,
  seconds,
  timestamp,
} from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import {
  CLAIM_STATES,
  DOMAIN_STATUSES,
  FEED_TYPES,
  NOTICE_KINDS,
  OUTCOMES,
  PROVIDERS,
  SCOPES,
  TRIGGERS,
  VERIFICATION_STATUSES,
  WAIT_REASONS,
  WATCH_STATES,
} from "#db/schema.ts";
import { NORMALISATIONS } from "./normalisations.ts";

export { type ExplainedDiagnosis, pascalCase } from "@deed/dns/verdict/diagnosis.ts";

/** A resource, under its name in OpenAPI. */
const object = <S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.strictObject(shape).meta({ id, ...(description && { description }) });

const reference = z
  .string()
  .nullable()
  .describe("The account's own id of whom the domain is for; null for none");

export const Domain = object("Domain", {
  id: z.string(),
  name: z.string(),
  unicodeName: z.string(),
  reference,
  archived: z.boolean(),
  lastProvedAt: timestamp
    .nullable()
    .describe("The date of its newest proof, whatever claims came after it"),
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

export const ChallengeRecord = object("Record", {
  host: z
    .string()
    .describe("The label. Below a zone's apex more than this is typed: `panel.host` of the claim"),
  name: z.string(),
  type: z.literal("TXT"),
  value: z.string(),
});
export type ChallengeRecord = z.infer<typeof ChallengeRecord>;

export const Panel = object("Panel", {
  zone: z.string().describe("The zone that holds the name: whose panel it is"),
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
    "Where the record is typed; null until a read of the claim has told the zone",
  ),
  verificationId: z.string(),
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
  observed: Publication.optional().describe(
    "Of `nameserver_sync`: where the record is, and which servers are still expected to answer with it",
  ),
});
export type WaitEstimate = z.infer<typeof WaitEstimate>;

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
      .describe("Those set at the registry; null if it did not say"),
    delegationSigned: z
      .boolean()
      .nullable()
      .describe("Whether a DS record is set; null if it did not say"),
    cause: z.string().nullable().describe("How this explains the diagnosis; null if it does not"),
    fix: z
      .string()
      .nullable()
      .describe("What to do in place of the diagnosis's `fix`; null if that holds"),
    askedAt: timestamp,
  },
  "What the registry said over RDAP",
);
export type Registry = z.infer<typeof Registry>;

export const Verification = object("Verification", {
  id: z.string(),
  claimId: z.string(),
  method: z.literal("dns_txt"),
  status: z.enum(VERIFICATION_STATUSES),
  lastOutcome: z.enum(OUTCOMES).nullable(),
  diagnosis: ExplainedDiagnosis.nullable(),
  waitEstimate: WaitEstimate.nullable(),
  registry: Registry.nullable().describe(
    "Null where the diagnosis does not turn on the delegation, or nothing is known",
  ),
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  deadline: timestamp,
  createdAt: timestamp,
});
export type Verification = z.infer<typeof Verification>;

const outstanding = {
  diagnosis: ExplainedDiagnosis.nullable(),
  waitEstimate: WaitEstimate.nullable(),
};

export const ListedDomain = object("ListedDomain", {
  ...Domain.shape,
  status: z.enum(DOMAIN_STATUSES),
  claimId: z.string().nullable(),
  verificationId: z.string().nullable(),
  claimStartedAt: timestamp.nullable(),
  claimEndedAt: timestamp.nullable(),
  ...outstanding,
});
export type ListedDomain = z.infer<typeof ListedDomain>;

export const DomainList = object("DomainList", {
  domains: z.array(ListedDomain),
  counts: DomainCounts,
  nextCursor: z.string().nullable(),
});
export type DomainList = z.infer<typeof DomainList>;

export const ListedClaim = object("ListedClaim", { ...Claim.shape, ...outstanding });
export type ListedClaim = z.infer<typeof ListedClaim>;

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

export const ProofNameservers = object("ProofNameservers", {
  delegated: z.int().min(1).describe("Nameservers the zone is delegated to"),
  answered: z.int().min(1).describe("Those that answered for the zone"),
  holding: z.int().min(1).describe("Those whose answer held the token"),
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
    "What the nameservers said at that moment; null where that is not known any more",
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

export const Receipt = object("Receipt", {
  format: z.literal("deed-receipt/1"),
  statement: z.string().describe("A compact JWS (RFC 7515)"),
  dnssec: ReceiptChain.nullable().describe("Null unless the statement says `secure`"),
  log: z.null(),
});

export const Opening = object("Opening", {
  opening: z.string().length(22).describe("16 octets, base64url"),
});

export const Evidence = z
  .looseObject({})
  .meta({ id: "Evidence", description: "What a read saw; its members may grow" });

const handoffFields = {
  slug: z.string(),
  url: z.string(),
  claimId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.describe("When the claim, and the page with it, ends at latest"),
};

export const Handoff = object("Handoff", handoffFields);
export type Handoff = z.infer<typeof Handoff>;

export const RevokedHandoff = object("RevokedHandoff", { ...handoffFields, revokedAt: timestamp });
export type RevokedHandoff = z.infer<typeof RevokedHandoff>;

export const WayBack = object("WayBack", {
  host: z.string(),
  url: z.string().describe("Leads there, while it may"),
});
export type WayBack = z.infer<typeof WayBack>;

export const HandoffEnding = object("HandoffEnding", {
  how: z.enum(["proved", "expired", "canceled", "revoked"]),
  at: timestamp,
});

export const SharedRecord = object("SharedRecord", {
  domain: z.string(),
  unicodeDomain: z.string(),
  title: z.string().nullable().describe("In the asker's words"),
  requestedFor: z.string().nullable().describe("Whom the record is for, in the asker's words"),
  askedBy: z.string().describe("The asker's address: masked, unless they let the page show it"),
  askedAt: timestamp,
  record: ChallengeRecord,
  panel: Panel.nullable(),
  status: z.enum(VERIFICATION_STATUSES),
  diagnosis: ExplainedDiagnosis.nullable(),
  waitEstimate: WaitEstimate.nullable(),
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  expiresAt: timestamp,
  back: WayBack.nullable(),
});
export type SharedRecord = z.infer<typeof SharedRecord>;

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

export const Notice = object("Notice", {
  id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  domainId: z.string(),
  claimId: z.string(),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
});
export type Notice = z.infer<typeof Notice>;

export const NoticeList = object("NoticeList", {
  notices: z.array(Notice),
  nextCursor: z.string().nullable(),
});
export type NoticeList = z.infer<typeof NoticeList>;

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
  .meta({ id: "ZoneFrame", description: "What each event of the zone stream carries as data" });

export const AccountEvent = z
  .object({ type: z.enum(FEED_TYPES) })
  .catchall(z.string())
  .meta({ id: "AccountEvent", description: "What moved, and the ids it concerns. No state." });

/** A row of the change feed, from which the account stream builds an AccountEvent. */
export type FeedMessage = {
  id: number;
  type: (typeof FEED_TYPES)[number];
  ids: Record<string, string>;
  /** Epoch milliseconds. */
  at: number;
};

export const StreamReset = object(
  "StreamReset",
  { type: z.literal("reset") },
  "What moved meanwhile is not known: read the lists again.",
);

const Person = object("Person", {
  id: z.string(),
  email: z.string(),
  isFirst: z.boolean().describe("The account's own address, which its proofs name"),
  isYou: z.boolean().describe("The address this request is signed in with"),
  createdAt: timestamp,
  lastSeenAt: timestamp.nullable().describe("To the hour; null before the first"),
});

export const Invitation = object("Invitation", {
  id: z.string(),
  email: z.string(),
  invitedBy: z.string().describe("The address of who sent it"),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const PeopleList = object("PeopleList", {
  people: z.array(Person),
  invitations: z.array(Invitation),
});
export type PeopleList = z.infer<typeof PeopleList>;

export const Scope = z.enum(SCOPES).meta({ id: "Scope", description: "What an API key may do" });
export type Scope = z.infer<typeof Scope>;

export const ApiKey = object("ApiKey", {
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  addresses: z
    .array(z.string())
    .describe("Addresses and CIDRs that may use it; any address if empty"),
  createdBy: z
    .string()
    .describe(
      "The address of who created it or rotated it last; the key ends when they leave the account",
    ),
  createdAt: timestamp,
  rotatedAt: timestamp.nullable(),
  previousUntil: timestamp
    .nullable()
    .describe("Until when the key from before the last rotation still works"),
  expiresAt: timestamp.nullable().describe("Null: never"),
  lastUsedAt: timestamp.nullable().describe("To the hour; of another address to the minute"),
  lastUsedFrom: z.string().nullable().describe("The client's address"),
});
export type ApiKey = z.infer<typeof ApiKey>;
