import type { App } from "#app/http/app.server.ts";
import { accountForEmail } from "#app/services/accounts/accounts.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { parseAddress } from "./address.ts";
import { authenticator, EMAIL_LINK } from "./authenticator.server.ts";
import { callbackPath } from "./callback-path.ts";
import { rememberBrowser } from "./known-browser.server.ts";
import { isCode } from "./secrets.server.ts";
import { startSession, userAgentOf } from "./session.server.ts";
import { consumeMailBudget } from "./sign-in-budgets.server.ts";
import { consumeCode, consumeToken, type ProvedAddress } from "./sign-in-links.server.ts";
import type { SignInResult } from "./sign-in-result.ts";
import { askedHere, tieToBrowser } from "./sign-in-state.server.ts";

const SENT = "/sign-in/sent";

/**
 * Mails a sign-in link and code to the address, whether an account has it or not: no account is looked up.
 * `client` is the address that asks, `cookie` the Set-Cookie value without which the code is refused.
 * Throws invalid_request where the address is none, rate_limited.
 */
export async function startMagicLink(
  app: App,
  request: Request,
  client: string,
  asked: { email: string; callbackPath?: string | undefined },
): Promise<{ cookie: string }> {
  const email = parseAddress(asked.email);
  if (!email) {
    throw new DeedError("invalid_request", { message: 'The field "email" is not a mail address.' });
  }
  await consumeMailBudget(app, request, client, email);
  const { browserHash, cookie } = await tieToBrowser(app, request, email);
  const { baseUrl } = app.settings;
  const start = new Request(new URL("/sign-in", baseUrl), {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      // For the link that the strategy makes and nobody gets; without a host it refuses to start.
      "X-Forwarded-Host": new URL(baseUrl).host,
    },
    body: String(
      new URLSearchParams({
        email,
        callbackPath: callbackPath(baseUrl, asked.callbackPath),
        browserHash,
      }),
    ),
  });
  try {
    await (await authenticator(app)).authenticate(EMAIL_LINK, start, { successRedirect: SENT });
  } catch (thrown) {
    if (!(thrown instanceof Response && thrown.headers.get("Location") === SENT)) throw thrown;
  }
  return { cookie };
}

/** What was mailed: the link's token, or the code with the address it went to. */
export type MailedProof = { token: string } | { email: string; code: string };

/**
 * Signs in whoever holds what was mailed, creating the account at its first sign-in. `cookies` are the
 * Set-Cookie values of the answer, the session's first. Throws invalid_sign_in, always the same, for a token
 * or code that is wrong, used or past its time and for a code in another browser than asked for it.
 */
export async function finishMagicLink(
  app: App,
  request: Request,
  proof: MailedProof,
): Promise<SignInResult & { cookies: string[] }> {
  const by = "token" in proof ? "link" : "code";
  const proved = await consume(app, request, proof);
  if (!proved) {
    app.log.warn({ by }, "sign-in refused");
    throw new DeedError("invalid_sign_in");
  }
  const account = await accountForEmail(app, proved.email);
  app.log.info({ by, account: account.id }, "signed in");
  const { cookie } = await startSession(app, request, account.id, by);
  const cookies = [cookie, rememberBrowser(app, request, account.email)];
  return { account, callbackPath: proved.callbackPath, cookies };
}

async function consume(
  app: App,
  request: Request,
  proof: MailedProof,
): Promise<ProvedAddress | null> {
  if ("token" in proof) return consumeToken(app, proof.token);
  const email = parseAddress(proof.email);
  const code = proof.code.replace(/\s/g, "");
  const asked = await askedHere(app, request);
  if (!email || !isCode(code) || !asked) return null;
  const { browserHash } = asked;
  return consumeCode(app, { email, browserHash, code, userAgent: userAgentOf(request) });
}
