import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { createTransport } from "nodemailer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { commit } from "#app/core/commit.server.ts";
import type { Clock, Context, Log, Mail, Mailer } from "#app/core/context.server.ts";
import { DAY, iso } from "#app/core/time.ts";
import type { Env } from "#app/environment/env.server.ts";
import { mailFailures } from "#db/schema.ts";

export const MAIL_TIMEOUTS = { connectMs: 10_000, answerMs: 20_000 };

export class MailError extends Error {
  /** `isFinal`: a 5yz reply (RFC 5321, 4.2.1), so no retry helps. `isAboutRecipient`: other recipients may work. */
  constructor(
    reason: string,
    readonly isFinal: boolean,
    readonly isAboutRecipient: boolean,
  ) {
    super(`the mail server did not accept the mail: ${reason}`);
  }
}

export type MailHealth = "ok" | "failing" | "unknown";

export function createMailer(
  env: Env,
  log: Log,
  clock: Clock,
  onMail: (result: "sent" | "failed") => void = () => {},
  timeouts = MAIL_TIMEOUTS,
): Mailer & { health: () => MailHealth } {
  const mailer = env.SMTP_URL
    ? smtpMailer(env.SMTP_URL, env.MAIL_FROM, timeouts)
    : outboxMailer(env, log, clock);
  let health: MailHealth = "unknown";
  return {
    health: () => health,
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        if (!(error instanceof MailError && error.isAboutRecipient)) health = "failing";
        onMail("failed");
        throw error;
      }
      health = "ok";
      onMail("sent");
    },
  };
}

/** The delays are short, because the user waits for the mail. */
export const RETRY_DELAYS_MS = [2_000, 15_000, 60_000] as const;

/** Sends a mail that somebody just asked for. Never rejects. Do not await it: the time shows if it is sent. */
export async function sendRequestedMail(
  app: Context & { closing: AbortSignal },
  mail: Mail,
  wait = pause,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await app.mailer.send(mail);
    } catch (error) {
      await recordMailFailure(app, mail.to, error);
      const delayMs = RETRY_DELAYS_MS[tries - 1];
      if (delayMs === undefined || (error instanceof MailError && error.isFinal))
        return app.log.error({ err: error, tries }, "a requested mail could not be sent");
      app.log.warn({ err: error, tries }, "a requested mail was not accepted; retrying");
      const pauseEnds = wait(delayMs, false, { signal: app.closing, ref: false });
      if (await pauseEnds.catch(() => true)) return;
    }
  }
}

export const smtpTransport = (
  url: string,
  { connectMs, answerMs, requireTLS = false }: typeof MAIL_TIMEOUTS & { requireTLS?: boolean },
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

/** Says what to do if SMTP_URL has smtp:// and its port needs smtps://, or the reverse; null for other errors. */
export function schemeProblem(error: unknown): string | null {
  const { message } = error as Error;
  if (/wrong version number/.test(message))
    return "the server does not begin with TLS: use smtp:// on this port, or smtps:// on port 465";
  if (/^Greeting never received/.test(message))
    return "the server sends no greeting: use smtps:// if it begins with TLS, as on port 465";
  return null;
}

function smtpMailer(url: string, from: string | undefined, timeouts: typeof MAIL_TIMEOUTS): Mailer {
  const transport = smtpTransport(url, timeouts);
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          from,
          // This is an object, because nodemailer parses a string as a list of addresses.
          to: { name: "", address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { "Auto-Submitted": "auto-generated", ...mail.headers },
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** Keeps only the codes of a server's reply, because its text may repeat the address, and errors are logged. */
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
  let mailCount = 0;
  return {
    async send(mail: Mail) {
      const now = clock();
      const fileOrder = `${iso(now).replaceAll(":", "-")}-${String(++mailCount).padStart(6, "0")}`;
      const name = `${fileOrder}-${randomBytes(4).toString("hex")}.eml`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The draft is moved once it is complete, so that nobody reads an incomplete mail.
      const draftPath = join(env.DATA_DIR, `.${name}`);
      await writeFile(draftPath, formatEml(mail, from, now), { mode: 0o600, flag: "wx" });
      await rename(draftPath, join(folder, name));
      log.info({ file: join(folder, name) }, "mail written to the outbox");
    },
  };
}

function formatEml(mail: Mail, from: string, now: number): string {
  const boundary = `deed-${randomBytes(12).toString("hex")}`;
  const encoding = "Content-Transfer-Encoding: 8bit";
  const part = (type: string, body: string) =>
    `--${boundary}\nContent-Type: ${type}; charset=utf-8\n${encoding}\n\n${body}\n`;
  return [
    `From: ${headerText(from)}`,
    `To: ${headerText(mail.to)}`,
    `Subject: ${headerText(mail.subject)}`,
    `Date: ${new Date(now).toUTCString().replace("GMT", "+0000")}`,
    ...Object.entries(mail.headers ?? {}).map(([name, text]) => `${name}: ${headerText(text)}`),
    "MIME-Version: 1.0",
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    "",
    part("text/plain", mail.text),
    part("text/html", mail.html),
    `--${boundary}--`,
    "",
  ].join("\n");
}

/** Removes control characters, which could inject headers. */
const headerText = (text: string) => text.replace(/\p{Cc}+/gu, " ");

const MAX_KEPT_FAILURES = 1_000;
const MAX_REASON_LENGTH = 200;

/** Keeps failures for a day, at most the newest 1,000; an error's message contains no address. Never rejects. */
export async function recordMailFailure(ctx: Context, to: string, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : "unknown").slice(0, MAX_REASON_LENGTH);
  const domain = to.slice(to.lastIndexOf("@") + 1);
  await commit(ctx, (tx, _, at) => {
    tx.insert(mailFailures).values({ at, domain, reason }).run();
    tx.run(sql`delete from ${mailFailures} where at <= ${at - DAY} or id not in (
      select id from ${mailFailures} order by id desc limit ${MAX_KEPT_FAILURES})`);
  }).catch((failure: unknown) =>
    ctx.log.debug({ err: failure }, "a failed mail could not be recorded"),
  );
}
