// `npm run library`: packs packages/dns for other programs into dist/ and prints the path of the tarball. Its packages
// are in the bundle, so npm installs it alone.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { licencesOf, packagesIn } from "./bundle.mjs";
import { buildOf, inName } from "./release/version.mjs";
import { output } from "./setup.mjs";
import { declarationsOf } from "./types.mjs";

const SOURCE = "packages/dns";
/** `resolvers` needs fetch alone, so that it runs in workers too. */
const ENTRIES = ["index", "resolvers"];
const sourceOf = (entry) => `${SOURCE}/library/${entry}.ts`;

// Absolute, or npm would read "dist/library" as the name of a repository.
const DIST = resolve("dist");

const stage = join(DIST, "library");
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const { metafile } = await build({
  entryPoints: ENTRIES.map(sourceOf),
  outdir: stage,
  bundle: true,
  banner: { js: 'import { Buffer } from "node:buffer";' },
  format: "esm",
  platform: "node",
  target: "node22",
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
});
const types = ENTRIES.map((entry) => join(stage, `${entry}.d.ts`));
const declarations = declarationsOf(ENTRIES.map(sourceOf));
for (const [at, file] of types.entries()) writeFileSync(file, declarations[at]);
output("node_modules/.bin/biome", ["format", "--write", "--vcs-enabled=false", ...types]);
writeFileSync(join(stage, "licences.txt"), licencesOf([...new Set(packagesIn(metafile))].sort()));
copyFileSync("LICENSE", join(stage, "LICENSE"));
copyFileSync(`${SOURCE}/README.md`, join(stage, "README.md"));
const {
  private: _,
  dependencies: __,
  ...given
} = JSON.parse(readFileSync(`${SOURCE}/package.json`, "utf8"));
const { version } = buildOf();
const exportOf = (entry) => ({ types: `./${entry}.d.ts`, default: `./${entry}.js` });
const exports = { ".": exportOf("index"), "./resolvers": exportOf("resolvers") };
writeFileSync(join(stage, "package.json"), JSON.stringify({ ...given, version, exports }, null, 2));
const pack = ["pack", stage, "--silent", "--pack-destination", DIST];
const tarball = join(DIST, `deed-dns-${inName(version)}.tgz`);
renameSync(join(DIST, output("npm", pack).trim().split("\n").at(-1)), tarball);
rmSync(stage, { recursive: true });
console.log(tarball);
