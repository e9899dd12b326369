import { expect, type Page, test } from "@playwright/test";
import { txt } from "../../scripts/playground/records.ts";
import { mailedToken } from "../support/client.ts";
import { type Deed, startDeed } from "../support/deed.ts";
import { documentsLoaded } from "./holder.ts";

let deed: Deed;
test.beforeAll(async () => {
  deed = await startDeed({ FIRST_READ_SECONDS: "10" });
});
test.afterAll(() => deed.stop());

/** From the landing page to an open claim, as a person does it. Returns the record the page says to publish. */
async function signInAndClaim(page: Page, email: string, domain: string) {
  await page.goto(`${deed.service.url}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: /mail me|send/i }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Look at your mail");
  await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await page.getByRole("button", { name: `Sign in as ${email}` }).click();
  await expect(page).toHaveURL(/\/domains$/);

  await page.getByLabel("Domain name").first().fill(domain);
  await page.getByRole("button", { name: "Claim it" }).click();
  await expect(page).toHaveURL(/\/claims\/clm_/);
  const token = await page
    .getByText(/^service_v1_[0-9a-f]{40}$/)
    .first()
    .innerText();
  return { token, name: `_service-challenge.${domain}` };
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the main job goes from sign-in to a shared and revoked proof", async ({
    page,
    browser,
  }) => {
    const { token, name } = await signInAndClaim(page, "plain@holder.example", "acme.com");

    deed.playground.addRecord("acme.com", txt(`${name}.acme.com`, token));
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(page.locator("main")).toContainText("_service-challenge.acme.com.acme.com");
    await expect(page.getByRole("status").first()).toHaveText(/needs you/i);

    deed.playground.deleteRecord("acme.com", (record) => record.name === `${name}.acme.com`);
    deed.playground.addRecord("acme.com", txt(name, token));
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("status").first()).toHaveText(/proved/i, { timeout: 1_000 });
    }).toPass({ timeout: 100_000 });

    await page.getByRole("button", { name: /publish/i }).click();
    const link = page.getByRole("link", { name: "Open the proof page" });
    const url = (await link.getAttribute("href")) ?? "";
    const stranger = await browser.newPage({ javaScriptEnabled: false });
    await stranger.goto(new URL(url, deed.service.url).href);
    await expect(stranger.locator("main")).toContainText("acme.com");
    await expect(stranger.locator("main")).toContainText(token);
    await expect(stranger.locator("script")).toHaveCount(0);

    await page.getByRole("link", { name: "Revoke the link" }).click();
    expect((await stranger.reload())?.status()).toBe(200);
    await page.getByRole("button", { name: "Revoke the link" }).click();
    const gone = await stranger.reload();
    expect(gone?.status()).toBe(410);
    await stranger.close();
  });
});

test("the claim page updates by itself when the record is found", async ({ page }) => {
  const { token, name } = await signInAndClaim(page, "live@holder.example", "globex.com");
  const loads = documentsLoaded(page);
  deed.playground.addRecord("globex.com", txt(name, token));
  await expect(page.getByRole("status").first()).toHaveText(/proved/i, { timeout: 60_000 });
  expect(loads).toEqual([]);
});
