import { expect, type Page } from "@playwright/test";
import { startService } from "../support/service.ts";
import { claimPage, deed, documentsLoaded, signedIn, test } from "./holder.ts";

test.use({ settings: { FIRST_READ_SECONDS: "900" } });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const notice = (page: Page) => page.getByRole("alert").filter({ hasText: "cannot be reached" });
const isWorking = (page: Page) => expect(page.locator("button.copy").first()).toBeVisible();

/** Ends the service, and returns what starts it again with the same data at the same address. */
async function ended(): Promise<() => Promise<void>> {
  const { service, playground } = deed;
  await service.kill();
  return async () => {
    deed.service = await startService({
      env: { ...playground.env, FIRST_READ_SECONDS: "900" },
      dataDir: service.dataDir,
      port: Number(new URL(service.url).port),
    });
  };
}

test("a form that leads to another page keeps this one and what was typed, and works later", async ({
  page,
}) => {
  await page.goto(deed.service.url, { waitUntil: "networkidle" });
  await page.getByLabel("Your domain").fill("acme.com");
  const beginAgain = await ended();
  for (let press = 0; press < 2; press++) {
    await page.getByRole("button", { name: "Check this domain" }).click();
    await expect(notice(page)).toBeVisible();
    await expect(page.getByLabel("Your domain")).toHaveValue("acme.com");
  }
  await beginAgain();
  await page.getByRole("button", { name: "Check this domain" }).click();
  await expect(title(page)).toHaveText("acme.com");
  await expect(notice(page)).toHaveCount(0);
});

test("a form, a link and the way back keep the page and what was typed", async ({ page }) => {
  await signedIn(page, "unreached@holder.example");
  await page.goto(`${deed.service.url}/account`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Invite someone" }).click();
  const field = page.getByLabel(/address/i).first();
  await field.fill("kept@else.example");
  const invite = page.getByRole("button", { name: "Invite", exact: true });
  const beginAgain = await ended();
  const leave = [
    () => page.goBack(),
    () => page.getByRole("link", { name: "Domains" }).click(),
    () => page.getByRole("button", { name: "Sign out" }).click(),
    () => invite.click(),
  ];
  for (const press of leave) {
    await press();
    await expect(notice(page)).toBeVisible();
    await expect(page).toHaveURL(/\/account\/people$/);
    await expect(field).toHaveValue("kept@else.example");
  }
  await beginAgain();
  await invite.click();
  await expect(page.locator("main table").last()).toContainText("kept@else.example");
  await expect(notice(page)).toHaveCount(0);
  await page.goBack();
  await expect(title(page)).toHaveText("Account");
});

test("a page that follows changes says that the service is gone, and is back", async ({ page }) => {
  const { zone } = await claimPage(page, "gone@holder.example");
  await isWorking(page);
  await page.getByText("Share with your DNS admin").click();
  await page.getByText("Your own heading, and a way back").click();
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
  await page.goto(deed.service.url, { waitUntil: "networkidle" });
  await page.route("**/build/routes/zones*", (route) => route.fulfill({ status: 404 }));
  const loads = documentsLoaded(page);
  await page.getByLabel("Your domain").fill("acme.com");
  await page.getByRole("button", { name: "Check this domain" }).click();
  await expect(title(page)).toHaveText("acme.com");
  expect(loads[0]).toBe(`${deed.service.url}/zones?name=acme.com`);
});
