import { expect, type Page } from "@playwright/test";
import { claimPage, test } from "./holder.ts";

const isTelling = (request: { url(): string }) => request.url().endsWith("/waiting");

/** Counts how often the page has said that it is in view. */
function told(page: Page) {
  let count = 0;
  page.on("request", (request) => {
    if (isTelling(request)) count += 1;
  });
  return () => count;
}

// C9.11
test("the page of an open claim says that somebody waits, once a minute", async ({ page }) => {
  await page.clock.install();
  const count = told(page);
  const answered = page.waitForResponse(isTelling);
  await claimPage(page, "looking@visible.example");
  expect((await answered).status()).toBe(204);
  expect(count()).toBe(1);
  const again = page.waitForRequest(isTelling);
  await page.clock.fastForward(60_000);
  await again;
});

test("a hidden page tells nothing until it is looked at", async ({ page }) => {
  await page.addInitScript(() => {
    const shown = window as { isShown?: boolean };
    Object.defineProperty(document, "hidden", { get: () => !shown.isShown });
  });
  const count = told(page);
  await claimPage(page, "away@visible.example");
  await expect(page.locator("button.copy").first()).toBeVisible();
  expect(count()).toBe(0);
  const telling = page.waitForRequest(isTelling);
  await page.evaluate(() => {
    (window as { isShown?: boolean }).isShown = true;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await telling;
});
