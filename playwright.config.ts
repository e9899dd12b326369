import "./tests/support/run.ts";
import { defineConfig } from "@playwright/test";
import { bringChromium } from "./tests/support/chromium.ts";

const launchOptions = bringChromium();
if (!launchOptions) throw new Error("The browser tests need Chromium, and none can be had here.");
await import("./tests/support/fenced.ts");

export default defineConfig({
  testDir: "tests/browser",
  // Packs the product, which tests start, and seeds the gallery's database: once a run.
  globalSetup: [
    "./tests/support/product.ts",
    ...(process.env.GALLERY ? ["./tests/browser/gallery/seed.ts"] : []),
  ],
  // `npm run gallery` walks every screen; it takes minutes of its own. `npm run pictures` writes files of the tree.
  testIgnore: process.env.GALLERY ? [] : ["**/gallery.spec.ts", "**/pictures.spec.ts"],
  outputDir: "test-results",
  workers: Number(process.env.IDLE_CORES ?? 2),
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: ".cache/reports/browser.json" }]],
  use: { browserName: "chromium", launchOptions },
});
