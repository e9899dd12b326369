import { awaitedSentence } from "#app/dns/copy/sentences-published.ts";
import type { NoticeKind } from "../feed/notice-writer.server.ts";
import type { ChallengeRecord, WaitEstimate } from "../resources.ts";
import { type Block, type MailBody, renderMail } from "./mail-layout.ts";

/** What a notice mail may contain. Instants are epoch milliseconds, URLs absolute. */
export type NoticeFacts = {
  /** ASCII and Unicode forms of the name. */
  domain: string;
  unicodeDomain: string;
  /** URL of the claim's screen. */
  claimUrl: string;
  /** Page where notice mails are switched off. */
  settingsUrl: string;
  claimedAt: number;
  /** End of the claim's window. */
  expiresAt: number;
  /** When this account's claim was proved; null until then. */
  provedAt: number | null;
  /** The record to create, with host and value as the zone's panel takes them; null once the claim has ended. */
  record: ChallengeRecord | null;
  /** Cause and fix of the outstanding diagnosis; null if there is none. */
  outstanding: { cause: string; fix: string } | null;
  /** The wait, if there is one in place of a diagnosis. */
  wait: WaitEstimate | null;
  /** The other account's proof, for `coexistence`. */
  other: { maskedEmail: string; provedAt: number } | null;
  /** When the mail is written. */
  now: number;
};

/**
 * The sign-in mail: a link, and a code for the browser that asked. `baseUrl` is the service's origin; links in mails
 * may have no other.
 */
export function signInMail(facts: {
  baseUrl: string;
  email: string;
  token: string;
  code: string;
  minutes: number;
}): MailBody {
  const { baseUrl, email, token, code, minutes } = facts;
  return renderMail({
    subject: "Sign in to Deed",
    blocks: [
      paragraph(`Somebody, most likely you, asked to sign in to Deed as ${email}.`),
      link(
        "Open this link and press the button on its page",
        `${baseUrl}/sign-in/confirm?token=${encodeURIComponent(token)}`,
      ),
      link(
        "Or, in the browser that asked for this mail, open this page",
        `${baseUrl}/sign-in/code`,
      ),
      paragraph("and type this code there:"),
      { type: "verbatim", text: code },
      paragraph(`Link and code work once, within ${minutes} minutes.`),
    ],
    footer: [
      paragraph(
        "If it was not you, leave this mail alone: nobody signs in without it. Never pass the code on; we do not ask for it.",
      ),
    ],
  });
}

/** The mail that invites an address to an account. `account` and `inviter` are masked. */
export function invitationMail(facts: {
  baseUrl: string;
  account: string;
  inviter: string;
  token: string;
  days: number;
}): MailBody {
  const { baseUrl, account, inviter, token, days } = facts;
  return renderMail({
    subject: "You are invited to an account on Deed",
    blocks: [
      paragraph(
        `${inviter} invites you to sign in to the account of ${account} on Deed, with this address: to see its domain names, claim others and prove them.`,
      ),
      link(
        "Open this link to accept or decline",
        `${baseUrl}/sign-in/invitation?token=${encodeURIComponent(token)}`,
      ),
      paragraph(`The link works once, within ${days} days.`),
    ],
    footer: [
      paragraph(
        "If you do not know who this is, leave this mail alone: nothing happens without you.",
      ),
    ],
  });
}

/** The mail of a notice. The caller decides which notices are mailed. */
export function noticeMail(kind: NoticeKind, facts: NoticeFacts): MailBody {
  const { subject, blocks } = LETTERS[kind](facts);
  return renderMail({
    subject,
    blocks,
    footer: [
      paragraph("You get this mail because you claimed the name on Deed."),
      link("Switch notice mails off", facts.settingsUrl),
    ],
  });
}

type NoticeLetter = (facts: NoticeFacts) => { subject: string; blocks: Block[] };

