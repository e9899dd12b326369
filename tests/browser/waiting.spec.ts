import { expect, type Page } from "@playwright/test";
import { claimPage, test } from "./holder.ts";

const isTelling = (request: { url(): string }) => request.url().endsWith("/waiting");

const isReading = (request: { url(): string }) => request.url().includes("_data=routes");

/** Counts the page's requests of a kind; by default, how often it has said that it is in view. */
function counted(page: Page, isCounted = isTelling) {
  let count = 0;
  page.on("request", (request) => {
    if (isCounted(request)) count += 1;
  });
  return () => count;
}

// C9.11
test("the page of an open claim says that somebody waits, once a minute", async ({ page }) => {
  await page.clock.install();
  const count = counted(page);
  const answered = page.waitForResponse(isTelling);
  await claimPage(page, "looking@visible.example");
  expect((await answered).status()).toBe(204);
  expect(count()).toBe(1);
  const again = page.waitForRequest(isTelling);
  await page.clock.fastForward(60_000);
  await again;
});

test("a hidden page tells nothing, and is not read again, until it is looked at", async ({
  page,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const shown = window as { isShown?: boolean };
    Object.defineProperty(document, "hidden", { get: () => !shown.isShown });
  });
  const count = counted(page);
  const { client, claim } = await claimPage(page, "away@visible.example");
  const { url } = (await client.post(`/api/claims/${claim.id}/handoff`)).body as { url: string };
  for (const address of [page.url(), url]) {
    await page.goto(address);
    await expect(page.locator("button.copy").first()).toBeVisible();
  }
  const reads = counted(page, isReading);
  await page.clock.runFor(20_000);
  expect(count()).toBe(0);
  const asked = Promise.all([page.waitForRequest(isTelling), page.waitForRequest(isReading)]);
  await page.evaluate(() => {
    (window as { isShown?: boolean }).isShown = true;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.runFor(1_000);
  await asked;
  expect(reads()).toBe(1);
});
