/** Markup in which every interpolated value has been escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | Part[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Control and bidi characters would reorder or hide the text around them.
const UNSEEN_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const escapeUnseen = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`;

const escapeText = (text: string) =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
    .replace(UNSEEN_CHARACTERS, escapeUnseen);

const renderPart = (part: Part): string => {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(renderPart).join("") : escapeText(String(part));
};

/** Markup from a template. Interpolated values are escaped unless they are Html. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.map((text, index) => text + renderPart(parts[index] ?? null)).join(""));
