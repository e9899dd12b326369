import { seconds, timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { PROVIDERS, WAIT_REASONS } from "#db/schema.ts";
import { RECORD_TYPES } from "./pasted-record.ts";

const nullableText = z.string().nullable();

const CheckedServer = object("CheckedServer", {
  name: z.string().describe("A nameserver's host, or a resolver's name"),
  hasRecord: z.boolean().nullable().describe("Null if it gave no answer"),
  values: z.array(z.string()),
  says: z.string().describe("Follows the name in a sentence, such as “has no TXT there”"),
});

export const RecordCheck = object("RecordCheck", {
  name: z.string(),
  type: z.enum(RECORD_TYPES),
  value: z.string(),
  outcome: z.enum(["found", "absent"]),
  code: nullableText.describe(
    "What is wrong: a code of a diagnosis, or `alias_elsewhere`, `wrong_type`, `flattened` or `proxied`; more may be added",
  ),
  awaits: nullableText.describe("Who must act, as in a diagnosis"),
  cause: nullableText,
  fix: nullableText.describe("The one thing to change, in the words of the DNS host's panel"),
  wait: object("CheckWait", { reason: z.enum(WAIT_REASONS), secondsRemaining: seconds })
    .nullable()
    .describe("There is nothing to do but wait"),
  nearest: nullableText.describe("The value at the name that is most like the wanted value"),
  others: z.int().min(0).describe("How many other values the name has"),
  aliases: z.array(object("CheckedAlias", { name: z.string(), target: z.string() })),
  zone: nullableText.describe("Null if nothing is delegated, or the read did not get that far"),
  provider: z.enum(PROVIDERS).nullable(),
  nameservers: z.array(CheckedServer),
  resolvers: z.array(CheckedServer).describe("Empty until every nameserver has the record"),
  vendor: object("RecordVendor", {
    name: z.string(),
    page: z.string().describe("The vendor's own page about the record"),
    next: nullableText.describe(
      "What the vendor does once the record is published; null if not documented",
    ),
  })
    .nullable()
    .describe("The vendor that the record is for, judged by its host or form"),
  checkedAt: timestamp,
});
export type RecordCheck = z.infer<typeof RecordCheck>;
