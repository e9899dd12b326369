import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Html, html } from "./html.ts";
import { head, page } from "./layout.ts";

/** A mail that the service wrote to its outbox. `text` is its plain part. */
export type Mail = { to: string; subject: string; date: string; text: string };

/** The files of the outbox, oldest first. */
export const mailFiles = async (outbox: string): Promise<string[]> =>
  (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();

export async function readMail(outbox: string, file: string): Promise<Mail> {
  const source = await readFile(join(outbox, file), "utf8");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(source)?.[1] ?? "";
  const plain = /^--(\S+)\nContent-Type: text\/plain.*\n.*\n\n([\s\S]*?)\n--\1\n/m.exec(
    source,
  )?.[2];
  return {
    to: header("To"),
    subject: header("Subject"),
    date: header("Date"),
    text: plain ?? "",
  };
}

const MAX_SHOWN_MAILS = 100;

const newestMails = async (outbox: string) =>
  Promise.all(
    (await mailFiles(outbox))
      .slice(-MAX_SHOWN_MAILS)
      .reverse()
      .map((file) => readMail(outbox, file)),
  );

/** A mail quotes strangers, so only an address of the service itself becomes a link. */
const withLinks = (text: string, serviceUrl: string) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part) =>
      URL.canParse(part) && new URL(part).origin === serviceUrl
        ? html`<a href="${part}">${part}</a>`
        : part.split("\n").map((line, index) => html`${index > 0 ? html`\n` : null}${line}`),
    );

export async function mailboxPage(outbox: string, serviceUrl: string): Promise<Html> {
  const mails = await newestMails(outbox);
  return page(
    "Mailbox",
    html`${head("Mailbox", "Every email that Deed sent in this demo, newest first.", mails.length < MAX_SHOWN_MAILS ? "" : `The newest ${MAX_SHOWN_MAILS}`)}
${mails.length > 0 ? null : html`<p>No email yet. Reload this page after Deed says that it sent one.</p>`}
${mails.map(
  ({ to, subject, date, text }, index) =>
    html`<details${index === 0 ? html` open` : null}><summary>${subject}</summary>
<p class="soft">To ${to}, ${date.replace("+0000", "UTC")}</p>
<pre class="mono">${withLinks(text, serviceUrl)}</pre></details>
`,
)}`,
  );
}
