import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { EmailInput } from "#app/api/inputs.ts";
import * as accounts from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, invalidField, orThrow } from "#app/core/errors.server.ts";
import { parseAddress } from "#app/core/names/address.ts";
import { object } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { clearSession } from "#app/features/sign-in/api.server.ts";
import { forgetBrowser } from "#app/http/caller/cookies.server.ts";
import { endSessionById, listSessions } from "#app/http/caller/session-end.server.ts";

const accountDefaults = { group: "Account", session: true } as const;
const timestamp = z.iso.datetime({ precision: 3 });

const AccountResource = object("Account", {
  id: z.string(),
  email: z.string().describe("The account's first address, which proofs show masked"),
  mailEnabled: z.boolean().describe("Whether notices are emailed to the person who is signed in"),
  createdAt: timestamp,
});

const SessionResource = object("Session", {
  id: z.string(),
  current: z.boolean().describe("The session this request came with"),
  userAgent: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.describe("To the hour"),
  expiresAt: timestamp,
});

function accountResource(ctx: Context, personId: string) {
  // Since the session was read, the account may have been deleted, or the person removed.
  const account = orThrow(accounts.readAccount(ctx, personId), "unauthenticated");
  const { id, email, createdAt, person } = account;
  return { id, email, mailEnabled: person.mailEnabled, createdAt: iso(createdAt) };
}

export const accountEndpoints = {
  getAccount: defineEndpoint("GET /api/account", {
    ...accountDefaults,
    summary: "Read the account",
    response: { 200: AccountResource },
    handler: ({ app, session }) => accountResource(app, session.personId),
  }),
  updateAccount: defineEndpoint("PATCH /api/account", {
    ...accountDefaults,
    summary: "Turn notice emails on or off",
    body: z.strictObject({ mailEnabled: z.boolean() }),
    response: { 200: AccountResource },
    async handler({ app, session, body }) {
      await accounts.setMailEnabled(app, session, body.mailEnabled);
      return accountResource(app, session.personId);
    },
  }),
  deleteAccount: defineEndpoint("DELETE /api/account", {
    ...accountDefaults,
    summary: "Erase the account with everything it owns",
    description:
      "Erases domains, claims, notices, people and sessions. Its proof links stop working, and its event streams end. Only the account's first address can do this.",
    body: z.strictObject({ email: EmailInput.describe("The account's address, to confirm") }),
    response: { 204: null },
    errors: ["not_first_address"],
    async handler({ app, request, session, body, headers }) {
      if (accountResource(app, session.personId).email !== session.email)
        throw new DeedError("not_first_address");
      if (parseAddress(body.email) !== session.email)
        throw invalidField("email", "is not the address of this account");
      await accounts.deleteAccount(app, session.accountId);
      await clearSession(app, headers);
      headers.append("Set-Cookie", await forgetBrowser(app, request, session.email));
    },
  }),
  browseSessions: defineEndpoint("GET /api/account/sessions", {
    ...accountDefaults,
    summary: "List the sessions of the address that is signed in, last used first",
    response: { 200: z.strictObject({ sessions: z.array(SessionResource) }) },
    handler: ({ app, session }) => ({ sessions: listSessions(app, session.personId, session.id) }),
  }),
  endSession: defineEndpoint("DELETE /api/account/sessions/:id", {
    ...accountDefaults,
    summary: "End one session",
    description: "If it is this one, the answer removes the cookie from the browser.",
    response: { 204: null },
    errors: ["session_not_found"],
    async handler({ app, session, params, headers }) {
      await endSessionById(app, session, params.id);
      if (params.id === session.id) await clearSession(app, headers);
    },
  }),
};
