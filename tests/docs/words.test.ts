import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** What people read is written here. */
const CODE = ["app", "bin", "packages", "worker"];
/** The contract's own terms, and the list itself. */
const NOT_SCANNED = ["docs/contract.md", "docs/words.md"];

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(path) && !/\.(test|spec)\.|testing[./]/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => !NOT_SCANNED.includes(path));

/** The list in docs/words.md. */
const PHRASES = [
  ...(read("docs/words.md").split("## Phrases that must not appear")[1] ?? "").matchAll(
    /^- (.+)$/gm,
  ),
].map(([, phrase = ""]) => phrase);

/** Finds any of them as whole words. */
const PATTERN = new RegExp(
  `(?<![\\w-])(?:${PHRASES.map((phrase) => phrase.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace("*", "\\w*")).join("|")})(?![\\w-])`,
  "gi",
);

const found = (text: string) => text.replace(/\s+/g, " ").match(PATTERN) ?? [];

/** The texts of a source file: strings, templates and the words between tags. No comments. */
function textOf(path: string): string {
  const texts: string[] = [];
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, false, kind));
  return texts.join(" | ");
}

it("finds the phrases of the list as whole words, and nothing else", () => {
  expect(PHRASES.length).toBeGreaterThan(30);
  expect(
    found("The record\nstands at x. It looks by itself; ask Whoever sent the e-mails"),
  ).toEqual(["record stands", "by itself", "Whoever", "e-mails"]);
  expect(found("the latest, notwithstanding an arrest; outstanding, a new one")).toEqual([]);
});

it("finds none of them in what people read", () => {
  const sources = CODE.flatMap((folder) => filesIn(folder, /\.tsx?$/));
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...filesIn("docs", /\.md$/)];
  expect(sources.length).toBeGreaterThan(300);
  const faults = [
    ...sources.flatMap((path) => found(textOf(path)).map((phrase) => `${path}: ${phrase}`)),
    ...pages.flatMap((path) => found(read(path)).map((phrase) => `${path}: ${phrase}`)),
  ];
  expect(faults).toEqual([]);
});
