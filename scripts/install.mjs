// Installs the packages of package-lock.json if node_modules differs from it. npm runs this before the commands that
// need it. It must run on the machine's own Node, from version 20 on; later steps use the Node it installs.
import { existsSync, readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { run } from "./setup.mjs";

/** The packages of a lock file as comparable text, without what npm adds or drops on install. */
function packagesOf(path) {
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  return Object.entries(packages)
    .filter(([name, entry]) => name !== "" && !entry.optional && !entry.devOptional)
    .map(([name, entry]) => `${name}@${entry.version}`)
    .sort()
    .join("\n");
}

function isInstalled() {
  const marker = "node_modules/.package-lock.json";
  return existsSync(marker) && packagesOf(marker) === packagesOf("package-lock.json");
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
  run("npm", ["ci", "--ignore-scripts", ...quiet], { PATH: path });
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  run("npm", ["rebuild", ...Object.keys(allowScripts), ...quiet], { PATH: path });
}
