// Shared by the one-command scripts. Uses only Node's built-ins, because one of them runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildOf, builtFacts } from "./release/version.mjs";

/** Runs a command in the foreground. If it fails, this process exits with its code. */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a command and returns what it prints. Throws with what it says on standard error if it fails. */
export function output(command, args) {
  const { stdout, stderr, status, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error ?? stderr}`);
  return stdout;
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

/** Builds the service if a source file is newer than the build, or the build is called otherwise. */
export function ensureBuilt() {
  const sources = Math.max(
    ...[
      "app",
      "bin",
      "db",
      "worker",
      "packages",
      "public",
      "scripts",
      "docs/integrate",
      "docs/operate",
      "docs/pages",
    ].map(newestChange),
    ...[
      "docs/handoffs.md",
      "remix.config.js",
      "postcss.config.js",
      "package.json",
      "tsconfig.json",
    ].map((f) => statSync(f).mtimeMs),
  );
  const facts = "build/commands/facts.json";
  const isCurrent = existsSync(facts) && statSync(facts).mtimeMs > sources;
  if (isCurrent && JSON.stringify(builtFacts()) === JSON.stringify(buildOf())) return;
  console.log("Building …");
  run(process.execPath, ["scripts/build.mjs"]);
}
