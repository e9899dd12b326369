/**
 * The resources of the contract, as zod schemas and the types inferred from them. Services return these values, the API
 * sends them unchanged, and OpenAPI describes them.
 */

import { REGISTRY_STATUSES } from "@deed/dns/rdap/statuses.ts";
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

const reference = z
  .string()
  .nullable()
  .meta({ description: "The account's own id of whom the domain is for; null for none" });

export const Domain = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    unicodeName: z.string(),
    reference,
    archived: z.boolean(),
    lastProvedAt: timestamp
      .nullable()
      .meta({ description: "The date of its newest proof, whatever claims came after it" }),
    createdAt: timestamp,
  })
  .meta({ id: "Domain" });
export type Domain = z.infer<typeof Domain>;

export const AddedDomain = z
  .strictObject({
    ...Domain.shape,
    normalisations: z
      .array(z.enum(NORMALISATIONS))
      .meta({ description: "What was done to the input, in this order; empty if nothing" }),
  })
  .meta({ id: "AddedDomain" });
export type AddedDomain = z.infer<typeof AddedDomain>;

export const DomainCounts = z
  .strictObject({
    unclaimed: z.int().min(0),
    pending: z.int().min(0),
    proved: z.int().min(0),
    expired: z.int().min(0),
    canceled: z.int().min(0),
    archived: z.int().min(0),
  })
  .meta({ id: "DomainCounts" });
export type DomainCounts = z.infer<typeof DomainCounts>;

export const ChallengeRecord = z
  .strictObject({
    host: z.string().meta({
      description:
        "The label. Below a zone's apex more than this is typed: `panel.host` of the claim",
    }),
    name: z.string(),
    type: z.literal("TXT"),
    value: z.string(),
  })
  .meta({ id: "Record" });
export type ChallengeRecord = z.infer<typeof ChallengeRecord>;

export const Panel = z
  .strictObject({
    zone: z.string().meta({ description: "The zone that holds the name: whose panel it is" }),
    host: z.string().meta({ description: "What to type into the panel's host field" }),
    provider: z.enum(PROVIDERS),
  })
  .meta({ id: "Panel" });
export type Panel = z.infer<typeof Panel>;

export const Claim = z
  .strictObject({
    id: z.string(),
    domainId: z.string(),
    domain: z.string(),
    unicodeDomain: z.string(),
    reference,
    state: z.enum(CLAIM_STATES),
    token: z.string(),
    records: z.array(ChallengeRecord),
    panel: Panel.nullable().meta({
      description: "Where the record is typed; null until a read of the claim has told the zone",
    }),
    verificationId: z.string(),
    expiresAt: timestamp,
    endedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "Claim" });
export type Claim = z.infer<typeof Claim>;

export const Coexistence = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("unnamed") }).meta({ id: "UnnamedCoexistence" }),
    z
      .strictObject({ type: z.literal("named"), maskedEmail: z.string(), provedAt: timestamp })
      .meta({ id: "NamedCoexistence" }),
  ])
  .meta({ id: "Coexistence" });
export type Coexistence = z.infer<typeof Coexistence>;

export const ClaimDetail = z
  .strictObject({ ...Claim.shape, coexistence: Coexistence.nullable() })
  .meta({ id: "ClaimDetail" });
export type ClaimDetail = z.infer<typeof ClaimDetail>;

export const WaitEstimate = z
  .strictObject({
    reason: z.enum(WAIT_REASONS),
    secondsRemaining: seconds,
    observed: Publication.optional().meta({
      description:
        "Of `nameserver_sync`: where the record is, and which servers are still expected to answer with it",
    }),
  })
  .meta({ id: "WaitEstimate" });
export type WaitEstimate = z.infer<typeof WaitEstimate>;

export const Registry = z
  .strictObject({
    name: z.string().meta({ description: "The registered name, at or above the domain" }),
    registered: z.boolean().meta({ description: "False if the registry does not know the name" }),
    statuses: z.array(z.enum(REGISTRY_STATUSES)).meta({ description: "As in RFC 8056" }),
    expiresAt: timestamp.nullable(),
    nameservers: z
      .array(z.string())
      .nullable()
      .meta({ description: "Those set at the registry; null if it did not say" }),
    delegationSigned: z
      .boolean()
      .nullable()
      .meta({ description: "Whether a DS record is set; null if it did not say" }),
    cause: z
      .string()
      .nullable()
      .meta({ description: "How this explains the diagnosis; null if it does not" }),
    fix: z
      .string()
      .nullable()
      .meta({ description: "What to do in place of the diagnosis's `fix`; null if that holds" }),
    askedAt: timestamp,
  })
  .meta({ id: "Registry", description: "What the registry said over RDAP" });
export type Registry = z.infer<typeof Registry>;

