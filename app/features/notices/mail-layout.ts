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
