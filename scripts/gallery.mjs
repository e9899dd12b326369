// `npm run gallery`: every screen in every state, looked at in Chromium and asked of axe; pictures and figures are left
// in .cache/gallery. `npm run gallery -- --full` does so with and without script, in both schemes at both widths.
import { ensureBuilt, ensureInstalled, run } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const walk = process.argv.includes("--full") ? "full" : "short";
run("npx", ["playwright", "test", "gallery.spec.ts"], { GALLERY: walk });
