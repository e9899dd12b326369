import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";

/** Building blocks of a mail. Each is rendered twice: as plain text and as HTML. */
export type Block =
  | { type: "paragraph"; text: string }
  /** A link to open. The URL is alone on its line, unbroken. */
  | { type: "link"; label: string; url: string }
  /** Text to copy, such as a code. */
  | { type: "verbatim"; text: string }
  | { type: "facts"; rows: readonly (readonly [label: string, value: string])[] };

export const paragraph = (text: string): Block => ({ type: "paragraph", text });
export const link = (label: string, url: string): Block => ({ type: "link", label, url });

export type Letter = {
  subject: string;
  blocks: readonly Block[];
  /** Why the reader received this mail, and what to do about it. */
  footer: readonly Block[];
};

export type MailBody = { subject: string; text: string; html: string };

/** Width of a mail client in a terminal, which wraps longer lines. */
const COLUMNS = 72;
/** For sentences that quote observed text, whose parts are already bounded. */
const LONGEST_TEXT = 1_000;

const escapeText = (text: string) => escapeUntrusted(text, LONGEST_TEXT);

/** Renders a letter. All its text may be untrusted, so it is made visible, bounded, and escaped in HTML. */
export function renderMail(letter: Letter): MailBody {
  const subject = escapeText(letter.subject);
  return {
    subject,
    text: `${[...letter.blocks.map(asText), "-- ", ...letter.footer.map(asText)]
      .join("\n\n")
      .replace("-- \n\n", "-- \n")}\n`,
    html: asDocument(subject, letter),
  };
}

function asText(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return wrap(escapeText(block.text), COLUMNS).join("\n");
    case "link":
      return [...wrap(escapeText(`${block.label}:`), COLUMNS), "", escapeText(block.url)].join(
        "\n",
      );
    case "verbatim":
      return `    ${escapeText(block.text)}`;
    case "facts":
      return factsAsText(block.rows);
  }
}

/** Labels and values in two columns; a value too long for its column goes unbroken on the next line. */
function factsAsText(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows
    .map(([label, value]) => {
      const text = escapeText(value);
      return 4 + width + text.length > COLUMNS
        ? `    ${label}\n    ${text}`
        : `    ${label.padEnd(width)}${text}`;
    })
    .join("\n");
}

/** Breaks at spaces only; a word longer than the line gets its own line. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string) =>
  escapeText(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

const MONO = "font-family:ui-monospace,Menlo,Consolas,monospace";

function asHtml(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return `<p>${escaped(block.text)}</p>`;
    case "link":
      return `<p>${escaped(block.label)}:<br>
<a href="${escaped(block.url)}" style="color:inherit;word-break:break-all">${escaped(block.url)}</a></p>`;
    case "verbatim":
      return `<p style="${MONO};font-size:1.5em;letter-spacing:.1em">${escaped(block.text)}</p>`;
    case "facts":
      return `<dl>${block.rows
        .map(
          ([label, value]) =>
            `<dt>${escaped(label)}</dt><dd style="margin:0 0 .5em;${MONO};word-break:break-all">${escaped(value)}</dd>`,
        )
        .join("\n")}</dl>`;
  }
}

const asDocument = (subject: string, { blocks, footer }: Letter) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="max-width:36em;margin:0 auto;padding:1em;font:16px/1.5 Georgia,serif">
<h1 style="font-size:1.3em">${escaped(subject)}</h1>
${blocks.map(asHtml).join("\n")}
<hr>
<div style="font-size:.875em">
${footer.map(asHtml).join("\n")}
</div>
</body>
</html>
`;

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
