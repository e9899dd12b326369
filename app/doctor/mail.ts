import { join } from "node:path";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { createMailer, schemeProblem, smtpTransport } from "#app/auth/mail.server.ts";
import type { Env } from "#app/env.server.ts";
import { isLoopbackHost } from "#app/environment/formats.ts";
import type { Log } from "#app/services/context.server.ts";
import { about, type Finding, type Probe, withAdvice } from "./finding.ts";

const { ok, warning, broken } = about("Mail");
/** Shorter than the service's, which can wait. */
const TIMES = { connectMs: 4_000, answerMs: 5_000 };
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function adviceOn(error: unknown): string {
  const { code, message = "" } = error as SMTPConnection.SMTPError;
  if (code === "EAUTH" || code === "ENOAUTH")
    return "Correct user and password in SMTP_URL; characters such as @ and / must be percent-encoded.";
  if (code === "EDNS") return "Correct the host in SMTP_URL, or this machine's resolver.";
  if (code === "ETLS" || /certificate|self.signed|altnames|SSL|TLS/i.test(message))
    return "Use the name that the server's certificate has. NODE_EXTRA_CA_CERTS names a file with an own CA.";
  return "Check host and port in SMTP_URL, and allow this machine to reach them; many providers block port 25.";
}

/** Host and port, without the login. */
const serverOf = (url: string) => {
  const { host } = new URL(url);
  return host;
};

async function examineServer(url: string): Promise<Finding[]> {
  try {
    await smtpTransport(url, TIMES).verify();
  } catch (error) {
    const problem = schemeProblem(error);
    const [text, advice] = problem ? withAdvice(problem) : [messageOf(error), adviceOn(error)];
    return [broken(`${serverOf(url)}: ${text}`, advice)];
  }
  const { protocol, hostname, username } = new URL(url);
  const text = `${serverOf(url)} answers${username ? " and takes the login" : ""}`;
  if (protocol === "smtps:" || isLoopbackHost(hostname)) return [ok(text)];
  try {
    await smtpTransport(url, { ...TIMES, requireTLS: true }).verify();
    return [ok(`${text}, over TLS`)];
  } catch {
    return [
      warning(
        `${text}, but offers no TLS`,
        "Use smtps://, or a server with STARTTLS: sign-in links and the login travel in plain text.",
      ),
    ];
  }
}

/** Sends one mail as the service would. */
async function sendTest(env: Env, to: string): Promise<Finding> {
  const mailer = createMailer(env, SILENT, Date.now, TIMES);
  const text = `This is a test by \`deed doctor\` of ${env.BASE_URL}. If you can read it, mail works.`;
  try {
    await mailer.send({ to, subject: "Test mail of Deed", text, html: `<p>${text}</p>` });
  } catch (error) {
    return broken(
      `the test mail to ${to} was not taken: ${messageOf(error)}`,
      "Ask the mail server's operator whether it may send from MAIL_FROM to that address.",
    );
  }
  return env.SMTP_URL
    ? ok(`the server took the test mail to ${to}: look whether it arrived, and not as spam`)
    : ok(`the test mail is a file in ${join(env.DATA_DIR, "outbox")}`);
}

/** Whether the mail server can be reached and takes the login; with `to` also a test mail. */
export const examineMail =
  (env: Env, to: string | null): Probe =>
  async () => {
    const findings = env.SMTP_URL
      ? await examineServer(env.SMTP_URL)
      : [ok(`SMTP_URL is not set: mails are files in ${join(env.DATA_DIR, "outbox")}`)];
    const isReady = findings.every(({ status }) => status !== "broken");
    return to !== null && isReady ? [...findings, await sendTest(env, to)] : findings;
  };
