import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = dirname(createRequire(import.meta.url).resolve("#package.json"));

/** Wherever the process was started. */
export const packageFile = (path: string): string => join(root, path);

/** "unknown" if the package was built outside git. */
export function buildCommit(): string {
  try {
    return JSON.parse(readFileSync(packageFile("build/commands/facts.json"), "utf8")).commit;
  } catch {
    return "unknown";
  }
}
