import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Env } from "#app/env.server.ts";
import type { App } from "#app/http/app.server.ts";
import { countMail } from "#app/http/metrics.server.ts";
import type { Clock, Log, Mail, Mailer } from "#app/services/context.server.ts";
import { toEml } from "./eml.ts";

/** Time limits for each step of handing over a mail, in milliseconds. */
const TIMES = { connectMs: 10_000, answerMs: 20_000 };

/** A mail that the mail server did not accept. */
export class MailError extends Error {
  /**
   * `isFinal`: the server rejected the mail permanently (RFC 5321 section 4.2.1, 5yz). `isAboutRecipient`: it rejects
   * this address, but may accept the next mail.
   */
  constructor(
    reason: string,
    readonly isFinal: boolean,
    readonly isAboutRecipient: boolean,
  ) {
    super(`the mail server took no mail: ${reason}`);
  }
}

/** The mailer for this environment: SMTP if SMTP_URL is set, otherwise one file per mail in the outbox. */
export function createMailer(
  env: Env,
  log: Log,
  clock: Clock,
  times = TIMES,
): Mailer & { health: App["mailHealth"] } {
  const mailer = env.SMTP_URL
    ? smtpMailer(env.SMTP_URL, env.MAIL_FROM, times)
    : outboxMailer(env, log, clock);
  let health: ReturnType<App["mailHealth"]> = "unknown";
  return {
    health: () => health,
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        if (!(error instanceof MailError && error.isAboutRecipient)) health = "failing";
        countMail("failed");
        throw error;
      }
      health = "ok";
      countMail("sent");
    },
  };
}

/** The connection to the mail server. `requireTLS`: refuse a server without STARTTLS. */
export const smtpTransport = (
  url: string,
  { connectMs, answerMs, requireTLS = false }: typeof TIMES & { requireTLS?: boolean },
) =>
  createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(requireTLS && { requireTLS }),
  });

/** What is wrong, and what to do, if SMTP_URL has the wrong one of smtp:// and smtps:// for its port; else null. */
export function schemeProblem(error: unknown): string | null {
  const { message } = error as Error;
  if (/wrong version number/.test(message))
    return "the server does not begin with TLS: use smtp:// on this port, or smtps:// on port 465";
  if (/^Greeting never received/.test(message))
    return "the server sends no greeting: use smtps:// if it begins with TLS, as on port 465";
  return null;
}

/** Opens a new connection per mail, so the next mail finds a server that has come back. */
function smtpMailer(url: string, from: string | undefined, times: typeof TIMES): Mailer {
  const transport = smtpTransport(url, times);
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          from,
          // An object, because nodemailer parses a string as a list of addresses.
          to: { name: "", address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** Reports codes only once the server has replied: its text repeats the address, and errors are logged. */
function failureOf(error: unknown): MailError {
  if (!(error instanceof Error)) return new MailError("unknown", false, false);
  const { code, command, responseCode, message }: SMTPConnection.SMTPError = error;
  const detail = command === "CONN" ? (schemeProblem(error) ?? message) : responseCode;
  const reason = [code, command, detail].filter(Boolean).join(" ");
  return new MailError(reason, (responseCode ?? 0) >= 500, command === "RCPT TO");
}

function outboxMailer(env: Env, log: Log, clock: Clock): Mailer {
  const folder = join(env.DATA_DIR, "outbox");
  const from = `Deed <deed@${new URL(env.BASE_URL).hostname}>`;
  let sent = 0;
  return {
    async send(mail: Mail) {
      const now = clock();
      const order = `${new Date(now).toISOString().replaceAll(":", "-")}-${String(++sent).padStart(6, "0")}`;
      const name = `${order}-${randomBytes(4).toString("hex")}.eml`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Written to a draft and moved, so no one reads an incomplete mail.
      const draft = join(env.DATA_DIR, `.${name}`);
      await writeFile(draft, toEml(mail, from, now), { mode: 0o600, flag: "wx" });
      await rename(draft, join(folder, name));
      log.info({ file: join(folder, name) }, "mail written to the outbox");
    },
  };
}
