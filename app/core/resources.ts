/** Services return these values, the API sends them unchanged, and OpenAPI describes them. */

import * as z from "zod";
import { FEED_TYPES, SCOPES } from "#db/schema.ts";

export const object = <S extends z.ZodRawShape>(id: string, shape: S, description?: string) =>
  z.strictObject(shape).meta({ id, ...(description && { description }) });

export const reference = z
  .string()
  .nullable()
  .describe("The account's own id for the customer that the domain is for, or null");

export const AccountEvent = z
  .object({ type: z.enum(FEED_TYPES) })
  .catchall(z.string())
  .meta({ id: "AccountEvent", description: "What changed: the ids, without any state." });

const ListedEvent = AccountEvent.extend({ id: z.string() }).meta({ id: "ListedEvent" });

export const EventList = object("EventList", {
  events: z.array(ListedEvent),
  nextCursor: z.string().describe("The next `after`; never null, because more changes may follow"),
  reset: z.boolean().describe("Changes may have been missed: read the lists again"),
});
export type EventList = z.infer<typeof EventList>;

export const StreamReset = object(
  "StreamReset",
  { type: z.literal("reset") },
  "Changes may have been missed: read the lists again.",
);

export const Scope = z.enum(SCOPES).meta({ id: "Scope", description: "What an API key may do" });
export type Scope = z.infer<typeof Scope>;
