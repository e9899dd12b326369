// `npm run gallery`: every screen in every state, with and without script, each asked of axe in both schemes at both
// widths. Pictures and figures are left in .cache/gallery. `npm test` walks a shorter way through the same states.
import { ensureBuilt, ensureInstalled, run } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
run("npx", ["playwright", "test", "gallery.spec.ts"], { GALLERY: "full" });
