import { globSync, readFileSync } from "node:fs";
import { BLOCKS } from "./list.ts";

/** The pages with commands and settings that people type. */
export const PAGES = ["README.md", "docs/cluster.md"].concat(
  globSync("docs/{operate,integrate}/*.md").sort(),
);

/** Every fenced block of a page, in order, without the indent of its list. */
export function blocksOf(page: string): string[] {
  const fenced = readFileSync(page, "utf8").matchAll(/^( *)```.*\n([\s\S]*?)^\1```$/gm);
  return [...fenced].map(([, indent = "", text = ""]) =>
    text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

const taken = new Set<string>();

/** The only block of a page with `what` in it, unchanged. Throws if there is not exactly one. */
export function block(page: string, what: string): string {
  const found = [...blocksOf(page).entries()].filter(([, text]) => text.includes(what));
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${page}: ${found.length} blocks have ${what}`);
  taken.add(`${page}, block ${only[0] + 1}`);
  return only[1];
}

/** Blocks that, by `list.ts`, a test types, although it did not take them from their pages. */
export const untyped = (test: string): string[] =>
  [...BLOCKS]
    .flatMap(([page, all]) =>
      all.map((where, index) => ({ name: `${page}, block ${index + 1}`, where })),
    )
    .filter(({ name, where }) => "typed" in where && where.typed === test && !taken.has(name))
    .map(({ name }) => name);
