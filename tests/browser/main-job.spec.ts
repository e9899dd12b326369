import { txt } from "@deed/playground/records.ts";
import { expect, type Page, test } from "@playwright/test";
import { mailedToken } from "../support/client.ts";
import { type Deed, startDeed } from "../support/deed.ts";
import { documentsLoaded } from "./holder.ts";
import { readQrCode } from "./qr.ts";

let deed: Deed;
test.beforeAll(async () => {
  deed = await startDeed({ FIRST_READ_SECONDS: "10" });
});
test.afterAll(() => deed.stop());

/** From the landing page to an open claim, as a person does it. Returns the record the page says to publish. */
async function signInAndClaim(page: Page, email: string, domain: string) {
  await page.goto(`${deed.service.url}/sign-in`);
  await page.getByLabel("Your email address").fill(email);
  await page.getByRole("button", { name: /mail me|send/i }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your mail");
  await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await page.getByRole("button", { name: `Sign in as ${email}` }).click();
  await expect(page).toHaveURL(/\/domains$/);

  await page.getByLabel("Your domain").first().fill(domain);
  await page.getByRole("button", { name: "Prove it" }).click();
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

    await expect(page.locator("#share")).toContainText("p•••@holder.example");
    await page.getByRole("button", { name: /publish/i }).click();
    const link = page.getByRole("link", { name: "Open the proof page" });
    const url = (await link.getAttribute("href")) ?? "";
    const stranger = await browser.newPage({ javaScriptEnabled: false, deviceScaleFactor: 3 });
    await stranger.goto(new URL(url, deed.service.url).href);
    for (const words of ["acme.com", token, "valid link", "2 of 2 answered", "p•••@holder.example"])
      await expect(stranger.locator("main")).toContainText(words);
    await expect(stranger.locator("main")).not.toContainText(/standing|first letter|again later/);
    await expect(stranger.locator("script")).toHaveCount(0);
    await expect(stranger.locator(".qr")).toBeHidden();

    // C10.19
    await stranger.emulateMedia({ media: "print" });
    expect(await readQrCode(browser, stranger.locator(".qr"))).toBe(stranger.url());
    const paper = (await stranger.pdf({ format: "A4" })).toString("latin1");
    expect(paper.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);

    await page.getByRole("link", { name: "Revoke the link" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Revoke this link?");
    expect((await stranger.reload())?.status()).toBe(200);
    await page.getByRole("button", { name: "Revoke the link" }).click();
    await expect(page.locator("main")).toContainText(
      "anyone who opens it reads that it was revoked",
    );
    const gone = await stranger.reload();
    expect(gone?.status()).toBe(410);
    await expect(stranger.locator("main")).toContainText("This link was revoked");
    await stranger.close();
  });
});

test.describe("from a domain anyone may look at", () => {
  test.use({ javaScriptEnabled: false });

  /** Asks as a visitor for the mail that proves a domain, and returns what was mailed. */
  async function askToProve(page: Page, domain: string, email: string) {
    await page.goto(`${deed.service.url}/zones/${domain}`);
    const picture = page.getByRole("list").filter({ hasText: "Registry" }).first();
    await expect(picture).toContainText(/Registry\s+\.com\s+points to/);
    await page.getByLabel("Your email address").fill(email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page).toHaveURL(/\/sign-in\/sent/);
  }

  test("the press that signs in opens the claim, and later ones lead to it", async ({ page }) => {
    const email = "zone@holder.example";
    await askToProve(page, "initech.com", email);
    const token = mailedToken(deed.service, email);
    await page.goto(`${deed.service.url}/sign-in/confirm?token=${token}`);
    await expect(page.locator("main")).toContainText("starts proving initech.com");
    await page.getByRole("button", { name: `Sign in as ${email}` }).click();
    await expect(page).toHaveURL(/\/claims\/clm_/);
    const claim = page.url();

    // A link that says so writes nothing; a press does, once.
    await page.goto(`${deed.service.url}/sign-in?next=/zones/globex.com%3Fprove`);
    await expect(page).toHaveURL(/\/zones\/globex\.com\?prove$/);
    await page.goto(`${deed.service.url}/domains`);
    await expect(page.locator("main")).not.toContainText("globex.com");
    await page.goto(`${deed.service.url}/zones/initech.com`);
    await page.getByRole("button", { name: "Prove it" }).click();
    await expect(page).toHaveURL(claim);
  });

  test("the code that signs in opens it too", async ({ page }) => {
    const email = "zone-code@holder.example";
    await askToProve(page, "acme.com", email);
    const code = /^ {4}(\d{6})$/m.exec(deed.service.outbox().at(-1) ?? "")?.[1] ?? "";
    await page.getByLabel(/six-digit/i).fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/claims\/clm_/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("acme.com");
  });

  test("a name nobody has registered is said to have no nameservers, not to have lost them", async ({
    page,
  }) => {
    await page.goto(`${deed.service.url}/zones/nobody-has-this.com`);
    const main = page.locator("main");
    await expect(main).toContainText(/Registry\s+\.com\s+lists no nameservers/);
    await expect(main).not.toContainText("no longer");
  });
});

test("the claim page updates by itself when the record is found, in a browser that believes it is offline", async ({
  page,
}) => {
  // As on a machine without a network, whose loopback works.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });
    window.addEventListener("load", () => window.dispatchEvent(new Event("offline")));
  });
  const { token, name } = await signInAndClaim(page, "live@holder.example", "globex.com");
  const loads = documentsLoaded(page);
  deed.playground.addRecord("globex.com", txt(name, token));
  await expect(page.getByRole("status").first()).toHaveText(/proved/i, { timeout: 60_000 });
  expect(loads).toEqual([]);
  await page.getByRole("button", { name: /publish/i }).click();
  await expect(page.getByRole("link", { name: "Open the proof page" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
