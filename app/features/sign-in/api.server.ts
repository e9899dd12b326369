import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { EmailInput } from "#app/api/inputs.ts";
import { AccountRefused } from "#app/core/accounts/accounts.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { nameToProve } from "#app/core/names/prove-path.ts";
import { object } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { openClaim } from "#app/features/claims/claims.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { ignoreOpen, isSettled } from "#app/features/domains/form-actions.server.ts";
import type { App } from "#app/http/app.server.ts";
import { sessionCookie } from "#app/http/caller/cookies.server.ts";
import { endAllSessions, endSession } from "#app/http/caller/session-end.server.ts";
import { asAddition, chargeAccount } from "#app/http/limits.server.ts";
import { finishMagicLink, safeCallbackPath, startMagicLink } from "./magic-link.server.ts";
import * as oidc from "./oidc.server.ts";

/** Returns where a sign-in leads: if there is a domain to prove, to its page, with an open claim or the refusal. */
export async function pathAfterSignIn(
  app: App,
  { account, callbackPath }: { account: { id: string }; callbackPath: string },
): Promise<string> {
  const name = nameToProve(callbackPath);
  if (name === null) return callbackPath;
  try {
    await chargeAccount(app, account.id);
    const { domain } = await asAddition(
      app,
      { accountId: account.id },
      () => addDomain(app, account.id, name),
      ({ created }) => created,
    );
    if (isSettled(domain)) return `/domains/${domain.id}?known`;
    await openClaim(app, account.id, domain.id).catch(ignoreOpen);
    return `/domains/${domain.id}`;
  } catch (thrown) {
    if (thrown instanceof DeedError) return callbackPath;
    throw thrown;
  }
}

const signInDefaults = { group: "Signing in", session: false } as const;

/** Clears the session cookie and the page state that the browser stores (scroll positions). */
export async function clearSession({ env }: App, headers: Headers): Promise<void> {
  headers.append("Set-Cookie", await sessionCookie(env));
  headers.set("Clear-Site-Data", '"storage"');
}

const CallbackPath = z.string().optional().meta({
  description: "Where to go after signing in: a path on this origin; /domains for anything else",
});

const CurrentSession = object("CurrentSession", {
  accountId: z.string(),
  email: z.string(),
  expiresAt: z.iso.datetime({ precision: 3 }),
});

const Credential = z
  .strictObject({
    token: z.string().optional(),
    email: z.string().optional(),
    code: z.string().optional().meta({ description: "Six digits" }),
  })
  .meta({ minProperties: 1, maxProperties: 2 });

function credentialIn({ token, email, code }: z.infer<typeof Credential>) {
  if (token !== undefined && email === undefined && code === undefined) return { token };
  if (token === undefined && email !== undefined && code !== undefined) return { email, code };
  throw new DeedError("invalid_request", {
    message: "The body must have either token, or email and code.",
  });
}

