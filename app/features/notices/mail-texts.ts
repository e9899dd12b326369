import type { NoticeKind } from "#app/core/feed/notice-writer.server.ts";
import { link, type MailBody, paragraph, renderMail } from "./mail-layout.ts";
import { LETTERS, type NoticeFacts } from "./notice-letters.ts";

type SignInFacts = { baseUrl: string; email: string; token: string; code: string; minutes: number };

/**
 * The sign-in mail: a link, and a code for the browser that asked. `baseUrl` is the service's origin; links in mails
 * may have no other.
 */
export const signInMail = ({ baseUrl, email, token, code, minutes }: SignInFacts): MailBody =>
  renderMail({
    subject: "Sign in to Deed",
    blocks: [
      paragraph(`Use this link or code to sign in to Deed as ${email}.`),
      link(
        "Open this link and press the button",
        `${baseUrl}/sign-in/confirm?token=${encodeURIComponent(token)}`,
      ),
      paragraph("Or type this code in the browser where you asked for it:"),
      { type: "verbatim", text: code },
      link("The page for the code", `${baseUrl}/sign-in/code`),
      paragraph(`Both work once, within ${minutes} minutes.`),
    ],
    footer: [
      paragraph(
        "Did you not ask for this? Ignore this mail: without it, nobody can sign in. Never share the code. We never ask for it.",
      ),
    ],
  });

type InvitationFacts = {
  baseUrl: string;
  account: string;
  inviter: string;
  token: string;
  days: number;
};

/** The mail that invites an address to an account. `account` and `inviter` are masked. */
export const invitationMail = ({ baseUrl, account, inviter, token, days }: InvitationFacts) =>
  renderMail({
    subject: "You are invited to an account on Deed",
    blocks: [
      paragraph(
        `${inviter} invites you to the account of ${account} on Deed. With this address you can sign in, see its domains, and add and prove domains.`,
      ),
      link(
        "Open this link to accept or decline",
        `${baseUrl}/sign-in/invitation?token=${encodeURIComponent(token)}`,
      ),
      paragraph(`The link works once, within ${days} days.`),
    ],
    footer: [
      paragraph(
        "If you do not know who this is, ignore this mail. Nothing happens unless you accept.",
      ),
    ],
  });

type EndedFacts = {
  host: string;
  because: "gone" | "failing";
  webhookUrl: string;
  settingsUrl: string;
};

/** The mail that a webhook gets no more events, and why. `host`: of its URL. */
export const webhookEndedMail = ({ host, because, webhookUrl, settingsUrl }: EndedFacts) =>
  renderMail({
    subject: `Deed no longer sends events to ${host}`,
    blocks: [
      paragraph(
        because === "gone"
          ? `Your webhook at ${host} answered 410, which says that it wants no more events. Deed disabled it.`
          : `Your webhook at ${host} did not accept an event for three days. Deed disabled it.`,
      ),
      paragraph(
        "Events are not kept for it until you enable it. For a week you can send again what it missed before.",
      ),
      link("See what it answered, and enable it", webhookUrl),
    ],
    footer: [
      paragraph("You get this mail because this webhook belongs to your account on Deed."),
      link("Turn off these mails", settingsUrl),
    ],
  });

type DepartureFacts = {
  baseUrl: string;
  email: string;
  keys: { name: string }[];
  webhooks: { url: string }[];
};

/** The mail that somebody left the account, with the keys and webhooks that ended with them. */
export const personLeftMail = ({ baseUrl, email, keys, webhooks }: DepartureFacts): MailBody =>
  renderMail({
    subject: `${email} is no longer in your account on Deed`,
    blocks: [
      paragraph(
        "What they set up for programs has ended with them, since they may have kept the secrets.",
      ),
      {
        type: "facts",
        rows: [
          ...keys.map(({ name }) => ["API key", name] as const),
          ...webhooks.map(({ url }) => ["Webhook", url] as const),
        ],
      },
      ...(keys.length > 0
        ? [
            paragraph("The API keys stopped working. Give the programs that used them new ones."),
            link("API keys", `${baseUrl}/account/keys`),
          ]
        : []),
      ...(webhooks.length > 0
        ? [
            paragraph(
              "The webhooks are disabled, and events are not kept for them. If the address is yours, rotate the secret, then enable the webhook.",
            ),
            link("Webhooks", `${baseUrl}/account/webhooks`),
          ]
        : []),
    ],
    footer: [
      paragraph("You get this mail because you are in this account on Deed."),
      link("Turn off these mails", `${baseUrl}/account`),
    ],
  });

/** The mail of a notice. The caller decides which notices are mailed. */
export function noticeMail(kind: NoticeKind, facts: NoticeFacts): MailBody {
  const { subject, blocks } = LETTERS[kind](facts);
  return renderMail({
    subject,
    blocks,
    footer: [
      paragraph(
        facts.watch
          ? "You get this mail because Deed watches this record for your account."
          : "You get this mail because you are proving this domain on Deed.",
      ),
      ...(facts.watch ? [link("Stop watching this record", facts.watch.stopUrl)] : []),
      link("Turn off these mails", facts.settingsUrl),
    ],
  });
}
