import { existsSync, readFileSync } from "node:fs";

/** Whether a test file has a test with this title, a row with this title in a list or in lines, or a test of this contract sentence. */
export function hasTest(file: string, title: string): boolean {
  const source = existsSync(file) ? readFileSync(file, "utf8").replace(/([([])\s+/g, "$1") : "";
  const cited = [...source.matchAll(/says\(([^)]*)\)/g)].join();
  const quoted = JSON.stringify(title);
  const inLines = source.split("\n").map((line) => /^[\w+]+: (.*?)(?: \| |$)/.exec(line)?.[1]);
  return (
    source.includes(`(${quoted}`) ||
    source.includes(`[${quoted},`) ||
    cited.includes(`"${title}"`) ||
    inLines.includes(title)
  );
}
