// `npm run test:examples`: every example, copied out and installed from the registry as its lock file has it. Exits
// with 3 if the registry cannot be reached.
import { spawnSync } from "node:child_process";
import { run } from "./setup.mjs";

const ping = ["ping", "--fetch-retries=1", "--fetch-timeout=20000"];
if (spawnSync("npm", ping, { stdio: "ignore", timeout: 60_000 }).status !== 0) {
  console.error("Not run: the registry cannot be reached.");
  process.exit(3);
}
run("npx", ["vitest", "run", "--project", "examples"], { EXAMPLES_INSTALL: "registry" });
