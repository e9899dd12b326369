import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isScope } from "#app/api/endpoint.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/integrate");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
/** A block of code that names its file. */
const SHOWN = /^(```\w+ (examples\/\S+)\n)[\s\S]*?^```$/gm;

const codeOf = (text: string) =>
  text.split("\n").filter((line) => line.trim() !== "" && !/^\s*(?:\/\/|\/\*\*|#)/.test(line));

// After changing an example: `npx vitest run --project unit tests/docs/recipes.test.ts -u`.
it.each(pages)("docs/integrate/%s shows the files of its example as they are", async (page) => {
  const text = read(`docs/integrate/${page}`);
  const current = text.replace(SHOWN, (_, head, path) => `${head}${read(path)}\`\`\``);
  await expect(current).toMatchFileSnapshot(join(FOLDER, page));
});

describe("the examples", () => {
  const shown = pages.flatMap((page) => [...read(`docs/integrate/${page}`).matchAll(SHOWN)]);
  const names = readdirSync(join(ROOT, "examples"));

  it("are each on a page, whole", () => {
    const paths = shown.map(([, , path = ""]) => path).sort();
    const files = names.flatMap((name) =>
      readdirSync(join(ROOT, "examples", name))
        .filter((file) => /\.(?:js|sh|yml)$/.test(file))
        .map((file) => `examples/${name}/${file}`),
    );
    expect(paths).toEqual(files.sort());
    const withExample = pages.filter((page) => read(`docs/integrate/${page}`).match(SHOWN));
    expect(withExample).toHaveLength(names.length);
  });

  it.each(names)("%s has at most 150 lines of code and pins its packages", (name) => {
    const paths = shown.map(([, , path = ""]) => path);
    const own = paths.filter((path) => path.startsWith(`examples/${name}/`));
    expect(own.flatMap((path) => codeOf(read(path))).length).toBeLessThanOrEqual(150);
    const { dependencies = {} } = JSON.parse(read(`examples/${name}/package.json`));
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

it("docs/integrate/retries.md tells of every call that makes or changes something, by key or with 201", () => {
  const rows = [...read("docs/integrate/retries.md").matchAll(/^\| `(\w+ \/\S+)` \| \S/gm)];
  const told = rows.map(([, call = ""]) =>
    call.replace(/<(\w+)>/g, ":$1").replace(":domain", ":name"),
  );
  const calls = ENDPOINTS.filter(({ method }) => method !== "GET" && method !== "DELETE");
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  const needed = calls.filter(({ byKey, response }) => isScope(byKey) || 201 in response);
  expect(needed.map(nameOf).filter((call) => !told.includes(call))).toEqual([]);
  expect(told.filter((call) => !calls.map(nameOf).includes(call))).toEqual([]);
});
