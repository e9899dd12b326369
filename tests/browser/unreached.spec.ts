import { expect, type Page } from "@playwright/test";
import { startService } from "../support/service.ts";
import { claimPage, deed, documentsLoaded, SETTINGS, signedIn, test, title } from "./holder.ts";

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "cannot be reached" });
const isWorking = (page: Page) => expect(page.locator("button.copy").first()).toBeVisible();

/** Ends the service, and returns a function that starts it again with the same data at the same address. */
async function ended(): Promise<() => Promise<void>> {
  const { service, playground } = deed;
  await service.kill();
  return async () => {
    deed.service = await startService({
      env: { ...playground.env, ...SETTINGS },
      dataDir: service.dataDir,
      port: Number(new URL(service.url).port),
    });
  };
}

test("a form, a link and the way back keep the page and what was typed", async ({ page }) => {
  const client = await signedIn(page, "unreached@holder.example");
  const url = "https://hooks.invalid/first";
  await client.expect(201, "POST", "/api/webhooks", { url });
  await page.goto(`${deed.service.url}/account/webhooks`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: url }).click();
  await expect(title(page)).toHaveText(url);
  const field = page.getByLabel("Address");
  await field.fill("https://hooks.invalid/kept");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const beginAgain = await ended();
  const leave = [
    () => page.goBack(),
    () => page.getByRole("link", { name: "Domains" }).click(),
    () => page.getByRole("button", { name: "Sign out" }).click(),
    () => save.click(),
  ];
  for (const press of leave) {
    await press();
    await expect(notice(page)).toBeVisible();
    await expect(page).toHaveURL(/\/account\/webhooks\/whk_\w+$/);
    await expect(field).toHaveValue("https://hooks.invalid/kept");
  }
  await beginAgain();
  await save.click();
  await expect(title(page)).toHaveText("https://hooks.invalid/kept");
  await expect(notice(page)).toHaveCount(0);
  await page.goBack();
  await expect(title(page)).toHaveText("Webhooks");
});

test("a page that follows changes says that the service is gone, and is back", async ({ page }) => {
  const { zone } = await claimPage(page, "gone@holder.example");
  await isWorking(page);
  await page.locator("#handoff > summary").click();
  await page.getByText("Customize the page").click();
  await page.getByLabel("Heading").fill("half typed");
  const beginAgain = await ended();
  await expect(notice(page)).toBeVisible();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(title(page)).toHaveText(zone);
  await expect(notice(page)).toBeVisible();
  await beginAgain();
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByLabel("Heading")).toHaveValue("half typed");
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("History: 1 check")).toBeVisible();
});

test("a page of an older build leads on by documents where the service answers", async ({
  page,
}) => {
  await signedIn(page, "older@holder.example");
  await page.goto(`${deed.service.url}/domains`, { waitUntil: "networkidle" });
  await page.route("**/build/routes/docs*", (route) => route.fulfill({ status: 404 }));
  // The answer comes before a slow machine has drawn that the page is left.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  const loads = documentsLoaded(page);
  await page.getByRole("link", { name: "Docs" }).click();
  await expect(title(page)).toHaveText("Docs");
  expect(loads[0]).toBe(`${deed.service.url}/docs`);
});
