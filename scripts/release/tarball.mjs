// `npm run tarball`: builds the package that ships and packs it into dist/. All it runs on is in the bundle, so it has
// no dependencies: npm installs it without a network.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, output } from "../setup.mjs";
import { builtFacts, inName } from "./version.mjs";

const STAGE = "build/package";

/** Replaces links of a page to what is not in the package by their words, and leaves out its pictures. */
function keepWithin(page) {
  const isThere = (target) => existsSync(join(dirname(page), target.replace(/#.*/, "")));
  const text = readFileSync(page, "utf8")
    .replaceAll(/<picture>.*?<\/picture>\n+/gs, "")
    .replaceAll(/\[([^\]]*)\]\((?!\w+:|[#/])([^)\s]+)\)/g, (link, words, target) =>
      isThere(target) ? link : words,
    );
  writeFileSync(page, text);
}

/** Packs a build into `folder`, where no older one stays, and returns the path of the tarball. */
export function packTarball(folder) {
  const { name, description, license, type, bin, engines, files, imports } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const { version } = builtFacts();
  rmSync(STAGE, { recursive: true, force: true });
  for (const file of globSync(["README.md", "LICENSE", ...files]))
    cpSync(file, join(STAGE, file), { recursive: true });
  for (const page of globSync(`${STAGE}/**/*.md`)) keepWithin(page);
  const own = { "#package.json": imports["#package.json"] };
  const packed = { name, version, description, license, type, bin, engines, imports: own };
  writeFileSync(join(STAGE, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
  mkdirSync(folder, { recursive: true });
  for (const old of globSync(`${folder}/${name}-*.tgz`)) rmSync(old);
  const printed = output("npm", ["pack", `./${STAGE}`, "--silent", "--pack-destination", folder]);
  const tarball = join(folder, `${name}-${inName(version)}.tgz`);
  renameSync(join(folder, printed.trim().split("\n").at(-1)), tarball);
  return tarball;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  ensureBuilt();
  console.log(packTarball("dist"));
}
