// `npm run release`: fills dist/ with the npm tarballs of Deed, @deed/client and @deed/dns, an archive for Linux x64 and
// arm64 that brings Node, the SBOM, the page that checks receipts, NOTES.md with its hash, and SHA256SUMS. The same commit
// gives the same bytes. `-- x64` makes the archive for that machine alone. NODE_MACOS names a folder with Node for Macs
// (`node`, `LICENSE`), which npm does not have: then there is an archive for them, too.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { releaseNotes, SAVED_PAGE } from "../saved-page.mjs";
import { output, run } from "../setup.mjs";
import { digest, layOut, WORK } from "./archive.mjs";
import { packTarball } from "./tarball.mjs";
import { builtFacts, inName } from "./version.mjs";

const DIST = "dist";

/** Packs what is laid out: sorted, owned by root, dated as the commit, and compressed without a date. */
function pack(target) {
  const plain = join(WORK, "archive.tar");
  const same = ["--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner"];
  const mode = "--mode=u=rwX,go=rX";
  output("tar", ["-C", WORK, ...same, mode, `--mtime=@${seconds}`, "-cf", plain, "deed"]);
  output("gzip", ["-9nf", plain]);
  renameSync(`${plain}.gz`, target);
}

const seconds =
  process.env.SOURCE_DATE_EPOCH ?? output("git", ["log", "-1", "--format=%ct"]).trim();
process.env.SOURCE_DATE_EPOCH = seconds;
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
run(process.execPath, ["scripts/build.mjs"]);
const tarball = packTarball(DIST);
const { version } = builtFacts();
const named = inName(version);
const client = `deed-client-${named}.tgz`;
copyFileSync(join("public", client), join(DIST, client));
run(process.execPath, ["scripts/library.mjs"]);
const wanted = process.argv.slice(2);
for (const arch of wanted.length > 0 ? wanted : ["x64", "arm64"]) {
  layOut(tarball, `linux-${arch}`);
  pack(join(DIST, `deed-${named}-linux-${arch}.tar.gz`));
}
const macs = process.env.NODE_MACOS;
if (macs) {
  layOut(tarball, "darwin-arm64", { node: join(macs, "node"), licence: join(macs, "LICENSE") });
  pack(join(DIST, `deed-${named}-macos-arm64.tar.gz`));
}
writeFileSync(
  join(DIST, `deed-${named}.cdx.json`),
  output(process.execPath, ["scripts/release/sbom.mjs"]),
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
