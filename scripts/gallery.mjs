// `npm run gallery`: every screen in every state, with and without script, in both schemes, looked at in Chromium and
// asked of axe; pictures and figures are left in .cache/gallery.
import { rmSync } from "node:fs";
import { ensureBuilt, run } from "./setup.mjs";

ensureBuilt();
rmSync(".cache/gallery", { recursive: true, force: true });
run("npx", ["playwright", "test", "gallery.spec.ts"], { GALLERY: "on" });
