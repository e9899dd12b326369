import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = dirname(createRequire(import.meta.url).resolve("#package.json"));

/** The absolute path of a file that ships with the package, wherever the process was started. */
export const packageFile = (path: string): string => join(root, path);

/** The commit this package was built from; "unknown" if it was built outside git. */
export function buildCommit(): string {
  try {
    return JSON.parse(readFileSync(packageFile("build/commands/facts.json"), "utf8")).commit;
  } catch {
    return "unknown";
  }
}