const LETTERS: Record<NoticeKind, NoticeLetter> = {
  proved: (facts) => ({
    subject: `${facts.domain} is proved`,
    blocks: [
      paragraph(
        `On ${formatTime(facts.provedAt ?? facts.now)} you demonstrated control of the DNS of ${nameOf(facts)}.`,
      ),
      paragraph(
        "The claim has ended and keeps that date. The TXT record is not needed any more: you may delete it.",
      ),
      link("Publish a link to the proof, for others to read", facts.claimUrl),
    ],
  }),

  nudge: (facts) => ({
    subject: `${facts.domain} is not proved yet`,
    blocks: [
      paragraph(
        `You claimed ${nameOf(facts)} on ${formatTime(facts.claimedAt)}. Its record has not been found so far.`,
      ),
      ...outstandingBlocks(facts),
      paragraph(`Deed goes on checking by itself until ${formatTime(facts.expiresAt)}.`),
      link("See what was read, or check now", facts.claimUrl),
    ],
  }),

  expiring: (facts) => ({
    subject: `The claim on ${facts.domain} ends ${formatTime(facts.expiresAt)}`,
    blocks: [
      paragraph(`The claim on ${nameOf(facts)} is still unproved. Its seven days are nearly over.`),
      ...outstandingBlocks(facts),
      paragraph(
        `Deed checks by itself until ${formatTime(facts.expiresAt)}. After that the token is not accepted any more; claiming the name again gives a new one.`,
      ),
      link("See what was read, or check now", facts.claimUrl),
    ],
  }),

  expired: (facts) => ({
    subject: `The claim on ${facts.domain} has ended unproved`,
    blocks: [
      paragraph(
        `The seven days of the claim on ${nameOf(facts)} ended on ${formatTime(facts.expiresAt)} and its record was not found. Its token is not accepted any more.`,
      ),
      link("Claim the name again to get a new token", facts.claimUrl),
    ],
  }),

  coexistence: (facts) => ({
    subject: `Another account has proved ${facts.domain}`,
    blocks: [
      paragraph(
        facts.other
          ? `On ${formatTime(facts.other.provedAt)} ${facts.other.maskedEmail} demonstrated control of the DNS of ${nameOf(facts)}, as you did before.`
          : `Another account demonstrated control of the DNS of ${nameOf(facts)}, as you did before.`,
      ),
      paragraph(
        "That takes nothing away from your proof. If you do not know who it is, look at who may change this zone at your DNS provider.",
      ),
      link("Your own proof", facts.claimUrl),
    ],
  }),
};

/** The outstanding diagnosis or wait in words, and the record to create. */
function outstandingBlocks({ outstanding, wait, record }: NoticeFacts): Block[] {
  const blocks: Block[] = [];
  if (outstanding) blocks.push(paragraph(outstanding.cause), paragraph(outstanding.fix));
  else if (wait) blocks.push(paragraph(waitWords(wait)));
  if (record) {
    blocks.push(paragraph("The record to create:"), {
      type: "facts",
      rows: [
        ["Type", record.type],
        ["Name", record.host],
        ["Value", record.value],
      ],
    });
  }
  return blocks;
}

const WAITS: Record<NonNullable<NoticeFacts["wait"]>["reason"], string> = {
  first_check: "Nothing has been read yet; the first read is about to happen.",
  retry: "DNS could not be reached from here so far. There is nothing for you to do.",
  negative_cache:
    "Your nameservers have the record. Resolvers still remember that it did not exist; that passes by itself.",
  nameserver_sync:
    "Your nameservers do not agree yet: some are still catching up. That usually passes by itself.",
};

const waitWords = ({ reason, observed }: NonNullable<NoticeFacts["wait"]>): string =>
  observed ? `${awaitedSentence(observed)} That usually passes by itself.` : WAITS[reason];

const paragraph = (text: string): Block => ({ type: "paragraph", text });
const link = (label: string, url: string): Block => ({ type: "link", label, url });

/** Always the ASCII form, with the Unicode form beside it if it differs. */
const nameOf = ({ domain, unicodeDomain }: NoticeFacts) =>
  unicodeDomain === domain ? domain : `${unicodeDomain} (${domain})`;

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** "12 March 2026 at 14:03 UTC" */
function formatTime(at: number): string {
  const date = new Date(at);
  const time = date.toISOString().slice(11, 16);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}
