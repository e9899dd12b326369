import type { App } from "#app/http/app.server.ts";
import { accountForEmail } from "#app/services/accounts/accounts.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { parseAddress } from "./address.ts";
import { authenticator, EMAIL_LINK } from "./authenticator.server.ts";
import { safeCallbackPath } from "./callback-path.ts";
import { rememberBrowser } from "./known-browser.server.ts";
import { loggingRefusal, SignInRefused } from "./refusal.server.ts";
import { isCode } from "./secrets.server.ts";
import { startSession, userAgentOf } from "./session.server.ts";
import { consumeMailBudgets } from "./sign-in-budgets.server.ts";
import { type Consumed, consumeCode, consumeToken } from "./sign-in-links.server.ts";
import { bindToBrowser, pendingSignIn, type SignInResult } from "./sign-in-state.server.ts";

const SENT = "/sign-in/sent";

/**
 * Mails a sign-in link and code to the address, if it may sign in. The answer and the time it takes are the same for
 * all addresses. `client` is the requesting address. `cookie` is a Set-Cookie value; the code works only with it. Throws
 * invalid_request if the address is invalid, rate_limited.
 */
export async function startMagicLink(
  app: App,
  request: Request,
  client: string,
  input: { email: string; callbackPath?: string | undefined },
): Promise<{ cookie: string }> {
  const email = parseAddress(input.email);
  if (!email) {
    throw new DeedError("invalid_request", {
      message: 'The field "email" is not an email address.',
    });
  }
  await loggingRefusal(app, client, "mail", () => consumeMailBudgets(app, request, client, email));
  const { browserHash, cookie } = await bindToBrowser(app, request, email);
  const { baseUrl } = app.settings;
  // remix-auth takes forms only, and the API takes JSON: this is the form that a plain Remix app would have posted.
  const start = new Request(new URL("/sign-in", baseUrl), {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      // The strategy refuses to start without a host, though the link it builds is never sent.
      "X-Forwarded-Host": new URL(baseUrl).host,
    },
    body: String(
      new URLSearchParams({
        email,
        callbackPath: safeCallbackPath(baseUrl, input.callbackPath),
        browserHash,
        client,
      }),
    ),
  });
  try {
    await (await authenticator(app)).authenticate(EMAIL_LINK, start, {
      successRedirect: SENT,
    });
  } catch (thrown) {
    if (!(thrown instanceof Response && thrown.headers.get("Location") === SENT)) throw thrown;
  }
  return { cookie };
}

/** What was mailed: the link's token, or the code with the address it was sent to. */
export type MailedCredential = { token: string } | { email: string; code: string };

/**
 * Signs in the holder of a mailed token or code, creating the account on its first sign-in. `client` is the requesting
 * address; `cookies` are the response's Set-Cookie values, the session's first. Throws the same invalid_sign_in for a
 * token or code that is wrong, used or expired, and for a code entered in another browser than the one that requested
 * it; the log has the reason.
 */
export async function finishMagicLink(
  app: App,
  request: Request,
  client: string,
  credential: MailedCredential,
): Promise<SignInResult & { cookies: string[] }> {
  const by = "token" in credential ? "link" : "code";
  return loggingRefusal(app, client, by, async () => {
    const consumed = await consume(app, request, credential);
    if ("refused" in consumed) throw new SignInRefused(consumed.refused);
    const account = await accountForEmail(app, consumed.email);
    app.log.info({ by, account: account.id }, "signed in");
    const { cookie } = await startSession(app, request, account.person.id, by);
    const cookies = [cookie, await rememberBrowser(app, request, account.person.email)];
    return { account, callbackPath: consumed.callbackPath, cookies };
  });
}

async function consume(
  app: App,
  request: Request,
  credential: MailedCredential,
): Promise<Consumed> {
  if ("token" in credential) return consumeToken(app, credential.token);
  const email = parseAddress(credential.email);
  const code = credential.code.replace(/\s/g, "");
  const pending = await pendingSignIn(app, request);
  if (!pending) return { refused: "other_browser" };
  if (!email || !isCode(code)) return { refused: "wrong_code" };
  const { browserHash } = pending;
  return consumeCode(app, { email, browserHash, code, userAgent: userAgentOf(request) });
}
