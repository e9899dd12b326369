import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** "app/services" in a list means only the files directly in it; "app/services/*" includes its subfolders. */
const DNS = "app/dns/*";
const SERVICES = "app/services/*";
const COMPONENTS = "app/components/*";
/** What every service may depend on. */
const BASE = ["app/services", "app/services/context", "app/services/commit", DNS, "db"];

const EVERYTHING = ["app/*", "db", "worker", "bin", "bin/commands", "scripts/playground/*"];

/** The folders, and the folders each may import from. docs/architecture.md shows the same graph. */
const ARROWS: Record<string, readonly string[]> = {
  "app/routes": ["app/api", "app/http", "app/auth", "app/receipt", SERVICES, COMPONENTS],
  "app/api": ["app/http", "app/auth", SERVICES],
  "app/auth": ["app/http", SERVICES, "app/env", "db"],
  "app/http": [SERVICES, DNS, "app/env"],
  "app/cluster": ["app/http", SERVICES, "app/env"],

  "app/components/ui": [SERVICES],
  "app/components/account": [SERVICES, "app/components/ui"],
  "app/components/admin": [SERVICES, "app/components/ui"],
  "app/components/claim": [SERVICES, "app/components/ui", "app/components/path"],
  "app/components/docs": [SERVICES, "app/components/ui"],
  "app/components/domains": [SERVICES, "app/components/ui", "app/components/claim"],
  "app/components/notices": [SERVICES, "app/components/ui"],
  "app/components/path": [SERVICES, "app/components/ui"],
  "app/components/proof": [SERVICES, "app/components/ui", "app/components/zone"],
  "app/components/receipt": [SERVICES, "app/components/ui", "app/receipt"],
  "app/components/zone": [SERVICES, "app/components/ui", "app/components/path"],

  "app/services": ["app/services/context", "app/services/commit", "app/rdap", DNS, "db"],
  "app/services/commit": ["app/services/context", "db"],
  /** Creates what the services keep in memory. */
  "app/services/context": [
    "app/services",
    "app/services/claims",
    "app/services/feed",
    "app/services/receipts",
    "app/services/watching",
    "app/services/registry",
    "app/services/zones",
    "app/outbound",
    DNS,
    "db",
  ],
  "app/services/names": BASE,
  "app/services/receipts": [...BASE, "app/services/accounts", "app/receipt"],
  "app/services/feed": BASE,
  "app/services/clock": BASE,
  "app/services/accounts": [...BASE, "app/services/feed"],
  "app/services/zones": [...BASE, "app/services/names"],
  "app/services/registry": [...BASE, "app/outbound", "app/rdap"],
  "app/services/claims": [
    ...BASE,
    "app/services/receipts",
    "app/services/watching",
    "app/services/registry",
    "app/services/accounts",
    "app/services/clock",
    "app/services/feed",
  ],
  "app/services/watching": [
    ...BASE,
    "app/services/claims",
    "app/services/clock",
    "app/services/feed",
  ],
  "app/services/proofs": [
    ...BASE,
    "app/receipt",
    "app/services/receipts",
    "app/services/accounts",
    "app/services/claims",
    "app/services/feed",
    "app/services/names",
    "app/services/watching",
  ],
  "app/services/handoffs": [
    ...BASE,
    "app/services/accounts",
    "app/services/claims",
    "app/services/feed",
    "app/services/names",
  ],
  "app/services/domains": [
    ...BASE,
    "app/services/claims",
    "app/services/feed",
    "app/services/names",
    "app/services/proofs",
    "app/services/watching",
  ],
  "app/services/notices": [
    ...BASE,
    "app/services/accounts",
    "app/services/claims",
    "app/services/feed",
    "app/services/watching",
    "app/services/registry",
  ],
  "app/services/keys": [...BASE, "app/services/accounts"],
  "app/services/departures": [...BASE, "app/services/accounts", "app/services/webhooks"],
  "app/services/webhooks": [
    ...BASE,
    "app/services/accounts",
    "app/services/claims",
    "app/services/clock",
    "app/services/domains",
    "app/services/feed",
    "app/services/handoffs",
    "app/services/notices",
    "app/services/proofs",
    "app/services/watching",
    "app/outbound",
  ],
  "app/services/admin": [
    ...BASE,
    "app/services/accounts",
    "app/services/claims",
    "app/services/feed",
    "app/services/watching",
  ],
  "app/services/screens": [SERVICES, DNS, "db"],
  "app/services/housekeeping": [SERVICES, DNS, "db"],

  "app/dns": [],
  "app/dns/wire": ["app/dns"],
  "app/dns/verdict": ["app/dns", "app/dns/dnssec"],
  "app/dns/resolve": ["app/dns", "app/dns/dnssec", "app/dns/verdict", "app/dns/wire"],
  "app/dns/copy": ["app/dns", "app/dns/verdict"],
  /** Runs in a browser too: it imports nothing. */
  "app/dns/dnssec": [],
  /** Runs in a browser too. */
  "app/receipt": ["app/dns/dnssec"],

  /** Reads what registries say. No I/O. */
  "app/rdap": [DNS],

  /** Calls URLs that other people chose. */
  "app/outbound": ["app/services", DNS],

  "app/env": ["app/rdap", DNS],
  "app/dns-settings": [DNS, "app/env"],
  "app/signing-keys": [SERVICES, "app/env"],
  "app/settings": [SERVICES, "app/outbound", "app/rdap", "app/env", "db"],
  "app/check": [
    "app/services",
    "app/services/names",
    "app/services/claims",
    "app/services/context",
    "app/services/registry",
    "app/rdap",
    DNS,
    "app/dns-settings",
    "app/settings",
    "app/env",
  ],
  "app/doctor": ["app/auth", "app/cluster", SERVICES, DNS, "app/dns-settings", "app/env", "db"],
  db: [],
  worker: [SERVICES],
  "scripts/playground": [DNS, "app/env", "app/dns-settings"],
  "scripts/playground/panel": ["scripts/playground", DNS, "db"],
  bin: EVERYTHING,
  "bin/commands": EVERYTHING,
  /** The page frame is a component that contains every route. */
  "app/root": ["app/http", "app/auth", SERVICES, COMPONENTS],
  "app/client": [COMPONENTS],
  "app/entry": [
    COMPONENTS,
    "app/api",
    "app/doctor",
    "app/http",
    "app/auth",
    "app/cluster",
    "app/outbound",
    DNS,
    SERVICES,
    "app/dns-settings",
    "app/settings",
    "app/signing-keys",
    "app/env",
    "db",
    "worker",
  ],
};

