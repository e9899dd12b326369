// Installs the packages of package-lock.json if node_modules differs from it; with `--without-tests` not those that
// packages/checks names. npm runs this before the commands that need it. It must run on the machine's own Node, from
// version 20 on; later steps use the Node it installs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { run } from "./setup.mjs";

/** The packages of a lock file as comparable text, without our own and what npm adds or drops on install. */
function packagesOf(path) {
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  return Object.entries(packages)
    .filter(([name]) => name.startsWith("node_modules/"))
    .filter(([, { link, optional, devOptional }]) => !link && !optional && !devOptional)
    .map(([name, entry]) => `${name}@${entry.version}`)
    .sort()
    .join("\n");
}

const withoutTests = process.argv.includes("--without-tests");
/** Has the text of the lock file for which all but the tests' packages were installed. `npm ci` removes it. */
const PARTIAL = "node_modules/.without-tests";

function isInstalled() {
  const marker = "node_modules/.package-lock.json";
  if (!existsSync(marker)) return false;
  if (withoutTests && existsSync(PARTIAL))
    return readFileSync(PARTIAL, "utf8") === readFileSync("package-lock.json", "utf8");
  return packagesOf(marker) === packagesOf("package-lock.json");
}

if (!isInstalled()) {
  console.log("Installing dependencies (npm ci) …");
  // npm must not run on the Node it is about to replace.
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  // npm would compile better-sqlite3, for which a machine may lack Python, although it brings its library.
  const product = readdirSync("packages")
    .filter((name) => name !== "checks")
    .map((name) => `--workspace=packages/${name}`);
  const chosen = withoutTests ? [...product, "--include-workspace-root"] : [];
  run("npm", ["ci", "--ignore-scripts", ...chosen, ...quiet], { PATH: path });
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  run("npm", ["rebuild", ...Object.keys(allowScripts), ...quiet], { PATH: path });
  if (withoutTests) writeFileSync(PARTIAL, readFileSync("package-lock.json"));
}
