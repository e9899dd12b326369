import { existsSync } from "node:fs";
import { chromium, defineConfig } from "@playwright/test";

/** Playwright's own Chromium, else the system's; where there is neither the run says how to get one. */
function chromiumPath(): string | undefined {
  if (existsSync(chromium.executablePath())) return undefined;
  const system = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    existsSync,
  );
  if (system) return system;
  throw new Error(
    "The browser tests need Chromium: run `npx playwright install chromium`, or `apt-get install chromium` on Debian.",
  );
}

const executablePath = chromiumPath();

export default defineConfig({
  testDir: "tests/browser",
  // `npm run gallery` walks every screen; it takes minutes of its own.
  testIgnore: process.env.GALLERY ? [] : ["**/gallery.spec.ts"],
  outputDir: "test-results",
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: ".cache/reports/browser.json" }]],
  use: {
    browserName: "chromium",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
