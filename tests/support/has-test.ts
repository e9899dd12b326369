import { existsSync, readFileSync } from "node:fs";

/** Whether a file of tests has one of this title, a row of this title, or one of this sentence of the contract. */
export function hasTest(file: string, title: string): boolean {
  const source = existsSync(file) ? readFileSync(file, "utf8").replace(/([([])\s+/g, "$1") : "";
  const cited = [...source.matchAll(/says\(([^)]*)\)/g)].join();
  const quoted = JSON.stringify(title);
  return (
    source.includes(`(${quoted}`) || source.includes(`[${quoted},`) || cited.includes(`"${title}"`)
  );
}