const isAllowed = (from: string, to: string) =>
  ARROWS[from]?.some((room) =>
    room.endsWith("/*") ? `${to}/`.startsWith(room.slice(0, -1)) : room === to,
  );

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
  if (/^app\/(entry|start)\.server\.tsx?$/.test(file)) return "app/entry";
  if (file === "app/entry.client.tsx") return "app/client";
  if (file === "app/root.tsx") return "app/root";
  if (/^app\/(env\.server\.ts$|environment\/)/.test(file)) return "app/env";
  if (file === "app/dns-settings.server.ts") return "app/dns-settings";
  if (file === "app/signing-keys.server.ts") return "app/signing-keys";
  if (file === "app/settings.server.ts") return "app/settings";
  const [, alone] =
    /^(app\/services\/(?:context|commit|housekeeping))\.server\.ts$/.exec(file) ?? [];
  if (alone) return alone;
  const folders = file.split("/").slice(0, -1);
  return folders[0] === "app" || folders[0] === "scripts"
    ? folders.slice(0, 3).join("/")
    : (folders[0] ?? "");
}

/** Every project file that `file` imports, including dynamic and type-only imports. */
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

const files = ["app", "bin", "db", "worker", "scripts/playground"].flatMap(sources);
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
          return from !== to && !isAllowed(from, to);
        })
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("imports only what exists, with its extension", () => {
    const missing = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => !graph.has(target) && !/\.(cjs|css|svg|json|md)(\?url)?$/.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it("has a validator that runs in a browser too, on nothing but itself", () => {
    const own = files.filter((file) => roomOf(file) === "app/dns/dnssec");
    const targets = own.flatMap((file) => [
      ...readFileSync(join(ROOT, file), "utf8").matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g,
      ),
    ]);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.flatMap(([, target = ""]) => (target.startsWith("./") ? [] : target))).toEqual(
      [],
    );
    const names = own.filter((file) =>
      /\b(Buffer|process|Date|fetch)\b/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(names).toEqual([]);
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
