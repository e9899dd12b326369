/**
 * The resources of the contract are zod schemas, with the types inferred from them. Services return these values, the API
 * sends them unchanged, and OpenAPI describes them. Those of a feature are in its `resources.ts`.
 */

import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { FEED_TYPES, NOTICE_KINDS, SCOPES, WATCH_STATES } from "#db/schema.ts";

/** A resource, under its name in OpenAPI. */
export const object = <S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.strictObject(shape).meta({ id, ...(description && { description }) });

export const reference = z
  .string()
  .nullable()
  .describe("The account's own id of whom the domain is for; null for none");

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
