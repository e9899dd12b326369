// Starts the built service: `npm start`.
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runCompiled } from "./code-cache.mjs";

const BUILD = "build/index.cjs";
const STARTED_MS = 2_000;
/** By then the first requests have been answered, and their code is worth keeping too. */
const ANSWERED_MS = 10_000;

if (!existsSync(BUILD)) {
  console.error("There is no build yet: run `npm ci && npm run build` first.");
  process.exit(1);
}
if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV ||= "production";

// What loading leaves behind shall not widen the young generation for good: a tenth less memory at rest.
const mayGrow = (may) => setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);

mayGrow(false);
const keepCompiled = runCompiled(BUILD);
setTimeout(mayGrow, STARTED_MS, true).unref();
setTimeout(() => {
  // Under the flags it was compiled with, or the next start would refuse it.
  mayGrow(false);
  keepCompiled();
  mayGrow(true);
}, ANSWERED_MS).unref();
