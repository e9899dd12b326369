// Steps of `npm run build`: the page that checks receipts from a disk, as one file with its style and script, and the
// scripts of that page as it is served and of the proof page, which load the reader of stamps when they meet one. Also
// `deed verify` as one file, for a stranger who has Node and nothing of Deed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { COMMONJS, UNUSED_CLASSES } from "./bundle.mjs";

const FOLDER = "app/features/receipts/view";
const ASSETS = "public/build/_assets";
const RENDERER = "build/saved-page.mjs";
export const SAVED_PAGE = "public/deed-verify.html";
const SHELL_VERIFIER = "public/deed-verify.mjs";

const hashOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export const buildPageScripts = () =>
  build({
    entryPoints: ["app/features/proofs/view/proof-script.ts", `${FOLDER}/verify-script.ts`],
    plugins: [UNUSED_CLASSES],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    outdir: ASSETS,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
  });

const OTHER_COMMANDS = {
  name: "leaves other commands out",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
      path === "./commands/verify.ts" ? null : { path, external: true },
    ),
};

export const buildShellVerifier = (version) =>
  build({
    stdin: {
      contents: `import { guardTerminal, run } from "./bin/program.ts";
        guardTerminal();
        await run(["verify", ...process.argv.slice(2)], ${JSON.stringify(version)});`,
      resolveDir: ".",
    },
    plugins: [OTHER_COMMANDS, UNUSED_CLASSES],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    banner: { js: COMMONJS },
    outfile: SHELL_VERIFIER,
  });

/** The same octets wherever and whenever it is built. Expects Remix's build in public/build, for the stylesheet. */
export async function savedPageText(version) {
  const { outputFiles } = await build({
    entryPoints: [`${FOLDER}/verify-script.ts`],
    plugins: [UNUSED_CLASSES],
    // With that of the tree, which is strict, "use strict" is written into some parts by chance.
    tsconfig: "scripts/saved-page.tsconfig.json",
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
  });
  const script = outputFiles[0].text.replaceAll("</script", "<\\/script").trim();
  const sheet = readdirSync(ASSETS).find((name) => /^deed-.*\.css$/.test(name));
  // Fonts and pictures of the site are not in the file.
  const style = readFileSync(`${ASSETS}/${sheet}`, "utf8").trim();
  await build({
    entryPoints: [`${FOLDER}/saved-page.tsx`],
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    packages: "external",
    define: { "process.env.NODE_ENV": '"production"' },
    outfile: RENDERER,
  });
  const { savedPage } = await import(pathToFileURL(RENDERER).href);
  const hashes = { style: hashOf(style), script: hashOf(script) };
  rmSync(RENDERER);
  return savedPage(style, script, hashes, version);
}

export const buildSavedPage = async (version) =>
  writeFileSync(SAVED_PAGE, await savedPageText(version));

/** The newest changes, and the hash by which a saved page is known to be this release's. */
export function releaseNotes(version, changelog, page) {
  const [, newest = ""] = changelog.split(/^## .*$/m);
  const hash = createHash("sha256").update(page).digest("hex");
  return `# Deed ${version}

${newest.trim()}

## The page that checks receipts

\`deed-verify.html\`, as each installation of this release gives it to save, has this SHA-256 hash:

    ${hash}
`;
}
