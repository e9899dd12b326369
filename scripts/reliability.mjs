// `npm run reliability [name …]`: runs the named tests of tests/reliability at full size, or all of them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const FIGURES = ".cache/reports/reliability-figures.json";

const named = process.argv.slice(2).map((name) => `tests/reliability/${name}`);
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--project", "service", ...(named.length > 0 ? named : ["tests/reliability/"])],
  { stdio: "inherit", env: { ...process.env, TEST_SIZE: "full" } },
);
if (existsSync(FIGURES)) {
  console.log("\nFigures so far:");
  for (const [name, value] of Object.entries(JSON.parse(readFileSync(FIGURES, "utf8"))))
    console.log(`  ${name}: ${value}`);
}
process.exit(status ?? 1);
