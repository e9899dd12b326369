import { txt } from "@deed/playground/records.ts";
import { expect, type Locator, type Page } from "@playwright/test";
import { claimPage, deed, documentsLoaded, read, readToTheLimit, state, test } from "./holder.ts";

const PHONE = { width: 360, height: 740 };
const card = (page: Page) => page.locator(".card");

/** Expects that all of these are on the screen without scrolling. */
async function areInView(page: Page, parts: Locator[]): Promise<void> {
  for (const part of parts) {
    const box = await part.boundingBox();
    expect(box, `${part} is shown`).not.toBeNull();
    expect((box?.y ?? 0) + (box?.height ?? 0), `${part} ends`).toBeLessThan(PHONE.height);
  }
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
}

test("a record that nobody has seen is waited for, in the page, its title, its icon and the list", async ({
  page,
}) => {
  const { client, claim } = await claimPage(page, "patient@card.example");
  const checked = await read(client, claim);
  expect(checked.body).toMatchObject({ status: "needs_attention" });
  await page.reload();
  await expect(page.getByText("History: 1 check")).toBeVisible();
  await expect(state(page)).toHaveText("Waiting for your record");
  await expect(page).toHaveTitle(/^Waiting for your record · /);
  await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", /favicon-waiting/);
  await page.goto(`${deed.service.url}/domains`);
  await expect(page.locator("main")).toContainText("Waiting for your record");
  await expect(page.getByRole("link", { name: "Action needed 1", exact: true })).toBeVisible();
});

test("a record on the wrong name needs its holder at once, and is seen whole on a phone", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  const { client, claim } = await claimPage(page, "appended@card.example", "acme.com");
  await expect(page.getByRole("button", { name: "Copy Name", exact: true })).toBeVisible();
  await areInView(page, [
    page.getByText("_service-challenge", { exact: true }).first(),
    page.getByText(claim.token).first(),
    page.getByRole("button", { name: "Copy Name", exact: true }),
    page.getByRole("button", { name: "Copy Value", exact: true }),
    page.getByRole("link", { name: /^Open GoDaddy DNS settings/ }),
    page.getByRole("button", { name: "Check now" }),
    page.getByText(/^(Not c|C)hecked/),
  ]);
  deed.playground.addRecord("acme.com", txt(`${claim.name}.acme.com`, claim.token));
  await read(client, claim);
  await page.reload();
  await expect(state(page)).toHaveText("Action needed");
  const headline = page.getByRole("heading", { name: "The domain is in the name twice" });
  await areInView(page, [
    headline,
    page.getByText("Expected name"),
    page.getByRole("button", { name: "Copy Name", exact: true }),
  ]);
});

test("no two copy buttons have one name", async ({ page }) => {
  const { client, claim, zone } = await claimPage(page, "copier@card.example");
  deed.playground.addRecord(zone, txt(`${claim.name}.${zone}`, claim.token));
  await read(client, claim);
  await page.reload();
  await page.getByText("Other formats").click();
  await expect(page.getByRole("button", { name: "Copy Zone file" })).toBeVisible();
  const names = await page
    .locator("button.copy")
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  expect(names.length).toBeGreaterThan(3);
  expect(new Set(names).size).toBe(names.length);
});

test("a check too soon is told when the next may be", async ({ page }) => {
  await page.clock.install();
  const { client, claim } = await claimPage(page, "eager@card.example");
  await readToTheLimit(client, claim);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(card(page)).toContainText(/You can check again in \d+ s/);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(card(page)).toContainText("You can check again now.", { timeout: 1_000 });
  }).toPass();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a page with a text field never reloads; its live status does", async ({ page }) => {
    await claimPage(page, "plain@card.example");
    await expect(page.locator("input[name=title]")).toHaveCount(1);
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
    await page.getByRole("link", { name: "Live status" }).click();
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(1);
    await expect(page.locator("input[name=title]")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Check now" })).toBeVisible();
    await expect(page.locator("main")).toContainText("This page reloads every");
    await page.getByRole("link", { name: "Stop reloading" }).click();
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
    await expect(page.locator("input[name=title]")).toHaveCount(1);
  });

  test("each form is answered at an address of its own and sends what differs", async ({
    page,
  }) => {
    const { claim } = await claimPage(page, "dillo@card.example");
    const loaded = documentsLoaded(page);
    const time = page.locator("form:has([value=check]) input[name=at]");
    const before = await time.inputValue();
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(page).toHaveURL(new RegExp(`/domains/${claim.domainId}\\?at=\\w+$`));
    expect(await time.inputValue()).not.toBe(before);
    expect(new Set(loaded).size).toBe(2);
  });
});
