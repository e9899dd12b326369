import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Env } from "#app/env.server.ts";
import type { Clock, Log, Mail, Mailer } from "#app/services/context.server.ts";
import { toEml } from "./eml.ts";

/** Longest each step of handing a mail over may take. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;

/** The mailer of this environment: over SMTP where SMTP_URL is set, else one file a mail in the outbox. */
export function createMailer(env: Env, log: Log, clock: Clock): Mailer {
  return env.SMTP_URL ? smtpMailer(env.SMTP_URL, env.MAIL_FROM) : outboxMailer(env, log, clock);
}

function smtpMailer(url: string, from: string | undefined): Mailer {
  // Loaded with the first mail: a start need not wait for it.
  const open = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof open> | null = null;
  return {
    async send(mail) {
      const message = {
        from,
        // An object: nodemailer would parse a string as a list of addresses.
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { "Auto-Submitted": "auto-generated" },
      };
      try {
        transport ??= open();
        await (await transport).sendMail(message);
      } catch (error) {
        throw new Error(`the mail server took no mail: ${failureOf(error)}`);
      }
    },
  };
}

/** Once the server speaks, codes only: what it says repeats the address, and errors are logged. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, command, responseCode, message }: SMTPConnection.SMTPError = error;
  const said = command === "CONN" ? message : responseCode;
  return [code, command, said].filter(Boolean).join(" ");
}

function outboxMailer(env: Env, log: Log, clock: Clock): Mailer {
  const folder = join(env.DATA_DIR, "outbox");
  const from = env.MAIL_FROM ?? `Deed <deed@${new URL(env.BASE_URL).hostname}>`;
  let sent = 0;
  return {
    async send(mail: Mail) {
      const now = clock();
      const order = `${new Date(now).toISOString().replaceAll(":", "-")}-${String(++sent).padStart(6, "0")}`;
      const name = `${order}-${randomBytes(4).toString("hex")}.eml`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Moved into the outbox once whole: nobody reads half a mail.
      const draft = join(env.DATA_DIR, `.${name}`);
      await writeFile(draft, toEml(mail, from, now), { mode: 0o600, flag: "wx" });
      await rename(draft, join(folder, name));
      log.info({ file: join(folder, name) }, "mail written to the outbox");
    },
  };
}
