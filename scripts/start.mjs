// Starts the built service on remix-serve: `npm start`.
import { existsSync } from "node:fs";

const BUILD = "build/index.js";
const LEAST_NODE = 22;

function end(reason) {
  console.error(reason);
  process.exit(1);
}

const { node } = process.versions;
if (Number.parseInt(node, 10) < LEAST_NODE)
  end(`Deed runs on Node ${LEAST_NODE} and newer; this is ${node}.`);
if (!existsSync(BUILD)) end("There is no build yet: run `npm ci && npm run build` first.");
if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV ||= "production";
// If 3000 is in use, remix-serve would take a random port, and links in mails would lead nowhere.
process.env.PORT ||= "3000";
process.argv.splice(2, Number.POSITIVE_INFINITY, BUILD);
await import("@remix-run/serve/dist/cli.js");
