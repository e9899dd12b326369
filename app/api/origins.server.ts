import * as z from "zod";
import { listOrigins, MAX_ORIGINS, setOrigins } from "#app/services/accounts/origins.server.ts";
import { defineEndpoint, reply } from "./endpoint.server.ts";

const group = "Account";

const OriginList = z
  .strictObject({ origins: z.array(z.string()).meta({ description: "In alphabetical order" }) })
  .meta({ id: "OriginList" });

export const browseOrigins = defineEndpoint({
  method: "GET",
  path: "/api/account/origins",
  group,
  summary: "List the account's registered origins",
  description: "The applications that hand-off pages may lead back to and be embedded in.",
  session: true,
  response: { 200: OriginList },
  handler: ({ app, session }) => reply(200, { origins: listOrigins(app, session.accountId) }),
});

export const replaceOrigins = defineEndpoint({
  method: "PUT",
  path: "/api/account/origins",
  group,
  summary: "Replace the account's registered origins",
  description:
    "An origin is https:// and a host name, with a port if it is not 443, as https://app.example.com. What is left out ends at once: hand-off pages no longer lead there or open inside its pages.",
  session: true,
  body: z.strictObject({
    origins: z
      .array(z.string().min(1).max(300))
      .max(MAX_ORIGINS, `at most ${MAX_ORIGINS}`)
      .meta({ description: "The whole list; empty for none" }),
  }),
  response: { 200: OriginList },
  handler: async ({ app, session, body }) =>
    reply(200, { origins: await setOrigins(app, session, body.origins) }),
});

export const originEndpoints = [browseOrigins, replaceOrigins];
