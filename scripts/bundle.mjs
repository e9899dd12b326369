// The last step of `npm run build`: the service and the command, with all packages they use, into build/commands. What
// ships is then a few files that need no node_modules.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const SQLITE = "node_modules/better-sqlite3/prebuilds";
/** Platforms whose SQLite library ships. */
const PLATFORMS = /^(?:linux-x64|linux-arm64|linuxmusl-x64|linuxmusl-arm64|darwin-arm64)\.node$/;

/** CommonJS packages expect these names; better-sqlite3 finds ../prebuilds by the last one. */
export const COMMONJS = `import { createRequire as requireFrom } from "node:module";
const require = requireFrom(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;

/**
 * pkijs names each class in a static block, and esbuild keeps every class that has one. As a getter the name is the same,
 * and the classes that nothing uses, a quarter of the package, are left out.
 */
export const UNUSED_CLASSES = {
  name: "leaves unused classes out",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/node_modules\/pkijs\/build\/index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /static \{\s*this\.(\w+) = ("[^"]*");\s*\}/g,
        "static get $1() { return $2; }",
      ),
    })),
};

/** The folders of packages, as in package-lock.json, that have code in a bundle. */
export const packagesIn = ({ inputs }) =>
  Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);

/** The licence of a package: its file, or what its package.json says. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

export const licencesOf = (folders) => folders.map(licenceOf).join(`\n${"-".repeat(72)}\n\n`);

/** Expects Remix's build in build/ and public/build/. */
export async function bundle({ sourcemap }) {
  const { metafile } = await build({
    entryPoints: {
      deed: "bin/program.ts",
      index: "build/index.js",
      "quick-check": "db/quick-check.ts",
    },
    outdir: "build/commands",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    plugins: [UNUSED_CLASSES],
    banner: { js: COMMONJS },
    // Leaves React's development build out.
    define: { "process.env.NODE_ENV": '"production"' },
    logOverride: { "assign-to-define": "silent" },
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
  });
  mkdirSync("build/prebuilds");
  for (const name of readdirSync(SQLITE).filter((each) => PLATFORMS.test(each)))
    copyFileSync(`${SQLITE}/${name}`, `build/prebuilds/${name}`);

  const remix = ["server", "js"].map((name) =>
    JSON.parse(readFileSync(`build/metafile.${name}.json`, "utf8")),
  );
  const shipped = [...new Set([metafile, ...remix].flatMap(packagesIn))].sort();
  writeFileSync("build/packages.json", `${JSON.stringify(shipped, null, 2)}\n`);
  writeFileSync("build/commands/licences.txt", licencesOf(shipped));
}