export const Verification = z
  .strictObject({
    id: z.string(),
    claimId: z.string(),
    method: z.literal("dns_txt"),
    status: z.enum(VERIFICATION_STATUSES),
    lastOutcome: z.enum(OUTCOMES).nullable(),
    diagnosis: ExplainedDiagnosis.nullable(),
    waitEstimate: WaitEstimate.nullable(),
    registry: Registry.nullable().meta({
      description: "Null where the diagnosis does not turn on the delegation, or nothing is known",
    }),
    lastRunAt: timestamp.nullable(),
    nextRunAt: timestamp.nullable(),
    deadline: timestamp,
    createdAt: timestamp,
  })
  .meta({ id: "Verification" });
export type Verification = z.infer<typeof Verification>;

const outstanding = {
  diagnosis: ExplainedDiagnosis.nullable(),
  waitEstimate: WaitEstimate.nullable(),
};

export const ListedDomain = z
  .strictObject({
    ...Domain.shape,
    status: z.enum(DOMAIN_STATUSES),
    claimId: z.string().nullable(),
    verificationId: z.string().nullable(),
    claimStartedAt: timestamp.nullable(),
    claimEndedAt: timestamp.nullable(),
    ...outstanding,
  })
  .meta({ id: "ListedDomain" });
export type ListedDomain = z.infer<typeof ListedDomain>;

export const DomainList = z
  .strictObject({
    domains: z.array(ListedDomain),
    counts: DomainCounts,
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "DomainList" });
export type DomainList = z.infer<typeof DomainList>;

export const ListedClaim = z
  .strictObject({ ...Claim.shape, ...outstanding })
  .meta({ id: "ListedClaim" });
export type ListedClaim = z.infer<typeof ListedClaim>;

export const ClaimList = z
  .strictObject({ claims: z.array(ListedClaim), nextCursor: z.string().nullable() })
  .meta({ id: "ClaimList" });
export type ClaimList = z.infer<typeof ClaimList>;

export const Attempt = z
  .strictObject({
    id: z.string(),
    trigger: z.enum(TRIGGERS),
    outcome: z.enum(OUTCOMES),
    diagnosis: ExplainedDiagnosis.nullable(),
    latencyMs: z.int().min(0).nullable(),
    at: timestamp,
  })
  .meta({ id: "Attempt" });
export type Attempt = z.infer<typeof Attempt>;

export const ProofNameservers = z
  .strictObject({
    delegated: z.int().min(1).meta({ description: "Nameservers the zone is delegated to" }),
    answered: z.int().min(1).meta({ description: "Those that answered for the zone" }),
    holding: z.int().min(1).meta({ description: "Those whose answer held the token" }),
  })
  .meta({ id: "ProofNameservers" });
export type ProofNameservers = z.infer<typeof ProofNameservers>;

const proofFields = {
  slug: z.string(),
  url: z.string(),
  domain: z.string(),
  unicodeDomain: z.string(),
  heldBy: z.string(),
  token: z.string(),
  challengeHost: z.string(),
  provider: z.string().nullable(),
  nameservers: ProofNameservers.nullable().meta({
    description: "What the nameservers said at that moment; null where that is not known any more",
  }),
  provedAt: timestamp,
};

export const ProofLink = z
  .strictObject({
    ...proofFields,
    claimId: z.string(),
    standing: z.enum(["live", "revoked"]),
    issuedAt: timestamp,
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: "ProofLink" });
export type ProofLink = z.infer<typeof ProofLink>;

export const Recency = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("latest") }).meta({ id: "LatestProof" }),
    z
      .strictObject({ type: z.literal("earlier"), latestProvedAt: timestamp })
      .meta({ id: "EarlierProof" }),
  ])
  .meta({ id: "Recency" });

export const PublishedProof = z
  .strictObject({ ...proofFields, recency: Recency })
  .meta({ id: "PublishedProof" });
export type PublishedProof = z.infer<typeof PublishedProof>;

const ReceiptChain = z
  .strictObject({ chain: z.string().meta({ description: "Base64" }) })
  .meta({ id: "ReceiptChain" });

export const Receipt = z
  .strictObject({
    format: z.literal("deed-receipt/1"),
    statement: z.string().meta({ description: "A compact JWS (RFC 7515)" }),
    dnssec: ReceiptChain.nullable().meta({
      description: "Null unless the statement says `secure`",
    }),
    log: z.null(),
  })
  .meta({ id: "Receipt" });

export const Opening = z
  .strictObject({
    opening: z.string().length(22).meta({ description: "16 octets, base64url" }),
  })
  .meta({ id: "Opening" });

export const Evidence = z
  .looseObject({})
  .meta({ id: "Evidence", description: "What a read saw; its members may grow" });

const handoffFields = {
  slug: z.string(),
  url: z.string(),
  claimId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.meta({
    description: "When the claim, and the page with it, ends at latest",
  }),
};

