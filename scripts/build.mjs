// `npm run build`: the service, then the command, so that nothing deployed needs a compiler.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { bundle } from "./bundle.mjs";
import { placeClients } from "./release/client.mjs";
import { buildOf } from "./release/version.mjs";
import { buildPageScripts, buildSavedPage, buildShellVerifier } from "./saved-page.mjs";
import { run } from "./setup.mjs";

/** With source maps, for scripts/executed-files.mjs; what ships has none. */
const sourcemap = process.argv.includes("--sourcemap");

for (const folder of ["build", "public/build"]) rmSync(folder, { recursive: true, force: true });
const built = buildOf();
placeClients(built.version, "public");

// React picks its JSX runtime by NODE_ENV; the value a test runner sets would break the build.
run("npx", ["remix", "build", ...(sourcemap ? ["--sourcemap"] : [])], { NODE_ENV: "production" });
// Remix writes what only the server imports at need, too; no page names it.
for (const name of readdirSync("public/build/_shared").filter((each) => /^stamp-/.test(each)))
  rmSync(`public/build/_shared/${name}`);
await buildSavedPage(built.version);
await buildPageScripts();
await buildShellVerifier(built.version);
await bundle({ sourcemap });

// What the registrar panel of the demo serves.
mkdirSync("build/commands/panel");
for (const file of ["packages/playground/panel/panel.css", "public/favicon.svg"])
  copyFileSync(file, `build/commands/panel/${basename(file)}`);
mkdirSync("build/commands/panel/styles");
const assets = "public/build/_assets";
const stylesheet = readdirSync(assets).find((name) => /^deed-.*\.css$/.test(name));
copyFileSync(`${assets}/${stylesheet}`, "build/commands/panel/styles/deed.css");

writeFileSync("build/commands/facts.json", `${JSON.stringify(built)}\n`);
