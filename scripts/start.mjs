// Starts the built service on remix-serve: `npm start`.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

const STARTED_MS = 2_000;

if (!existsSync("build/index.js")) {
  console.error("There is no build yet: run `npm ci && npm run build` first.");
  process.exit(1);
}
if (existsSync(".env")) process.loadEnvFile(".env");
// remix-serve would take a random port where 3000 is in use, and links in mails would lead nowhere.
process.env.PORT ||= "3000";
process.env.NODE_ENV ||= "production";

// What loading leaves behind shall not widen the young generation for good: a tenth less memory at rest.
setFlagsFromString("--semi-space-growth-factor=1");
setTimeout(setFlagsFromString, STARTED_MS, "--semi-space-growth-factor=2").unref();

const cli = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
process.argv = [process.argv[0], cli, "build/index.js"];
await import(pathToFileURL(cli).href);
