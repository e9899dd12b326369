// `npm run archive -- <arch>`: builds, and lays out in .cache/release/deed what an archive for Linux has: the package
// and Node. For the Containerfile; scripts/release/release.mjs packs it.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { output, run } from "../setup.mjs";
import { packTarball } from "./tarball.mjs";

export const WORK = ".cache/release";
const ROOT = join(WORK, "deed");
/** The digests of Node's packages on npm, for the version of the development dependency `node`. */
const NODE_DIGESTS = {
  "linux-x64":
    "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "linux-arm64":
    "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};
const LAUNCHER = `#!/bin/sh
# Runs Deed on the Node beside it. May be linked to from anywhere.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/deed.mjs" "$@"
`;

export const digest = (algorithm, file, encoding) =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** Downloads Node for Linux, unless it is there already, checks its digest, and unpacks it. */
function bringNode(platform) {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const name = `node-${platform}`;
  const file = join(WORK, `${name}-${devDependencies.node}.tgz`);
  if (!existsSync(file))
    output("npm", ["pack", `${name}@${devDependencies.node}`, "--pack-destination", WORK]);
  if (`sha512-${digest("sha512", file, "base64")}` !== NODE_DIGESTS[platform])
    throw new Error(`${file} is not the Node whose digest scripts/release/archive.mjs has`);
  output("tar", ["-xzf", file, "-C", WORK, "package/bin/node", "package/LICENSE"]);
  return { node: join(WORK, "package/bin/node"), licence: join(WORK, "package/LICENSE") };
}

/** `given`: the Node of a platform for which npm has none, and its licence. */
export function layOut(tarball, platform, given) {
  mkdirSync(WORK, { recursive: true });
  const { node, licence } = given ?? bringNode(platform);
  rmSync(ROOT, { recursive: true, force: true });
  mkdirSync(ROOT);
  output("tar", ["-xzf", tarball, "-C", ROOT, "--strip-components=1"]);
  const libraries = join(ROOT, "build/prebuilds");
  for (const name of readdirSync(libraries))
    if (name !== `${platform}.node`) rmSync(join(libraries, name));
  copyFileSync(node, join(ROOT, "bin/node"));
  copyFileSync(licence, join(ROOT, "LICENSE.node"));
  writeFileSync(join(ROOT, "bin/deed"), LAUNCHER);
  for (const name of ["deed", "node"]) chmodSync(join(ROOT, "bin", name), 0o755);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  run(process.execPath, ["scripts/build.mjs"]);
  // Docker's name of an architecture, or Node's.
  const arch = (process.argv[2] || process.arch).replace("amd64", "x64");
  layOut(packTarball(WORK), `linux-${arch}`);
}
