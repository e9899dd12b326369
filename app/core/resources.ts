/**
 * The resources of the contract are zod schemas, with the types inferred from them. Services return these values, the API
 * sends them unchanged, and OpenAPI describes them. Those of a feature are in its `resources.ts`.
 */

import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { FEED_TYPES, NOTICE_KINDS, SCOPES } from "#db/schema.ts";

/** A resource, under its name in OpenAPI. */
export const object = <S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.strictObject(shape).meta({ id, ...(description && { description }) });

export const reference = z
  .string()
  .nullable()
  .describe("The account's own id of whom the domain is for; null for none");

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
