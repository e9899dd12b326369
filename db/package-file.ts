import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Returns the path of a file of this package. Resolves it at each call: the verifier for shells has no package. */
export const packageFile = (path: string): string =>
  join(dirname(createRequire(import.meta.url).resolve("#package.json")), path);

/** `committedAt` is in ISO 8601; null if the build did not get it. */
export type Build = { version: string; commit: string; committedAt: string | null };

const readJson = (path: string) => JSON.parse(readFileSync(packageFile(path), "utf8"));

/** Reads what scripts/build.mjs wrote. Sources that were never built have an unknown commit. */
export const buildFacts = (): Build =>
  existsSync(packageFile("build/commands/facts.json"))
    ? readJson("build/commands/facts.json")
    : { version: `${readJson("package.json").version}-dev`, commit: "unknown", committedAt: null };
