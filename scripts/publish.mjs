// `node scripts/publish.mjs [--dry-run]`: publishes the npm tarballs of dist/, under the names that package.json has for
// them (`published`): a fork has its own there.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { output, run } from "./setup.mjs";

const { published } = JSON.parse(readFileSync("package.json", "utf8"));

/** The same package, called otherwise; the tarball itself if that is its name. */
function called(name, tarball, folder) {
  output("tar", ["-xzf", tarball, "-C", folder]);
  const file = join(folder, "package/package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  if (manifest.name === name) return tarball;
  writeFileSync(file, `${JSON.stringify({ ...manifest, name }, null, 2)}\n`);
  return join(folder, "package");
}

for (const [kind, name] of Object.entries(published)) {
  const [tarball, ...others] = globSync(`dist/${kind}-[0-9]*.tgz`);
  if (!tarball || others.length > 0) throw new Error(`dist has not one ${kind}-….tgz`);
  const folder = mkdtempSync(join(tmpdir(), "deed-publish-"));
  const what = called(name, resolve(tarball), folder);
  run("npm", ["publish", what, "--access", "public", ...process.argv.slice(2)]);
  rmSync(folder, { recursive: true });
}
