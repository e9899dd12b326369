import * as z from "zod";
import { endSessionById, listSessions } from "#app/auth/session.server.ts";
import { clearedSessionCookie } from "#app/auth/session-cookie.server.ts";
import { deleteAccount, readAccount, setMailEnabled } from "#app/services/accounts.server.ts";
import type { Context } from "#app/services/context.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { defineEndpoint, reply } from "./endpoint.server.ts";
import { Id } from "./inputs.ts";

const group = "Account";
const timestamp = z.iso.datetime({ precision: 3 });
const iso = (at: number) => new Date(at).toISOString();

const AccountResource = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    mailEnabled: z.boolean().meta({ description: "Whether notices are mailed" }),
    createdAt: timestamp,
  })
  .meta({ id: "Account" });

const SessionResource = z
  .strictObject({
    id: z.string(),
    current: z.boolean().meta({ description: "The session this request came with" }),
    userAgent: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({ description: "To the hour" }),
    expiresAt: timestamp,
  })
  .meta({ id: "Session" });

function shownAccount(ctx: Context, accountId: string) {
  const account = readAccount(ctx, accountId);
  // Erased since the session was read.
  if (!account) throw new DeedError("unauthenticated");
  return { ...account, createdAt: iso(account.createdAt) };
}

export const showAccount = defineEndpoint({
  method: "GET",
  path: "/api/account",
  group,
  summary: "Read the account",
  session: true,
  response: { 200: AccountResource },
  errors: [],
  handler: ({ app, session }) => reply(200, shownAccount(app, session.accountId)),
});

export const changeAccount = defineEndpoint({
  method: "PATCH",
  path: "/api/account",
  group,
  summary: "Switch notice mails on or off",
  session: true,
  body: z.strictObject({ mailEnabled: z.boolean() }),
  response: { 200: AccountResource },
  errors: [],
  async handler({ app, session, body }) {
    await setMailEnabled(app, session.accountId, body.mailEnabled);
    return reply(200, shownAccount(app, session.accountId));
  },
});

export const eraseAccount = defineEndpoint({
  method: "DELETE",
  path: "/api/account",
  group,
  summary: "Erase the account with everything it owns",
  description: "Domains, claims, notices and sessions go; its proof links stop resolving.",
  session: true,
  response: { 204: null },
  errors: [],
  async handler({ app, session, headers }) {
    await deleteAccount(app, session.accountId);
    headers.append("Set-Cookie", clearedSessionCookie(app.env));
    return reply(204, null);
  },
});

export const browseSessions = defineEndpoint({
  method: "GET",
  path: "/api/account/sessions",
  group,
  summary: "List the sessions, last used first",
  session: true,
  response: { 200: z.strictObject({ sessions: z.array(SessionResource) }) },
  errors: [],
  handler: ({ app, session }) =>
    reply(200, {
      sessions: listSessions(app, session.accountId).map((one) => ({
        id: one.id,
        current: one.id === session.id,
        userAgent: one.userAgent,
        createdAt: iso(one.createdAt),
        lastUsedAt: iso(one.lastUsedAt),
        expiresAt: iso(one.expiresAt),
      })),
    }),
});

export const endOneSession = defineEndpoint({
  method: "DELETE",
  path: "/api/account/sessions/:id",
  group,
  summary: "End one session",
  session: true,
  params: z.strictObject({ id: Id }),
  response: { 204: null },
  errors: ["session_not_found"],
  async handler({ app, session, params }) {
    await endSessionById(app, session.accountId, params.id);
    return reply(204, null);
  },
});

export const accountEndpoints = [
  showAccount,
  changeAccount,
  eraseAccount,
  browseSessions,
  endOneSession,
];
