import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";

/** A part of a mail, rendered as plain text and as HTML. A string is a paragraph. */
export type Block =
  | string
  /** A link to open, whose URL has its own, unbroken line. */
  | { label: string; url: string }
  /** Text to copy, such as a code. */
  | { verbatim: string }
  | { facts: (readonly [label: string, value: string])[] };

export const link = (label: string, url: string): Block => ({ label, url });

export type MailBody = { subject: string; text: string; html: string };

/** The longest line: mail clients in terminals wrap longer ones. */
const COLUMNS = 72;
/** The limit for sentences with observed text, whose parts are already bounded. */
const LONGEST_TEXT = 1_000;

const escapeText = (text: string) => escapeUntrusted(text, LONGEST_TEXT);

/** Makes untrusted text visible and bounded, and escapes it in HTML. `footer` says why the reader got the mail. */
export function renderMail(rawSubject: string, given: (Block | false)[], footer: Block[]) {
  const subject = escapeText(rawSubject);
  const blocks = given.filter((block) => block !== false);
  const parts = [...blocks.map(asText), "-- ", ...footer.map(asText)];
  const text = `${parts.join("\n\n").replace("-- \n\n", "-- \n")}\n`;
  return { subject, text, html: asDocument(subject, blocks, footer) };
}

function asText(block: Block): string {
  if (typeof block === "string") return wrap(block);
  if ("verbatim" in block) return `    ${escapeText(block.verbatim)}`;
  if ("facts" in block) return factsAsText(block.facts);
  const { label, url } = block;
  return `${wrap(`${label}:`)}\n\n${escapeText(url)}`;
}

/** Writes labels and values in two columns; a value too long for its column gets the next line, unbroken. */
function factsAsText(rows: (readonly [string, string])[]): string {
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

const LINE = new RegExp(`(.{1,${COLUMNS}}|\\S+)(?: |$)`, "g");
/** Breaks at spaces only; a word longer than the line gets a line of its own. */
const wrap = (text: string) =>
  Array.from(escapeText(text).matchAll(LINE), ([, line]) => line).join("\n");

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
const BUTTON =
  "display:inline-block;padding:.6em 1.2em;border:2px solid;border-radius:4px;color:inherit;font-weight:bold;text-decoration:none";
/** A mail has one button: the footer's links are plain links. */
const asFooter = (block: Block) => asHtml(block).replace(BUTTON, "color:inherit");

function asHtml(block: Block): string {
  if (typeof block === "string") return `<p>${escaped(block)}</p>`;
  if ("verbatim" in block)
    return `<p style="${MONO};font-size:1.5em;letter-spacing:.1em">${escaped(block.verbatim)}</p>`;
  if ("url" in block)
    return `<p><a href="${escaped(block.url)}" style="${BUTTON}">${escaped(block.label)}</a></p>`;
  const rows = block.facts.map(
    ([label, value]) =>
      `<dt>${escaped(label)}</dt><dd style="margin:0 0 .5em;${MONO};word-break:break-all">${escaped(value)}</dd>`,
  );
  return `<dl>${rows.join("\n")}</dl>`;
}

const asDocument = (subject: string, blocks: Block[], footer: Block[]) => `<!doctype html>
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
${footer.map(asFooter).join("\n")}
</div>
</body>
</html>
`;
