// Starts the built service: `npm start`.
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runCompiled } from "./compiled.mjs";

const BUILD = "build/index.cjs";
/** By then the first requests have been answered, and their code is worth keeping too. */
const STARTED_MS = 10_000;

if (!existsSync(BUILD)) {
  console.error("There is no build yet: run `npm ci && npm run build` first.");
  process.exit(1);
}
if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV ||= "production";

// What loading leaves behind shall not widen the young generation for good: a tenth less memory at rest.
setFlagsFromString("--semi-space-growth-factor=1");
const keepCompiled = runCompiled(BUILD);
setTimeout(() => {
  // Under the flags it was compiled with, or the next start would refuse it.
  keepCompiled();
  setFlagsFromString("--semi-space-growth-factor=2");
}, STARTED_MS).unref();
