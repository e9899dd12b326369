import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object, Scope } from "#app/core/resources.ts";

export const ApiKey = object("ApiKey", {
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  addresses: z
    .array(z.string())
    .describe("Addresses and CIDRs that may use it; any address if empty"),
  createdBy: z.string().meta({
    description:
      "The address of the person who created it or last rotated it; the key ends when they leave the account",
  }),
  createdAt: timestamp,
  rotatedAt: timestamp.nullable(),
  previousUntil: timestamp
    .nullable()
    .describe("When the key from before the last rotation stops working"),
  expiresAt: timestamp.nullable().describe("Null: never"),
  lastUsedAt: timestamp
    .nullable()
    .describe("The last use, noted once an hour, or once a minute from another address"),
  lastUsedFrom: z.string().nullable().describe("The client's address"),
});
export type ApiKey = z.infer<typeof ApiKey>;
