import { txt } from "@deed/playground/records.ts";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Deed, openClaim, startDeed } from "../support/deed.ts";
import { documentsLoaded, reload, signedIn } from "./holder.ts";

let deed: Deed;
test.beforeAll(async () => {
  deed = await startDeed({ FIRST_READ_SECONDS: "10" });
});
test.afterAll(() => deed.stop());

/** Opens the account holder's claim page and creates the link for the person who edits the zone. */
async function handOver(page: Page, email: string, domain: string, isAddressShown = false) {
  const client = await signedIn(page, deed, email);
  const claim = await openClaim(client, domain);
  await page.goto(`${deed.service.url}/claims/${claim.id}`);
  await page.getByText("Share with your DNS admin").click();
  if (isAddressShown) await page.getByLabel(/Show my address/i).check();
  await page.getByRole("button", { name: "Make the page" }).click();
  const url = await page.getByText(/^http:\/\/\S+\/h\/[0-9a-z]{26}$/).innerText();
  return { claim, url };
}

/** A different browser, without a session. */
const elsewhere = async (browser: Browser, url: string, javaScriptEnabled: boolean) => {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url);
  return page;
};

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("whoever edits the zone adds the record, is told what is wrong, and sees it found", async ({
    page,
    browser,
  }) => {
    const { claim, url } = await handOver(page, "plain@holder.example", "acme.com");
    const editor = await elsewhere(browser, url, false);
    const main = editor.locator("main");
    await expect(editor.getByRole("heading", { level: 1 })).toContainText("acme.com");
    const text = await main.innerText();
    expect(text.indexOf("Only add this if you know who asks")).toBeGreaterThan(0);
    expect(text.indexOf("p•••@holder.example")).toBeGreaterThan(text.indexOf("Only add this"));
    expect(text.indexOf(claim.token)).toBeGreaterThan(text.indexOf("p•••@holder.example"));
    await expect(editor.locator("meta[http-equiv=refresh]")).toHaveCount(0);
    await expect(main).toContainText(claim.token);
    await expect(editor.locator("body")).not.toContainText("plain@holder.example");

    deed.playground.addRecord("acme.com", txt(`${claim.name}.acme.com`, claim.token));
    await editor.getByRole("button", { name: "Check now" }).click();
    await expect(editor).toHaveURL(new RegExp(`^${url}\\?at=`));
    await expect(main).toContainText(`${claim.name}.acme.com`);
    await expect(main).toContainText("has it on another name");
    await expect(editor.getByRole("status").first()).toHaveText(/needs you/i);
    await editor.getByRole("button", { name: "Check now" }).click();
    await expect(main.getByText(/you can check again in/)).toBeVisible();
    await editor.getByText(/^History: /).click();
    await expect(main.getByRole("listitem").filter({ hasText: "on a doubled name" })).toBeVisible();

    deed.playground.addRecord("acme.com", txt(claim.name, claim.token));
    await expect(async () => {
      await editor.goto(url);
      await expect(editor.getByRole("heading", { level: 1 })).toHaveText("The record was found", {
        timeout: 1_000,
      });
    }).toPass({ timeout: 100_000 });
    expect((await reload(editor))?.status()).toBe(410);
    await editor.context().close();
    await reload(page);
    await expect(page.getByRole("status").first()).toHaveText(/proved/i);
  });

  test("the asker's address is shown whole only if they ticked the box", async ({
    page,
    browser,
  }) => {
    const { url } = await handOver(page, "whole@holder.example", "hooli.com", true);
    const editor = await elsewhere(browser, url, false);
    await expect(editor.locator("main")).toContainText("whole@holder.example asked");
    await editor.context().close();
  });

  test("the holder takes the link back", async ({ page, browser }) => {
    const { url } = await handOver(page, "back@holder.example", "initech.com");
    const editor = await elsewhere(browser, url, false);
    await page.getByRole("button", { name: "Take the link back" }).click();
    await expect(page.getByText(url)).toHaveCount(0);
    expect((await reload(editor))?.status()).toBe(410);
    await expect(editor.getByRole("heading", { level: 1 })).toHaveText("This link was revoked");
    await editor.context().close();
  });
});

test("with JavaScript the page updates by itself, without an account", async ({
  page,
  browser,
}) => {
  const { claim, url } = await handOver(page, "live@holder.example", "globex.com");
  const editor = await elsewhere(browser, url, true);
  await expect(editor.getByRole("button", { name: "Copy Name" }).first()).toBeVisible();
  const loads = documentsLoaded(editor);
  deed.playground.addRecord("globex.com", txt(claim.name, claim.token));
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("The record was found", {
    timeout: 80_000,
  });
  expect(loads).toEqual([]);
  await editor.context().close();
});
