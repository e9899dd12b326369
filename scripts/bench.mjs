// `npm run bench [name …] [-- --check] [-- --growth] [-- --write]`: the benchmarks of tests/bench, all of them or those named.
import { spawnSync } from "node:child_process";
import { ensureBuilt } from "./setup.mjs";

ensureBuilt();
const { status } = spawnSync("npx", ["tsx", "tests/bench/main.ts", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
