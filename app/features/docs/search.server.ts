import { readdirSync, readFileSync } from "node:fs";
import { packageFile } from "#db/package-file.ts";
import { errorEntries } from "./catalogue.server.ts";
import { diagnosisLinks, providerLinks } from "./guides.ts";
import { reference } from "./reference.server.ts";

/** `title` and `text`, which has a sentence on each line, have code in backticks. */
type Entry = { to: string; title: string; text: string };

const MAX_RESULTS = 20;

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
  const sentences = text
    .replace(/^ *```.*?^ *```|^\|[-| ]+\|$|\*\*|\]\([^)]*\)|\[/gms, "")
    .replace(/\n(?! *(?:\n|[-#|]|\d+\.)) */g, " ")
    .replace(/^ *(?:[-#|]+|\d+\.) | \|$/gm, "")
    .replace(/(?<=[.?!]) +(?=[A-Z`])/g, "\n")
    .replaceAll(" | ", ", ");
  return { to: `/docs/${path.replace(/\/index$/, "")}`, title, text: sentences.trim() };
}

function indexOf(app: App): Entry[] {
  const files = Object.entries(FOLDERS).flatMap(([pathStart, folder]) =>
    readdirSync(packageFile(folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => fileEntry(pathStart + name.slice(0, -3), `${folder}/${name}`)),
  );
  const operations = reference(app).groups.flatMap(({ slug, entries }) =>
    entries.map(({ id, method, path, summary }) => {
      return { to: `/docs/api/${slug}#${id}`, title: `\`${method} ${path}\``, text: summary };
    }),
  );
  const errors = errorEntries(app.settings).map(({ code, text }) => {
    return { to: `/docs/errors#${code}`, title: `\`${code}\``, text };
  });
  const diagnoses = diagnosisLinks().map(({ code, closer, ...link }) => {
    return { ...link, text: [...closer, `\`${code}\``].join("\n") };
  });
  const links = [...diagnoses, ...providerLinks().map((link) => ({ ...link, text: "" }))];
  return [...links, ...errors, ...operations, fileEntry("handoffs", "docs/handoffs.md"), ...files];
}

/** The index is made at the first search, and does not change while the process runs. */
let index: Entry[] | null = null;

/** Finds the pages with every word of the query; those with the words in the title come first. */
export function searchDocs(app: App, query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return { count: 0, results: [] };
  const hasAllWords = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  index ??= indexOf(app);
  const matches = index.filter(({ title, text }) => hasAllWords(`${title} ${text}`));
  matches.sort((a, b) => Number(hasAllWords(b.title)) - Number(hasAllWords(a.title)));
  const results = matches.slice(0, MAX_RESULTS).map(({ to, title, text }) => {
    const sentences = text.split("\n").map((line) => line.trim());
    const hasWord = (one: string) => words.some((word) => one.toLowerCase().includes(word));
    const excerpt = sentences.find(hasAllWords) ?? sentences.find(hasWord) ?? sentences[0] ?? "";
    // A sentence before a list.
    return { to, title, excerpt: excerpt.replace(/:$/, "…") };
  });
  return { count: matches.length, results };
}
