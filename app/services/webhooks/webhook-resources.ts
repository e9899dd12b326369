/** Webhooks and their deliveries as the API shows them. */
import * as z from "zod";
import { DELIVERY_STATES, WEBHOOK_ENDS, WEBHOOK_EVENTS } from "#db/schema.ts";

const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "ISO 8601, UTC, milliseconds" });

export const EventName = z.enum(WEBHOOK_EVENTS).meta({ id: "WebhookEvent" });

const webhookFields = {
  id: z.string(),
  url: z.string(),
  events: z.array(EventName),
  disabledBecause: z.enum(WEBHOOK_ENDS).nullable().meta({
    description:
      "Why it gets no events: `holder` (switched off), `gone` (it answered 410), `failing` (a delivery failed for three days), `person_left` (a person who set it up left the account); null while it gets them",
  }),
  disabledAt: timestamp.nullable(),
  previousSecretUntil: timestamp.nullable().meta({
    description: "Until when posts are signed with the secret before the last rotation too",
  }),
  createdAt: timestamp,
};

export const Webhook = z.strictObject(webhookFields).meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .strictObject({
    ...webhookFields,
    secret: z.string().meta({ description: "`whsec_` and base64; no other answer has it" }),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookList = z
  .strictObject({ webhooks: z.array(Webhook) })
  .meta({ id: "WebhookList" });

const deliveryFields = {
  id: z.string(),
  messageId: z.string().meta({ description: "What `webhook-id` says" }),
  type: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int().min(0),
  createdAt: timestamp,
  triedAt: timestamp.nullable(),
  nextTryAt: timestamp
    .nullable()
    .meta({ description: "Null once it ended, and while it waits for another about its domain" }),
  status: z.int().nullable().meta({ description: "The status of the last answer" }),
  reason: z.string().nullable().meta({ description: "Why there was no answer, else null" }),
  answer: z.string().nullable().meta({ description: "The beginning of the last answer" }),
  latencyMs: z.int().min(0).nullable(),
};

export const Delivery = z.strictObject(deliveryFields).meta({ id: "Delivery" });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = z
  .strictObject({ ...deliveryFields, body: z.string().meta({ description: "What is posted" }) })
  .meta({ id: "DeliveryDetail" });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const DeliveryList = z
  .strictObject({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
  .meta({ id: "DeliveryList" });
export type DeliveryList = z.infer<typeof DeliveryList>;
