import type { App } from "#app/http/app.server.ts";
import { spend } from "#app/http/limits.server.ts";
import { accountForEmail } from "#app/services/accounts.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { parseAddress } from "./address.ts";
import type { Arrival } from "./arrival.ts";
import { authenticator, EMAIL_LINK } from "./authenticator.server.ts";
import { callbackPath } from "./callback-path.ts";
import { isCode } from "./secrets.server.ts";
import { startSession } from "./session.server.ts";
import { consumeCode, consumeToken, type ProvedAddress } from "./sign-in-links.server.ts";

const SENT = "/sign-in/sent";

/**
 * Mails a sign-in link and code to the address, whether an account has it or not: no account is looked up.
 * Throws invalid_request where the address is none, rate_limited. Returns its canonical form.
 */
export async function startMagicLink(
  app: App,
  asked: { email: string; callbackPath?: string | undefined },
): Promise<{ email: string }> {
  const email = parseAddress(asked.email);
  if (!email) {
    throw new DeedError("invalid_request", { message: 'The field "email" is not a mail address.' });
  }
  await spend(app, "mailAddress", email);
  const { baseUrl } = app.settings;
  const start = new Request(new URL("/sign-in", baseUrl), {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      // For the link that the strategy makes and nobody gets; without a host it refuses to start.
      "X-Forwarded-Host": new URL(baseUrl).host,
    },
    body: String(
      new URLSearchParams({ email, callbackPath: callbackPath(baseUrl, asked.callbackPath) }),
    ),
  });
  try {
    await (await authenticator(app)).authenticate(EMAIL_LINK, start, { successRedirect: SENT });
  } catch (thrown) {
    if (!(thrown instanceof Response && thrown.headers.get("Location") === SENT)) throw thrown;
  }
  return { email };
}

/** What was mailed: the link's token, or the code with the address it went to. */
export type MailedProof = { token: string } | { email: string; code: string };

/**
 * Signs in whoever holds what was mailed, creating the account at its first sign-in. `cookie` is the
 * Set-Cookie value of the session. Throws invalid_sign_in, always the same, for a token or code that is
 * wrong, used or past its time, and rate_limited past the tries an address has, whether or not it was
 * ever mailed a code.
 */
export async function finishMagicLink(
  app: App,
  request: Request,
  proof: MailedProof,
): Promise<Arrival & { cookie: string }> {
  const by = "token" in proof ? "link" : "code";
  const proved = await consume(app, proof);
  if (!proved) {
    app.log.warn({ by }, "sign-in refused");
    throw new DeedError("invalid_sign_in");
  }
  const account = await accountForEmail(app, proved.email);
  app.log.info({ by, account: account.id }, "signed in");
  const { cookie } = await startSession(app, request, account.id);
  return { account, callbackPath: proved.callbackPath, cookie };
}

async function consume(app: App, proof: MailedProof): Promise<ProvedAddress | null> {
  if ("token" in proof) return consumeToken(app, proof.token);
  const email = parseAddress(proof.email);
  const code = proof.code.replace(/\s/g, "");
  if (!email || !isCode(code)) return null;
  await spend(app, "codeAddress", email);
  return consumeCode(app, email, code);
}