export const authEndpoints = {
  getSession: defineEndpoint("GET /api/auth/session", {
    ...signInDefaults,
    summary: "Who is signed in",
    session: "optional",
    response: { 200: z.strictObject({ session: CurrentSession.nullable() }) },
    handler({ session }) {
      if (!session) return { session };
      const { accountId, email, expiresAt } = session;
      return { session: { accountId, email, expiresAt: iso(expiresAt) } };
    },
  }),
  sendMagicLink: defineEndpoint("POST /api/auth/magic-link", {
    ...signInDefaults,
    summary: "Email a sign-in link and code",
    description:
      "The answer is the same whether an account has the address or not. Link and code work once, within 15 minutes. The link works anywhere; the code only with the cookie that this answer sets.",
    budget: "mailIp",
    body: z.strictObject({ email: EmailInput, callbackPath: CallbackPath }),
    response: { 202: z.strictObject({ sent: z.literal(true) }) },
    async handler({ app, request, connection, body, headers }) {
      const { cookie } = await startMagicLink(app, request, connection.address, body);
      headers.append("Set-Cookie", cookie);
      return { sent: true as const };
    },
  }),
  verifyMagicLink: defineEndpoint("POST /api/auth/magic-link/verify", {
    ...signInDefaults,
    summary: "Sign in with the link or the code",
    description:
      "Takes either `token`, from the link, or `email` and `code` with the cookie of the answer that sent them. The answer sets the session cookie. A sign-in voids every other link and code for the address.",
    budget: "verify",
    body: Credential,
    response: {
      200: z.strictObject({
        account: z.strictObject({ id: z.string(), email: z.string() }),
        callbackPath: z.string(),
      }),
    },
    errors: ["invalid_sign_in", "rate_limited"],
    async handler({ app, request, connection, body, headers }) {
      const { address } = connection;
      const signedIn = await finishMagicLink(app, request, address, credentialIn(body));
      for (const cookie of signedIn.cookies) headers.append("Set-Cookie", cookie);
      const { account, callbackPath } = signedIn;
      return { account: { id: account.id, email: account.email }, callbackPath };
    },
  }),
  startOidc: defineEndpoint("GET /api/auth/oidc", {
    ...signInDefaults,
    summary: "Sign in at the identity provider",
    description:
      "Open it in a browser. It does not exist if the installation has no provider. A link on another site leads to the sign-in page instead, because signing in needs a click there.",
    query: z.strictObject({ callbackPath: CallbackPath }),
    response: { 302: { redirect: true } },
    errors: ["not_found", "unavailable", "rate_limited"],
    async handler({ app, request, connection, query, headers }) {
      try {
        const path = safeCallbackPath(app.settings.baseUrl, query.callbackPath);
        const site = request.headers.get("Sec-Fetch-Site");
        if (app.env.OIDC_ISSUER && (site === "cross-site" || site === "same-site"))
          return `/sign-in?next=${encodeURIComponent(path)}`;
        const start = await oidc.startOidc(app, connection.address, request, path);
        headers.append("Set-Cookie", start.cookie);
        return start.location;
      } catch (error) {
        return failurePage(request, error);
      }
    },
  }),
  finishOidc: defineEndpoint("GET /api/auth/oidc/callback", {
    ...signInDefaults,
    summary: "Return from the identity provider",
    description:
      "The provider sends the browser here. A refused sign-in is `invalid_sign_in`; a browser, which asks for HTML, gets a page that says so.",
    // The parameters are not checked here, because openid-client reads and validates them.
    query: z.looseObject({}),
    response: { 302: { redirect: true } },
    errors: ["not_found", "invalid_sign_in", "unavailable", "rate_limited"],
    async handler({ app, request, connection, url, headers }) {
      try {
        const signedIn = await oidc.finishOidc(app, connection.address, request, url);
        for (const cookie of signedIn.cookies) headers.append("Set-Cookie", cookie);
        return pathAfterSignIn(app, signedIn);
      } catch (error) {
        return failurePage(request, error);
      }
    },
  }),
  signOut: defineEndpoint("POST /api/auth/sign-out", {
    ...signInDefaults,
    summary: "End this session",
    response: { 204: null },
    async handler({ app, request, headers }) {
      await endSession(app, request);
      await clearSession(app, headers);
    },
  }),
  signOutEverywhere: defineEndpoint("POST /api/auth/sign-out-everywhere", {
    ...signInDefaults,
    summary: "End every session of the address that is signed in",
    description:
      "Links and codes that were emailed to it are void. Other people of the account stay signed in.",
    session: true,
    response: { 204: null },
    async handler({ app, session, headers }) {
      await endAllSessions(app, session);
      await clearSession(app, headers);
    },
  }),
};

/** Shows an error page to browsers, which ask for HTML; other clients get the JSON error. */
function failurePage(request: Request, error: unknown) {
  const isShownToUser = error instanceof DeedError && error.code !== "not_found";
  if (!isShownToUser || !request.headers.get("Accept")?.includes("text/html")) throw error;
  const reason = error instanceof AccountRefused ? `?reason=${error.reason}` : "";
  return reply(302, `/sign-in/failed${reason}`);
}
