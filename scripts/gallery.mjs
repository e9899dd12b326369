// `npm run gallery [-- -g name]`: renders every screen in every state in Chromium, with and without script, in both colour schemes,
// and checks it with axe. Writes pictures to .cache/gallery, except in CI.
import { rmSync } from "node:fs";
import { run } from "./setup.mjs";

const chosen = process.argv.slice(2);
if (chosen.length === 0) rmSync(".cache/gallery", { recursive: true, force: true });
run("npx", ["playwright", "test", "gallery.spec.ts", ...chosen], { GALLERY: "on" });
