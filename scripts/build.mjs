// `npm run build`: the service, then the command, so that nothing deployed needs a compiler.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { bundle } from "./bundle.mjs";
import { run } from "./setup.mjs";

rmSync("build", { recursive: true, force: true });
// React picks its JSX runtime by NODE_ENV; the value a test runner sets would break the build.
run("npx", ["remix", "build"], { NODE_ENV: "production" });
await bundle();

const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" });
const commit = status === 0 ? stdout.trim() : "unknown";
writeFileSync("build/commands/facts.json", `${JSON.stringify({ commit })}\n`);
