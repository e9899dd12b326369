// `npm run release`: fills dist/ with the npm tarball, that of @deed/client, an archive for Linux x64 and arm64 that
// brings Node, the SBOM, the page that checks receipts, NOTES.md with its hash, and SHA256SUMS. The same commit gives the same bytes. `-- x64` makes the archive for that machine alone.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { releaseNotes, SAVED_PAGE } from "./saved-page.mjs";
import { output, run } from "./setup.mjs";
import { packTarball } from "./tarball.mjs";

const DIST = "dist";
const WORK = ".cache/release";
/** The digests of Node's packages on npm, for the version of the development dependency `node`. */
const NODE_DIGESTS = {
  x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  arm64:
    "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};
const LAUNCHER = `#!/bin/sh
# Runs Deed on the Node beside it. May be linked to from anywhere.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/deed.mjs" "$@"
`;

const { version, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const digest = (algorithm, file, encoding) =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding);

/** Downloads Node for Linux, unless it is there already, and checks its digest. */
function nodePackage(arch) {
  const file = join(WORK, `node-linux-${arch}-${devDependencies.node}.tgz`);
  if (!existsSync(file))
    output("npm", [
      "pack",
      `node-linux-${arch}@${devDependencies.node}`,
      "--pack-destination",
      WORK,
    ]);
  if (`sha512-${digest("sha512", file, "base64")}` !== NODE_DIGESTS[arch])
    throw new Error(`${file} is not the Node whose digest scripts/release.mjs has`);
  return file;
}

/** Packs `folder` of WORK: sorted, owned by root, dated as the commit, and compressed without a date. */
function archive(folder, target) {
  const plain = join(WORK, "archive.tar");
  const same = ["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"];
  const mode = "--mode=u=rwX,go=rX";
  output("tar", ["-C", WORK, ...same, mode, `--mtime=@${seconds}`, "-cf", plain, folder]);
  output("gzip", ["-9nf", plain]);
  renameSync(`${plain}.gz`, target);
}

function linuxArchive(tarball, arch) {
  const root = join(WORK, "deed");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  output("tar", ["-xzf", tarball, "-C", root, "--strip-components=1"]);
  const libraries = join(root, "build/prebuilds");
  for (const name of readdirSync(libraries))
    if (name !== `linux-${arch}.node`) rmSync(join(libraries, name));
  const node = ["package/bin/node", "package/LICENSE"];
  output("tar", ["-xzf", nodePackage(arch), "-C", WORK, ...node]);
  renameSync(join(WORK, "package/bin/node"), join(root, "bin/node"));
  renameSync(join(WORK, "package/LICENSE"), join(root, "LICENSE.node"));
  writeFileSync(join(root, "bin/deed"), LAUNCHER);
  for (const name of ["deed", "node"]) chmodSync(join(root, "bin", name), 0o755);
  archive("deed", join(DIST, `deed-${version}-linux-${arch}.tar.gz`));
}

const seconds =
  process.env.SOURCE_DATE_EPOCH ?? output("git", ["log", "-1", "--format=%ct"]).trim();
process.env.SOURCE_DATE_EPOCH = seconds;
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
mkdirSync(WORK, { recursive: true });
run(process.execPath, ["scripts/build.mjs"]);
const tarball = packTarball(DIST);
run("npm", ["pack", "--silent", "--pack-destination", DIST, "./packages/client"]);
const wanted = process.argv.slice(2);
for (const arch of wanted.length > 0 ? wanted : Object.keys(NODE_DIGESTS))
  linuxArchive(tarball, arch);
writeFileSync(
  join(DIST, `deed-${version}.cdx.json`),
  output(process.execPath, ["scripts/sbom.mjs"]),
);
const page = readFileSync(SAVED_PAGE);
writeFileSync(join(DIST, basename(SAVED_PAGE)), page);
const notes = releaseNotes(version, readFileSync("CHANGELOG.md", "utf8"), page);
writeFileSync(join(DIST, "NOTES.md"), notes);
const sums = readdirSync(DIST)
  .sort()
  .map((name) => `${digest("sha256", join(DIST, name), "hex")}  ${name}\n`);
writeFileSync(join(DIST, "SHA256SUMS"), sums.join(""));
process.stdout.write(`${sums.join("")}\n${notes.slice(notes.lastIndexOf("## "))}`);
