import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { plainText } from "#app/api/inputs.ts";
import { invalidField } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { object, Scope } from "#app/core/resources.ts";
import { networkText, newKey, worldOfKey } from "#app/http/caller/api-key.server.ts";
import * as keys from "./keys.server.ts";
import { ApiKey } from "./resources.ts";

const keyDefaults = { group: "API keys", session: true } as const;

export const MAX_NAME = 80;
export const MAX_ADDRESSES = 20;

const WebhookUrl = z.strictObject({ id: z.string(), url: z.string() });

/** The name is not "NewApiKey", because in Go that would be ApiKey's constructor. */
const IssuedApiKey = object("IssuedApiKey", {
  ...ApiKey.shape,
  key: z.string().describe("What to send after `Bearer`. Shown in this answer only"),
});

const KeyFields = z.strictObject({
  name: plainText(MAX_NAME).min(1, "give it a name").describe("A name that says what uses the key"),
  scopes: z
    .array(Scope)
    .min(1, "at least one scope")
    .refine((scopes) => new Set(scopes).size === scopes.length, "each scope once")
    .describe("No scope includes another. `gate:ask` must be the only scope, except in a test key"),
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) < Date.UTC(10_000, 0), "before the year 10000")
    .nullable()
    .default(null)
    .describe("When it stops working; null: never"),
  addresses: z
    .array(
      z
        .string()
        .refine((text) => networkText(text) !== null, "an IP address or a CIDR")
        .meta({ minLength: 2, pattern: "^[0-9A-Fa-f:./\\s]*[.:][0-9A-Fa-f:./\\s]*$" }),
    )
    .max(MAX_ADDRESSES, `at most ${MAX_ADDRESSES}`)
    .default([])
    .describe("IP addresses and CIDRs that may use it; any address if empty"),
  test: z.boolean().default(false).describe("Whether the key works only in test mode"),
});

export const keyEndpoints = {
  browseKeys: defineEndpoint("GET /api/keys", {
    ...keyDefaults,
    summary: "List the account's API keys, newest first",
    description: "Without the keys themselves, which are shown once.",
    response: { 200: z.strictObject({ keys: z.array(ApiKey) }) },
    handler: ({ app, session }) => ({ keys: keys.listKeys(app, session.accountId) }),
  }),
  createKey: defineEndpoint("POST /api/keys", {
    ...keyDefaults,
    summary: "Create an API key",
    description:
      "Only this answer has the key. An account can have twenty keys and create forty an hour.",
    body: KeyFields,
    response: { 201: IssuedApiKey },
    errors: ["too_many_keys"],
    async handler({ app, session, body }) {
      const { test, ...given } = body;
      // A gate's key is in an address, which proxies log.
      if (body.scopes.includes("gate:ask") && body.scopes.length > 1 && !test)
        throw invalidField(
          "scopes",
          "has gate:ask, which must be the only scope except in a test key",
        );
      const id = newId(test ? "test" : "key", app.clock());
      const { key, secretHash } = newKey(app, id);
      const addresses = [...new Set(body.addresses.flatMap((text) => networkText(text) ?? []))];
      const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt);
      const fields = { ...given, id, addresses, expiresAt, secretHash };
      return { ...(await keys.createKey(app, session, fields)), key };
    },
  }),
  rotateKey: defineEndpoint("POST /api/keys/:id/rotate", {
    ...keyDefaults,
    summary: "Replace an API key, and keep its id and scopes",
    description: `Only this answer has the new key. The old key keeps working for ${keys.OVERLAP_HOURS} hours, or until it expires (\`previousUntil\`); a key from before an earlier rotation stops at once. \`expiresAt\` does not change. If a key may have leaked, revoke it.`,
    response: { 200: IssuedApiKey },
    isAddition: true,
    errors: ["key_not_found"],
    async handler({ app, session, params }) {
      const { key, secretHash } = newKey(app, params.id);
      const world = await worldOfKey(app, session.accountId, params.id);
      return { ...(await keys.rotateKey(app, session, params.id, secretHash, world)), key };
    },
  }),
  revokeKey: defineEndpoint("DELETE /api/keys/:id", {
    ...keyDefaults,
    summary: "Revoke an API key",
    description:
      "It stops working at once, and the event streams that it opened end. A webhook is disabled (`key_revoked`) if this key was the last to choose its address or to be shown its secret. An email lists these webhooks. Their events are kept for a week, and sent automatically if the webhook is enabled within a day.",
    response: { 200: object("RevokedApiKey", { disabledWebhooks: z.array(WebhookUrl) }) },
    errors: ["key_not_found"],
    async handler({ app, session, params: { id } }) {
      const world = await worldOfKey(app, session.accountId, id);
      const disabledWebhooks = await keys.revokeKey(app, session, id, world);
      world.test?.reset();
      return { disabledWebhooks };
    },
  }),
};
