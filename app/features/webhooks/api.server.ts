import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { object } from "#app/core/resources.ts";
import { WEBHOOK_KINDS } from "#db/schema.ts";
import * as webhooks from "./webhooks.server.ts";

const { EventName, Webhook } = webhooks;

const WebhookWithSecret = object("WebhookWithSecret", {
  ...Webhook.shape,
  secret: z.string().describe("`whsec_` and base64; no other answer has it"),
});

const webhookDefaults = { group: "Webhooks", session: true, byKey: "webhooks:manage" } as const;
export const webhookBase = { ...webhookDefaults, errors: ["webhook_not_found"] } as const;
const url = z.string().min(1).max(2_048).meta({
  pattern: "^\\s*[hH][tT][tT][pP][sS]?:",
  description:
    "Where events are posted: https, a public host, port 443 or one from 1024 up, without user name, password or #",
});
const options = {
  kind: z.enum(WEBHOOK_KINDS).optional(),
  events: z.array(EventName).min(1).max(EventName.options.length).optional(),
};

export const webhookEndpoints = {
  browseWebhooks: defineEndpoint("GET /api/webhooks", {
    ...webhookDefaults,
    summary: "List the webhooks of the account, oldest first",
    response: { 200: object("WebhookList", { webhooks: z.array(Webhook) }) },
    handler: ({ app, caller }) => ({ webhooks: webhooks.listWebhooks(app, caller.accountId) }),
  }),
  createWebhook: defineEndpoint("POST /api/webhooks", {
    ...webhookDefaults,
    summary: "Add a webhook",
    description:
      "An account can have ten. Posts follow Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, made with the `secret`, which only this answer has. Without `kind` the address decides: Slack, Discord and ntfy.sh get a sentence and a link in that service's format, unsigned. Without `events` the webhook gets all but `verification.ran`; a chat gets what people are notified of: proofs, mistakes and what watching finds.",
    body: z.strictObject({ url, ...options }),
    response: { 201: WebhookWithSecret },
    links: { getWebhook: "id", listDeliveries: "id" },
    errors: ["too_many_webhooks"],
    handler: ({ app, caller, body }) => webhooks.addWebhook(app, caller, body),
  }),
  getWebhook: defineEndpoint("GET /api/webhooks/:id", {
    ...webhookBase,
    summary: "Read a webhook",
    response: { 200: Webhook },
    handler: ({ app, caller, params }) => webhooks.readWebhook(app, caller.accountId, params.id),
  }),
  updateWebhook: defineEndpoint("PATCH /api/webhooks/:id", {
    ...webhookBase,
    summary: "Change, disable or enable a webhook",
    description:
      "Fields that are left out do not change. Disabling gives up pending deliveries. Events of a disabled webhook are kept for a week, 10,000 at most, and sent when you ask for it; after `key_revoked`, also automatically if you enable the webhook within a day.",
    body: z.strictObject({ url: url.optional(), ...options, enabled: z.boolean().optional() }),
    response: { 200: Webhook },
    handler: ({ app, caller, params, body }) =>
      webhooks.updateWebhook(app, caller, params.id, body),
  }),
  deleteWebhook: defineEndpoint("DELETE /api/webhooks/:id", {
    ...webhookBase,
    summary: "Delete a webhook with its deliveries",
    response: { 204: null },
    handler: ({ app, caller, params }) => webhooks.removeWebhook(app, caller, params.id),
  }),
  rotateWebhookSecret: defineEndpoint("POST /api/webhooks/:id/rotate", {
    ...webhookBase,
    summary: "Make a new secret",
    description: "For a day, posts are signed with both secrets.",
    response: { 200: WebhookWithSecret },
    isAddition: true,
    handler: ({ app, caller, params }) => webhooks.rotateSecret(app, caller, params.id),
  }),
};