export const Handoff = z.strictObject(handoffFields).meta({ id: "Handoff" });
export type Handoff = z.infer<typeof Handoff>;

export const RevokedHandoff = z
  .strictObject({ ...handoffFields, revokedAt: timestamp })
  .meta({ id: "RevokedHandoff" });
export type RevokedHandoff = z.infer<typeof RevokedHandoff>;

export const WayBack = z
  .strictObject({
    host: z.string(),
    url: z.string().meta({ description: "Leads there, while it may" }),
  })
  .meta({ id: "WayBack" });
export type WayBack = z.infer<typeof WayBack>;

export const HandoffEnding = z
  .strictObject({ how: z.enum(["proved", "expired", "canceled", "revoked"]), at: timestamp })
  .meta({ id: "HandoffEnding" });

export const SharedRecord = z
  .strictObject({
    domain: z.string(),
    unicodeDomain: z.string(),
    title: z.string().nullable().meta({ description: "In the asker's words" }),
    requestedFor: z
      .string()
      .nullable()
      .meta({ description: "Whom the record is for, in the asker's words" }),
    askedBy: z.string().meta({
      description: "The asker's address: masked, unless they let the page show it",
    }),
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
  })
  .meta({ id: "SharedRecord" });
export type SharedRecord = z.infer<typeof SharedRecord>;

export const ProofWatch = z
  .strictObject({
    domain: z.string(),
    state: z.enum(WATCH_STATES).meta({
      description:
        "`published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: the zone's nameservers are all others; `gone`: the registry lists none",
    }),
    seenAt: timestamp.meta({ description: "The last read that found it; at first the proof" }),
    missingSince: timestamp.nullable().meta({ description: "Null while it is `published`" }),
    checkedAt: timestamp.nullable().meta({
      description: "The last read with a definite result, outages left out; null before the first",
    }),
  })
  .meta({ id: "ProofWatch" });
export type ProofWatch = z.infer<typeof ProofWatch>;

const { domain: _, ...watchShape } = ProofWatch.shape;
export const Watch = z
  .strictObject({ claimId: z.string(), ...watchShape, startedAt: timestamp })
  .meta({ id: "Watch" });
export type Watch = z.infer<typeof Watch>;

export const Notice = z
  .strictObject({
    id: z.string(),
    kind: z.enum(NOTICE_KINDS),
    domainId: z.string(),
    claimId: z.string(),
    createdAt: timestamp,
    readAt: timestamp.nullable(),
  })
  .meta({ id: "Notice" });
export type Notice = z.infer<typeof Notice>;

export const NoticeList = z
  .strictObject({ notices: z.array(Notice), nextCursor: z.string().nullable() })
  .meta({ id: "NoticeList" });
export type NoticeList = z.infer<typeof NoticeList>;

export const DelegationFrame = z
  .strictObject({
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
  })
  .meta({ id: "DelegationFrame" });
export type DelegationFrame = z.infer<typeof DelegationFrame>;

export const PublishingFrame = z
  .strictObject({
    step: z.literal("publishing"),
    publishingMinutes: z.int().min(0).nullable(),
    negativeCacheTtlSeconds: seconds.nullable(),
  })
  .meta({ id: "PublishingFrame" });
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

export const StreamReset = z.strictObject({ type: z.literal("reset") }).meta({
  id: "StreamReset",
  description: "What moved meanwhile is not known: read the lists again.",
});

const Person = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    isFirst: z.boolean().meta({ description: "The account's own address, which its proofs name" }),
    isYou: z.boolean().meta({ description: "The address this request is signed in with" }),
    createdAt: timestamp,
    lastSeenAt: timestamp.nullable().meta({ description: "To the hour; null before the first" }),
  })
  .meta({ id: "Person" });

export const Invitation = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    invitedBy: z.string().meta({ description: "The address of who sent it" }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

export const PeopleList = z
  .strictObject({ people: z.array(Person), invitations: z.array(Invitation) })
  .meta({ id: "PeopleList" });
export type PeopleList = z.infer<typeof PeopleList>;

export const Scope = z.enum(SCOPES).meta({ id: "Scope", description: "What an API key may do" });
export type Scope = z.infer<typeof Scope>;

export const ApiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    addresses: z
      .array(z.string())
      .meta({ description: "Addresses and CIDRs that may use it; any address if empty" }),
    createdBy: z.string().meta({
      description:
        "The address of who created it or rotated it last; the key ends when they leave the account",
    }),
    createdAt: timestamp,
    rotatedAt: timestamp.nullable(),
    previousUntil: timestamp
      .nullable()
      .meta({ description: "Until when the key from before the last rotation still works" }),
    expiresAt: timestamp.nullable().meta({ description: "Null: never" }),
    lastUsedAt: timestamp
      .nullable()
      .meta({ description: "To the hour; of another address to the minute" }),
    lastUsedFrom: z.string().nullable().meta({ description: "The client's address" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;
