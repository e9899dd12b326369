import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Cursor, Id, PageSize } from "#app/api/inputs.ts";
import type { ErrorCode } from "#app/core/errors.server.ts";
import { DEFAULT_EVENTS } from "./events.ts";
import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  listDeliveries,
  readDelivery,
  sendAgain,
  testWebhook,
} from "./messages.server.ts";
import {
  addWebhook,
  EventName,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  Webhook,
  WebhookWithSecret,
} from "./webhooks.server.ts";

/** About all webhooks, about one, and about one of its deliveries. */
const ofAll = { path: "/api/webhooks", group: "Webhooks", session: true } as const;
const ofWebhook = {
  ...ofAll,
  path: "/api/webhooks/:id",
  params: z.strictObject({ id: Id }),
  errors: ["webhook_not_found"] as ErrorCode[],
} as const;
const ofDelivery = {
  ...ofWebhook,
  path: "/api/webhooks/:id/deliveries/:delivery",
  params: z.strictObject({ id: Id, delivery: Id }),
  errors: ["webhook_not_found", "delivery_not_found"] as ErrorCode[],
} as const;

const url = z.string().min(1).max(2_048).meta({
  description:
    "Where events are posted: https, a public host, port 443 or one from 1024 on, without user name, password or #",
});
const events = z.array(EventName).min(1).max(EventName.options.length);

export const browseWebhooks = defineEndpoint({
  ...ofAll,
  method: "GET",
  summary: "List the webhooks of the account, oldest first",
  response: {
    200: z.strictObject({ webhooks: z.array(Webhook) }).meta({ id: "WebhookList" }),
  },
  handler: ({ app, session }) => reply(200, { webhooks: listWebhooks(app, session.accountId) }),
});

export const createWebhook = defineEndpoint({
  ...ofAll,
  method: "POST",
  summary: "Add a webhook",
  description:
    "An account has ten at most. Posts follow Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, made with the `secret` of this answer, which no other answer has. Without `events` it gets all but `verification.ran`.",
  body: z.strictObject({ url, events: events.default(DEFAULT_EVENTS) }),
  response: { 201: WebhookWithSecret },
  errors: ["too_many_webhooks"],
  handler: async ({ app, session, body }) => reply(201, await addWebhook(app, session, body)),
});

export const showWebhook = defineEndpoint({
  ...ofWebhook,
  method: "GET",
  summary: "Read a webhook",
  response: { 200: Webhook },
  handler: ({ app, session, params }) => reply(200, readWebhook(app, session.accountId, params.id)),
});

export const changeWebhook = defineEndpoint({
  ...ofWebhook,
  method: "PATCH",
  summary: "Change, disable or enable a webhook",
  description:
    "What is left out stays. Disabling gives up what is pending, and events are not kept for a disabled webhook; deliveries of the last week can be sent again by hand.",
  body: z.strictObject({
    url: url.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
  }),
  response: { 200: Webhook },
  handler: async ({ app, session, params, body }) =>
    reply(200, await updateWebhook(app, session, params.id, body)),
});

export const deleteWebhook = defineEndpoint({
  ...ofWebhook,
  method: "DELETE",
  summary: "Delete a webhook with its deliveries",
  response: { 204: null },
  async handler({ app, session, params }) {
    await removeWebhook(app, session, params.id);
    return reply(204, null);
  },
});

export const rotateWebhook = defineEndpoint({
  ...ofWebhook,
  method: "POST",
  path: "/api/webhooks/:id/rotate",
  summary: "Make a new secret",
  description: "For a day, posts are signed with both secrets.",
  response: { 200: WebhookWithSecret },
  handler: async ({ app, session, params }) =>
    reply(200, await rotateSecret(app, session, params.id)),
});

export const tryWebhook = defineEndpoint({
  ...ofWebhook,
  method: "POST",
  path: "/api/webhooks/:id/test",
  summary: "Send a test",
  description: "Posts a `webhook.test`; its delivery shows how it is answered.",
  response: { 202: Delivery },
  errors: [...ofWebhook.errors, "webhook_disabled"],
  handler: async ({ app, session, params }) =>
    reply(202, await testWebhook(app, session.accountId, params.id)),
});

export const browseDeliveries = defineEndpoint({
  ...ofWebhook,
  method: "GET",
  path: "/api/webhooks/:id/deliveries",
  summary: "List the deliveries of the last week, newest first",
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageSize }),
  response: { 200: DeliveryList },
  handler: ({ app, session, params, query }) =>
    reply(200, listDeliveries(app, session.accountId, params.id, query)),
});

export const showDelivery = defineEndpoint({
  ...ofDelivery,
  method: "GET",
  summary: "Read a delivery, with what is posted",
  response: { 200: DeliveryDetail },
  handler: ({ app, session, params }) =>
    reply(200, readDelivery(app, session.accountId, params.id, params.delivery)),
});

export const resendDelivery = defineEndpoint({
  ...ofDelivery,
  method: "POST",
  path: "/api/webhooks/:id/deliveries/:delivery/resend",
  summary: "Send a message again",
  description:
    "The same message with the same `webhook-id`, outside the order of its domain. One that waits for its next try is sent at once.",
  response: { 202: Delivery },
  errors: [...ofDelivery.errors, "webhook_disabled"],
  handler: async ({ app, session, params }) =>
    reply(202, await sendAgain(app, session.accountId, params.id, params.delivery)),
});

export const webhookEndpoints = [
  browseWebhooks,
  createWebhook,
  showWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhook,
  tryWebhook,
  browseDeliveries,
  showDelivery,
  resendDelivery,
];
