import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Log } from "#app/core/context.server.ts";
import {
  createMailer,
  MAIL_TIMEOUTS,
  schemeProblem,
  smtpTransport,
} from "#app/core/mail/mail.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { messageOf } from "#app/environment/error-messages.ts";
import { isLoopbackHost } from "#app/environment/formats.ts";
import { askStamper } from "#app/features/receipts/stamps.server.ts";
import { discoverProvider } from "#app/features/sign-in/oidc.server.ts";
import { stamperOf } from "#app/ops/settings.server.ts";
import { about, type Finding, withAdvice } from "./finding.ts";

const { ok, warning, broken } = about("Email");
const TIMEOUTS = { connectMs: 4_000, answerMs: 5_000 };
const SILENT_LOG: Log = { debug() {}, info() {}, warn() {}, error() {} };

function adviceOn(error: unknown): string {
  const { code, message = "" } = error as SMTPConnection.SMTPError;
  if (code === "EAUTH" || code === "ENOAUTH")
    return "Correct user and password in SMTP_URL; characters such as @ and / must be percent-encoded.";
  if (code === "EDNS") return "Correct the host in SMTP_URL, or this machine's resolver.";
  if (code === "ETLS" || /certificate|self.signed|altnames|SSL|TLS/i.test(message))
    return "Use the name that the server's certificate has. If it has a private CA, name the CA's file in NODE_EXTRA_CA_CERTS.";
  return "Check host and port in SMTP_URL, and allow this machine to reach them; many providers block port 25.";
}

async function examineServer(url: string): Promise<Finding[]> {
  const { protocol, host, hostname, username } = new URL(url);
  try {
    await smtpTransport(url, TIMEOUTS).verify();
  } catch (error) {
    const problem = schemeProblem(error);
    const [text, advice] = problem ? withAdvice(problem) : [messageOf(error), adviceOn(error)];
    return broken(`${host}: ${text}`, advice);
  }
  const text = `${host} answers${username ? " and accepts the login" : ""}`;
  if (protocol === "smtps:" || isLoopbackHost(hostname)) return ok(text);
  try {
    await smtpTransport(url, { ...TIMEOUTS, requireTLS: true }).verify();
    return ok(`${text}, over TLS`);
  } catch {
    return warning(
      `${text}, but offers no TLS`,
      "Use smtps://, or a server with STARTTLS: sign-in links and the login travel in plain text.",
    );
  }
}

async function sendTestEmail(env: Env, to: string): Promise<Finding[]> {
  const mailer = createMailer(env, SILENT_LOG, Date.now, undefined, TIMEOUTS);
  const text = `This is a test by \`deed doctor\` of ${env.BASE_URL}. If you can read it, email works.`;
  try {
    await mailer.send({ to, subject: "Test email from Deed", text, html: `<p>${text}</p>` });
  } catch (error) {
    return broken(
      `the test email to ${to} was not accepted: ${messageOf(error)}`,
      "Ask the mail server's operator whether it may send from MAIL_FROM to that address.",
    );
  }
  return env.SMTP_URL
    ? ok(`the server accepted the test email to ${to}: check that it arrived, and not as spam`)
    : ok(`the test email is a file in ${join(env.DATA_DIR, "outbox")}`);
}

export async function examineMail(env: Env, to: string | null): Promise<Finding[]> {
  const findings = env.SMTP_URL
    ? await examineServer(env.SMTP_URL)
    : ok(`SMTP_URL is not set: emails are files in ${join(env.DATA_DIR, "outbox")}`);
  const isReady = findings.every(({ status }) => status !== "broken");
  return to !== null && isReady ? [...findings, ...(await sendTestEmail(env, to))] : findings;
}

const provider = about("OpenID Connect");
const TIMEOUT_SECONDS = 5;

function providerReason(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  const causeError = cause instanceof Error ? cause : null;
  return [message, causeError?.message || (causeError as { code?: string } | null)?.code || code]
    .filter(Boolean)
    .join(": ");
}

export async function examineIdentityProvider(env: Env): Promise<Finding[]> {
  if (!env.OIDC_ISSUER) return [];
  try {
    await discoverProvider(env, TIMEOUT_SECONDS);
    return provider.ok(`${env.OIDC_ISSUER} answers`);
  } catch (error) {
    return provider.broken(
      `${env.OIDC_ISSUER}: ${providerReason(error)}`,
      "Check OIDC_ISSUER: <issuer>/.well-known/openid-configuration must answer this machine and name the same issuer. Until then, people can sign in by email.",
    );
  }
}

const stamps = about("Stamps");

export async function examineStamper(env: Env, signal: AbortSignal): Promise<Finding[]> {
  const stamper = stamperOf(env);
  if (!stamper) return [];
  try {
    await askStamper(stamper, randomUUID(), Date.now(), signal);
    return stamps.ok(`${stamper.url} gives stamps that lead to a known root`);
  } catch (error) {
    const check = "check TIMESTAMP_URL, and whether this machine can reach it";
    const [text, advice] = withAdvice(messageOf(error), check);
    return stamps.broken(`${stamper.url}: ${text}`, advice);
  }
}

/** A mail server's own words may repeat the login, so only its codes are logged. */
function reasonOf(error: unknown): string {
  const { code, responseCode, message } = error as SMTPConnection.SMTPError;
  return responseCode ? `${code} ${responseCode}` : (schemeProblem(error) ?? message);
}

export async function warnOfUnreachable(env: Env, log: Log): Promise<void> {
  const { SMTP_URL, OIDC_ISSUER } = env;
  const warn = (warning: string, variable: string, message: string) => (error: unknown) =>
    log.warn({ warning, variable, reason: reasonOf(error) }, message);
  const noMail = "the mail server of SMTP_URL cannot be used now: emails wait until it can";
  const noProvider =
    "the identity provider of OIDC_ISSUER cannot be reached now: people can sign in only by email";
  await Promise.all([
    SMTP_URL &&
      smtpTransport(SMTP_URL, MAIL_TIMEOUTS)
        .verify()
        .catch(warn("smtp_unreachable", "SMTP_URL", noMail)),
    OIDC_ISSUER && discoverProvider(env).catch(warn("oidc_unreachable", "OIDC_ISSUER", noProvider)),
  ]);
}
