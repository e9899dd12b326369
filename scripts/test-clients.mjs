// `npm run test:clients`: brings the generators of clients from their registries into .cache/client-tools, and has each
// make a client of a started service, which does the main job. Exits with 3 if a registry cannot be reached.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "./setup.mjs";

const TOOLS = resolve(".cache/client-tools");
const JAR = "openapi-generator-cli-7.23.0.jar";
mkdirSync(TOOLS, { recursive: true });

/** Runs a registry's own client, unless what it brings is there. */
function bring(file, command, args) {
  if (existsSync(`${TOOLS}/${file}`)) return;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status === 0 && existsSync(`${TOOLS}/${file}`)) return;
  console.error(
    `Not run: ${file} cannot be had. ${error?.message ?? `${stdout}${stderr}`.slice(-500)}`,
  );
  process.exit(3);
}

const artifact = "-Dartifact=org.openapitools:openapi-generator-cli:7.23.0";
bring(JAR, "mvn", ["-q", "dependency:copy", artifact, `-DoutputDirectory=${TOOLS}`]);
writeFileSync(
  `${TOOLS}/openapi-generator-cli`,
  `#!/bin/sh\nexec java -jar '${TOOLS}/${JAR}' "$@"\n`,
);
chmodSync(`${TOOLS}/openapi-generator-cli`, 0o755);
for (const [command, ...args] of [
  ["go", "list", "-m", "github.com/oapi-codegen/oapi-codegen/v2@v2.8.2"],
  ["npm", "ping", "--fetch-retries=1", "--fetch-timeout=20000"],
  ["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", TOOLS, "urllib3==2.5.0"],
])
  if (spawnSync(command, args, { stdio: "ignore", timeout: 120_000 }).status !== 0) {
    console.error(`Not run: the registry of ${command} cannot be reached.`);
    process.exit(3);
  }
run("npx", ["vitest", "run", "--project", "clients"], { CLIENT_TOOLS: TOOLS });
