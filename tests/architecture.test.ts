import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

/** The rows of the table under a heading: the folder in the first column, and the folders in the last. */
function rowsUnder(heading: string): { dir: string; all: boolean; allowed: string[] }[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| `([^`]+)` \|.*\| ([^|]+) \|$/gm)].map(
    ([, dir = "", allowed = ""]) => ({
      dir,
      all: allowed === "everything",
      allowed: [...allowed.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    }),
  );
}

const dirs = rowsUnder("Folders");
const features = rowsUnder("Features");
const layers = rowsUnder("Inside packages/dns");

const isSource = (file: string) =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|(^|\/)testing(\/|\.)/.test(file);
const files = ["app", "bin", "db", "worker", "packages"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => isSource(file) && !/\/(node_modules|dist)\//.test(file)),
);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g;

/** Every file of the project that `file` imports, including dynamic and type-only imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(IMPORT)].flatMap(([, target = ""]) => {
    if (/^#(app|db|worker)\//.test(target)) return [target.slice(1)];
    if (target.startsWith("@deed/")) return [target.replace("@deed", "packages")];
    if (!target.startsWith(".")) return [];
    return [relative(ROOT, resolve(ROOT, dirname(file), target))];
  });
}

/** Written when the client is packed. */
const GENERATED = "packages/client/src/api.ts";

const graph = new Map(files.map((file) => [file, importsOf(file)]));
const imports = [...graph].flatMap(([file, targets]) =>
  targets.filter((target) => /\.tsx?$/.test(target)).map((target) => ({ file, target })),
);

/** The row with the longest folder that contains the file. */
const rowOf = (rows: readonly { dir: string }[], file: string) =>
  rows
    .map(({ dir }) => dir)
    .filter((dir) => file.startsWith(`${dir}/`))
    .sort((a, b) => b.length - a.length)[0];

/** The imports from one row's folder to another that the first row does not allow. */
const forbidden = (rows: ReturnType<typeof rowsUnder>) =>
  imports.flatMap(({ file, target }) => {
    const from = rows.find(({ dir }) => dir === rowOf(rows, file));
    const to = rowOf(rows, target);
    if (!from || !to || from.dir === to || from.all || from.allowed.includes(to)) return [];
    return [`${file} -> ${target}`];
  });

describe("the house", () => {
  it("has no row for part of a folder", () => {
    const named = dirs.map(({ dir }) => dir);
    const parts = named.filter((dir) =>
      named.some((other) => other !== "app" && dir.startsWith(`${other}/`)),
    );
    expect([...parts, ...features.filter(({ dir }) => dir.split("/").length !== 3)]).toEqual([]);
  });

  it("has a row for every folder, and a folder for every row", () => {
    expect(files.filter((file) => !rowOf(dirs, file))).toEqual([]);
    for (const [rows, below] of [
      [dirs, ""],
      [features, "app/features/"],
      [layers, "packages/dns/"],
    ] as const) {
      expect(rows.length).toBeGreaterThan(4);
      const inside = files.filter((file) => file.startsWith(below));
      expect(rows.filter(({ dir }) => !inside.some((file) => rowOf([{ dir }], file)))).toEqual([]);
      expect(inside.filter((file) => !rowOf(rows, file))).toEqual([]);
    }
  });

  it("imports only along the arrows of docs/architecture.md", () => {
    expect([...forbidden(dirs), ...forbidden(features), ...forbidden(layers)]).toEqual([]);
  });

  it("takes from Remix only by two files, but for the build and the server that it starts", () => {
    const takers = files.filter((file) =>
      /"@remix-run\/(?!dev\/|serve\/)/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(takers).toEqual(["app/remix/node.server.ts", "app/remix/react.ts"]);
  });

  it("imports only what exists, with its extension", () => {
    const isThere = (target: string) =>
      target === GENERATED || existsSync(join(ROOT, target.replace(/[?]url$/, "")));
    const missing = ([file, targets]: [string, string[]]) =>
      targets.filter((target) => !isThere(target)).map((target) => `${file} -> ${target}`);
    expect([...graph].flatMap(missing)).toEqual([]);
  });

  it("has no circle of folders, of files, or of what its tables allow", () => {
    // The client's files may import types from each other.
    const own = imports.filter(({ file }) => !file.startsWith("packages/client/"));
    const folders = imports.map(({ file, target }) => [dirname(file), dirname(target)] as const);
    const circlesOf = (arrows: readonly (readonly [string, string])[]) => {
      const targets = new Map<string, Set<string>>();
      for (const [from, to] of arrows)
        if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
      const done = new Set<string>();
      const circles: string[] = [];
      const walk = (at: string, path: string[]) => {
        if (path.includes(at)) circles.push([...path.slice(path.indexOf(at)), at].join(" -> "));
        if (path.includes(at) || done.has(at)) return;
        for (const target of targets.get(at) ?? []) walk(target, [...path, at]);
        done.add(at);
      };
      for (const [from] of arrows) walk(from, []);
      return circles;
    };
    expect(circlesOf(own.map(({ file, target }) => [file, target]))).toEqual([]);
    expect(circlesOf(folders)).toEqual([]);
    for (const rows of [dirs, features, layers]) {
      const arrows = rows.flatMap(({ dir, allowed }) => allowed.map((to) => [dir, to] as const));
      expect(circlesOf(arrows)).toEqual([]);
    }
  });

  it("C27.14: leads by each address on a page to a route or a file that it serves", () => {
    const paths = Object.values(flatRoutes(join(ROOT, "app"), ["**/.*"])).flatMap(
      ({ id, path = "" }) => (id === "routes/$" ? [] : `/${path}`),
    );
    const patterns = paths.map((path) => path.replace(/:[^/]*/g, "[^/]+").replace("*", ".+"));
    const routes = new RegExp(`^(${patterns.join("|")})$`);
    const served = [...readdirSync(join(ROOT, "public")), "deed-verify.html"];
    const pages = files.filter((file) => file.endsWith(".tsx"));
    const links = pages.flatMap((file) => [
      ...readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:href|to|action|back)="(\/[^"?#]*)/g),
    ]);
    expect(links.length).toBeGreaterThan(50);
    const targets = new Set(links.map(([, target = ""]) => target));
    expect(
      [...targets].filter((one) => !routes.test(one) && !served.includes(one.slice(1))),
    ).toEqual([]);
  });

  it("has a validator that runs in a browser too, on nothing but itself", () => {
    const own = files.filter((file) => file.startsWith("packages/dns/dnssec/"));
    expect(own.length).toBeGreaterThan(4);
    const texts = own.map((file) => readFileSync(join(ROOT, file), "utf8"));
    const targets = texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, target]) => target));
    expect(targets.filter((target) => !target?.startsWith("./"))).toEqual([]);
    expect(texts.filter((text) => /\b(Buffer|process|Date|fetch)\b/.test(text))).toEqual([]);
  });
});
