// What the one-command scripts need before anything is installed: Node's built-ins only.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Runs a command in the foreground; a failure ends this process with its code. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** The packages of a lock file as a comparable text, without what npm adds or drops on install. */
function packagesOf(path) {
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  return Object.entries(packages)
    .filter(([name, entry]) => name !== "" && !entry.optional && !entry.devOptional)
    .map(([name, entry]) => `${name}@${entry.version}`)
    .sort()
    .join("\n");
}

function installed() {
  const marker = "node_modules/.package-lock.json";
  if (!existsSync(marker)) return false;
  return packagesOf(marker) === packagesOf("package-lock.json");
}

/** Installs what package-lock.json names, where node_modules differs from it. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Deed needs Node 20.19 or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  if (installed()) return;
  console.log("Installing dependencies (npm ci) …");
  run("npm", ["ci", "--no-audit", "--no-fund"]);
}

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === join("public", "build")) continue;
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** Builds the service, where a source is newer than the build. */
export function ensureBuilt() {
  const sources = Math.max(
    ...["app", "db", "worker", "public"].map(newestChange),
    ...["remix.config.js", "package-lock.json", "tsconfig.json"].map((f) => statSync(f).mtimeMs),
  );
  const isCurrent = (file) => existsSync(file) && statSync(file).mtimeMs > sources;
  if (isCurrent("build/index.cjs") && existsSync("build/commands/backup.js")) return;
  console.log("Building …");
  run(process.execPath, ["scripts/build.mjs"]);
}
