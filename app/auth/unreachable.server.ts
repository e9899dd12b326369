import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Env } from "#app/env.server.ts";
import type { Log } from "#app/services/context.server.ts";
import { schemeProblem, smtpTransport } from "./mail.server.ts";
import { discoverProvider } from "./oidc-client.server.ts";

/** Time limits of a check, in milliseconds. */
const TIMES = { connectMs: 10_000, answerMs: 20_000 };

/** A mail server's own words may repeat the login; of those only the codes are logged. */
function reasonOf(error: unknown): string {
  const { code, responseCode, message } = error as SMTPConnection.SMTPError;
  return responseCode ? `${code} ${responseCode}` : (schemeProblem(error) ?? message);
}

async function warnUnless(
  work: () => Promise<unknown>,
  log: Log,
  warning: { warning: string; variable: string },
  message: string,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ ...warning, reason: reasonOf(error) }, message);
  }
}

/** Asks the mail server and the identity provider for a sign of life, and logs a warning for each that gives none. */
export async function warnOfUnreachable(env: Env, log: Log): Promise<void> {
  const { SMTP_URL, OIDC_ISSUER } = env;
  await Promise.all([
    SMTP_URL &&
      warnUnless(
        () => smtpTransport(SMTP_URL, TIMES).verify(),
        log,
        { warning: "smtp_unreachable", variable: "SMTP_URL" },
        "the mail server of SMTP_URL cannot be used now: mails wait until it can",
      ),
    OIDC_ISSUER &&
      warnUnless(
        () => discoverProvider(env),
        log,
        { warning: "oidc_unreachable", variable: "OIDC_ISSUER" },
        "the identity provider of OIDC_ISSUER cannot be reached now: people can sign in by mail only",
      ),
  ]);
}
