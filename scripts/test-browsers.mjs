// `npm run test:browsers`: the whole job in w3m, Lynx and Firefox. Exits with 3 if one of them is not installed.
import { spawnSync } from "node:child_process";
import { run } from "./setup.mjs";

const needed = ["tmux", "w3m", "lynx", "firefox-esr"];
const missing = needed.filter((name) => spawnSync("which", [name]).status !== 0);
if (missing.length > 0) {
  console.error(`Not run: apt-get install ${missing.join(" ")}`);
  process.exit(3);
}
run("npx", ["vitest", "run", "--project", "browsers"]);
