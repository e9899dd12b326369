import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";

/** Words that no sentence for people may have, and what to write instead. */
const BANNED: [pattern: RegExp, instead: string][] = [
  [/\bverified\b/i, "proved"],
  [/\bmails?\b(?! server)/i, "email"],
  [/cancell(ed|ing)/i, "canceled"],
  [/\b(recogni|customi|authori|organi|summari)s(e|ed|es|ing)\b/i, "-ize"],
  [/mistyped|misspell?ed|misspelt/i, "has a typo"],
  [/letter by letter|to the last letter/i, "character by character, or copy it again"],
  [/put (it|them) back/i, "Take out of the archive"],
  [/how it works/i, "Docs"],
  [/how strong|good enough|\brests on\b/i, "how it was checked"],
  [/\baccount holder\b|\bthe owner (stopped|of (the|a|this) proof)/i, "holder"],
  [/\balias(es)?\b/i, "CNAME"],
  [/typed twice/i, "in the name twice"],
  [/but altered/i, "not exact"],
  [/\[(wrong|missing): /, "words, as emails, the API and the command have no marks"],
  [/another claim’s value/i, "value from another claim"],
];

const wrongIn = (place: string, text: string) =>
  BANNED.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text);
    const around = found && text.slice(Math.max(0, found.index - 40), found.index + 40);
    return around === null ? [] : `${place}: “${around}” → ${instead}`;
  });

/** The sentences in a source: JSX text, and strings of more than one word, without queries and log lines. */
function sentencesIn(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) || ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node) && /\blog\.\w+$/.test(node.expression.getText())) return;
    const isString = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    const isText = isString || ts.isTemplateMiddleOrTemplateTail(node);
    if (ts.isJsxText(node) || (isText && /\w \w/.test(node.text)))
      found.push(node.text.replace(/`[^`]*`/g, ""));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const proseOf = (path: string) =>
  readFileSync(path, "utf8").replace(/^```[\s\S]*?^```|`[^`]*`|\]\([^)]*\)/gm, "");

/** Except the operator's command, its checks, and the texts of log and metrics, which are not for everybody. */
const SOURCES = globSync([
  "app/{api,core,features,http,routes,ui}/**/*.{ts,tsx}",
  "packages/dns/{library,rdap,words}/**/*.ts",
  "packages/receipt/sentences.ts",
]).filter((path) => !/\.test\.|testing|metrics|core\/mail\//.test(path));
/** The rules of proofs never change, so they are left out. */
const PAGES = globSync([
  "docs/{pages,integrate,operate}/*.md",
  "docs/handoffs.md",
  "public/llms.txt",
]);

it("says each thing by its one name, on screens, in emails, in the API and in docs", () => {
  const said = SOURCES.flatMap((path) => sentencesIn(path).map((text) => [path, text] as const));
  expect(said.length).toBeGreaterThan(1_000);
  expect(said.flatMap(([path, text]) => wrongIn(path, text))).toEqual([]);
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.flatMap((path) => wrongIn(path, proseOf(path)))).toEqual([]);
});
