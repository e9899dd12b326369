import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";

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
  invitedBy: z.string().describe("The address of the person who sent it"),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const PeopleList = object("PeopleList", {
  people: z.array(Person),
  invitations: z.array(Invitation),
});
export type PeopleList = z.infer<typeof PeopleList>;
