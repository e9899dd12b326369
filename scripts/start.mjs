// Starts the built service: `npm start`.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const BUILD = "build/index.cjs";
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
createRequire(import.meta.url)(resolve(BUILD));
