import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** The rooms of the house, and the rooms each may import from. docs/architecture.md draws the same. */
const ARROWS: Record<string, readonly string[]> = {
  "app/routes": ["app/api", "app/http", "app/auth", "app/services", "app/components"],
  "app/components": ["app/services"],
  "app/api": ["app/http", "app/auth", "app/services"],
  "app/auth": ["app/http", "app/services", "app/env", "db"],
  "app/http": ["app/services", "app/env"],
  "app/cluster": ["app/http", "app/services", "app/env"],
  "app/services": ["app/dns", "db"],
  "app/dns": [],
  "app/env": [],
  db: [],
  worker: ["app/services"],
  /** The page frame is a component that every route stands in. */
  "app/root": ["app/http", "app/auth", "app/services", "app/components"],
  "app/client": ["app/components"],
  "app/entry": [
    "app/components",
    "app/http",
    "app/auth",
    "app/cluster",
    "app/dns",
    "app/services",
    "app/env",
    "db",
    "worker",
  ],
};

const ROOT = resolve(import.meta.dirname, "..");
const ALIASES: Record<string, string> = { "#app/": "app/", "#db/": "db/", "#worker/": "worker/" };

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)testing(\/|\.)/.test(path) ? [path] : [];
  });
}

function roomOf(file: string): string {
  if (/^app\/(server|(entry|start)\.server)\.tsx?$/.test(file)) return "app/entry";
  if (file === "app/entry.client.tsx") return "app/client";
  if (file === "app/root.tsx") return "app/root";
  if (file === "app/env.server.ts") return "app/env";
  const parts = file.split("/");
  return parts[0] === "app" ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}

/** Every project file that `file` imports, dynamic and type-only imports included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g);
  return [...found].flatMap(([, target = ""]) => {
    for (const [alias, folder] of Object.entries(ALIASES)) {
      if (target.startsWith(alias)) return [folder + target.slice(alias.length)];
    }
    if (!target.startsWith(".")) return [];
    return [relative(ROOT, resolve(ROOT, dirname(file), target))];
  });
}

const files = ["app", "db", "worker"].flatMap(sources);
const graph = new Map(files.map((file) => [file, importsOf(file)]));

describe("the house", () => {
  it("has a room for every file", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => !(roomOf(file) in ARROWS))).toEqual([]);
  });

  it("has imports that point one way only", () => {
    const wrong = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => /\.tsx?$/.test(target))
        .filter((target) => {
          const from = roomOf(file);
          const to = roomOf(target);
          return from !== to && !ARROWS[from]?.includes(to);
        })
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("imports only what exists, with its extension", () => {
    const missing = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => !graph.has(target) && !/\.(css|svg|json)(\?url)?$/.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it("has no cycles", () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: string[]) => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
        return;
      }
      if (done.has(file)) return;
      for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(cycles).toEqual([]);
  });
});
