// `npm run bench [name …] [-- --rounds=9] [-- --against=<folder>]`: runs the named benchmarks of tests/bench, or all.
import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["tsx", "tests/bench/main.ts", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
