// `node scripts/release/publish.mjs [--dry-run]`: publishes the npm tarballs of dist/, under the names that package.json has for
// them (`published`): a fork has its own there. Those that the registry has already are passed over.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { output, run } from "../setup.mjs";

const { published } = JSON.parse(readFileSync("package.json", "utf8"));
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env;
/** Where a workflow runs; npm takes a provenance only for a package that names it. */
const origin = path && { repository: { type: "git", url: `git+${server}/${path}.git` } };

/** The same package, called so and from that repository. */
function unpackAs(name, tarball, folder) {
  output("tar", ["-xzf", tarball, "-C", folder]);
  const file = join(folder, "package/package.json");
  const manifest = { ...JSON.parse(readFileSync(file, "utf8")), name, ...origin };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

function isPublished({ name, version }) {
  try {
    return output("npm", ["view", `${name}@${version}`, "version"]).trim() === version;
  } catch (error) {
    if (!`${error}`.includes("E404")) throw error;
    return false;
  }
}

for (const [kind, name] of Object.entries(published)) {
  const [tarball, ...others] = globSync(`dist/${kind}-[0-9]*.tgz`);
  if (!tarball || others.length > 0) throw new Error(`dist has not one ${kind}-….tgz`);
  const folder = mkdtempSync(join(tmpdir(), "deed-publish-"));
  const manifest = unpackAs(name, resolve(tarball), folder);
  if (isPublished(manifest)) console.log(`${name}@${manifest.version} is published already`);
  else
    run("npm", [
      "publish",
      join(folder, "package"),
      "--access",
      "public",
      ...process.argv.slice(2),
    ]);
  rmSync(folder, { recursive: true });
}
