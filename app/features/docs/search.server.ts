import { readdirSync, readFileSync } from "node:fs";
import { packageFile } from "#db/package-file.ts";
import { errorEntries } from "./catalogue.server.ts";
import { diagnosisLinks, providerLinks } from "./guides.ts";
import { reference } from "./reference.server.ts";

export type SearchResult = { to: string; title: string; excerpt: string };
type Entry = { to: string; title: string; text: string };

const MAX_RESULTS = 20;
const EXCERPT_MARGIN = 80;

type App = Parameters<typeof reference>[0];

/** The folders whose files are pages, by their path below /docs. */
const FOLDERS = {
  "": "docs/pages",
  "rules/": "docs/pages/rules",
  "integrate/": "docs/integrate",
  "operate/": "docs/operate",
};

function fileEntry(path: string, file: string): Entry {
  const [, title = path, text = ""] =
    /^# ([^\n]*)\n(.*)$/s.exec(readFileSync(packageFile(file), "utf8")) ?? [];
  const plainText = text.replace(/(?:^```.*?^```|[`*|#\s[]|\]\([^)]*\))+/gms, " ");
  return { to: `/docs/${path.replace(/\/index$/, "")}`, title, text: plainText.trim() };
}

function indexOf(app: App): Entry[] {
  const files = Object.entries(FOLDERS).flatMap(([pathStart, folder]) =>
    readdirSync(packageFile(folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => fileEntry(pathStart + name.slice(0, -3), `${folder}/${name}`)),
  );
  const operations = reference(app).groups.flatMap(({ slug, entries }) =>
    entries.map(({ id, method, path, summary }) => {
      return { to: `/docs/api/${slug}#${id}`, title: `${method} ${path}`, text: summary };
    }),
  );
  const errors = errorEntries(app.settings).map(({ code, message, retry }) => {
    return {
      to: `/docs/errors#${code}`,
      title: code,
      text: `${message} Try again: ${retry.replaceAll("`", "")}`,
    };
  });
  const others = [...diagnosisLinks(), ...providerLinks()].map((link) => ({ ...link, text: "" }));
  return [...others, ...errors, ...operations, fileEntry("handoffs", "docs/handoffs.md"), ...files];
}

/** Made at the first search; it never changes while the process runs. */
let index: Entry[] | null = null;

/** The pages with every word of the query; those with the words in the title come first. */
export function searchDocs(app: App, query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return [];
  const hasAllWords = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  index ??= indexOf(app);
  const found = index.filter(({ title, text }) => hasAllWords(`${title} ${text}`));
  found.sort((a, b) => Number(hasAllWords(b.title)) - Number(hasAllWords(a.title)));
  return found.slice(0, MAX_RESULTS).map(({ to, title, text }) => {
    const from = Math.max(0, text.toLowerCase().indexOf(words[0] ?? "") - EXCERPT_MARGIN);
    const start = from && text.indexOf(" ", from) + 1;
    const isLastPart = text.length <= from + 2 * EXCERPT_MARGIN;
    const end = isLastPart ? undefined : text.lastIndexOf(" ", from + 2 * EXCERPT_MARGIN - 2);
    return {
      to,
      title,
      excerpt: (start ? "…" : "") + text.slice(start, end) + (isLastPart ? "" : "…"),
    };
  });
}
