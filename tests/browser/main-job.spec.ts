import { txt } from "@deed/playground/records.ts";
import { expect, type Locator } from "@playwright/test";
import { mailedToken, openClaim } from "../support/deed.ts";
import {
  claimPage,
  deed,
  documentsLoaded,
  newZone,
  read,
  signedIn,
  state,
  test,
  title,
} from "./holder.ts";
import { readQrCode } from "./qr.ts";

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the main job goes from sign-in to a shared and revoked proof", async ({
    page,
    browser,
  }) => {
    const email = "plain@holder.example";
    await page.goto(`${deed.service.url}/sign-in`);
    await page.getByLabel("Your email address").fill(email);
    await page.getByRole("button", { name: /mail me|send/i }).click();
    await expect(title(page)).toHaveText("Check your email");
    const mailed = mailedToken(deed.service, email);
    await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailed}`);
    await page.getByRole("button", { name: `Sign in as ${email}` }).click();
    await expect(page).toHaveURL(/\/domains$/);
    await page.getByLabel("Your domain").first().fill("acme.com");
    await page.getByRole("button", { name: "Add domain" }).click();
    await expect(page).toHaveURL(/\/domains\/dom_/);
    const shown = page.getByText(/^service_v1_[0-9a-f]{40}$/).first();
    const token = await shown.innerText();
    const name = "_service-challenge.acme.com";

    deed.playground.addRecord("acme.com", txt(`${name}.acme.com`, token));
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(page.locator("main")).toContainText("_service-challenge.acme.com.acme.com");
    await expect(state(page)).toHaveText(/action needed/i);

    deed.playground.deleteRecord("acme.com", (record) => record.name === `${name}.acme.com`);
    deed.playground.addRecord("acme.com", txt(name, token));
    deed.playground.flushWitnesses();
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(state(page)).toHaveText(/proved/i);

    await expect(page.locator("#share")).toContainText("p•••@holder.example");
    await page.getByRole("button", { name: /publish/i }).click();
    const link = page.getByRole("link", { name: "Preview" });
    const url = (await link.getAttribute("href")) ?? "";
    const stranger = await browser.newPage({ javaScriptEnabled: false, deviceScaleFactor: 3 });
    await stranger.goto(new URL(url, deed.service.url).href);
    for (const words of [
      "acme.com",
      token,
      "Good for its date only",
      "2 of 2 nameservers",
      "p•••@holder.example",
    ])
      await expect(stranger.locator("main")).toContainText(words);
    await expect(stranger.locator("main")).not.toContainText(/standing|first letter|again later/);
    await expect(stranger.locator("script")).toHaveCount(1);
    await expect(stranger.locator(".qr")).toBeHidden();

    // C10.19
    await stranger.emulateMedia({ media: "print" });
    await expect(stranger.getByRole("navigation")).toHaveCount(0);
    await expect(stranger.locator("main")).toContainText(/proved control.*\/p\//s);
    expect(await readQrCode(browser, stranger.locator(".qr"))).toBe(stranger.url());
    const paper = (await stranger.pdf({ format: "A4" })).toString("latin1");
    expect(paper.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);

    const checker = await browser.newPage({ javaScriptEnabled: true });
    await checker.goto(stranger.url());
    await checker.getByRole("button", { name: "Check this proof" }).click();
    await expect(checker.locator("[data-verdict]")).toContainText("Checked by your browser at ");
    await checker.pdf();
    await expect(checker.locator("details:not([open])")).toHaveCount(0);
    await checker.close();

    await page.getByRole("link", { name: "Revoke link" }).click();
    await expect(title(page)).toHaveText("Revoke this link?");
    expect((await stranger.reload())?.status()).toBe(200);
    await page.getByRole("button", { name: "Revoke the link" }).click();
    await expect(page.locator("main")).toContainText(
      "anyone who opens it sees that it was revoked",
    );
    const gone = await stranger.reload();
    expect(gone?.status()).toBe(410);
    await expect(stranger.locator("main")).toContainText("This link was revoked");
    await stranger.close();
  });
});

test("a newcomer gets to the record in three presses, the mailed link, and two typed fields", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const email = "newcomer@visitor.example";
  const done = { presses: 0, fields: 0 };
  const press = async (target: Locator) => {
    done.presses += 1;
    await target.click();
  };
  const type = async (target: Locator, text: string) => {
    done.fields += 1;
    await target.fill(text);
  };
  await page.goto(deed.service.url);
  await type(page.getByLabel("Your domain"), "acme.com");
  await press(page.getByRole("button", { name: "Check this domain" }));
  const picture = page.getByRole("list").filter({ hasText: "Registry" }).first();
  await expect(picture).toContainText(/Registry\s+\.com\s+points to/);
  await type(page.getByLabel(/e-?mail address/i), email);
  await press(page.getByRole("button", { name: "Email me a link" }));
  await expect(page).toHaveURL(/\/sign-in\/sent/);
  await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await expect(page.locator("main")).toContainText("starts proving acme.com");
  await press(page.locator("main form").getByRole("button").first());
  await expect(page).toHaveURL(/\/domains\/dom_/);

  expect(done.presses).toBe(3);
  expect(done.fields).toBeLessThanOrEqual(2);
  for (const value of [/^_service-challenge$/, /^service_v1_[0-9a-f]{40}$/]) {
    await expect(page.getByText(value).first()).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);

  // Opening such a link writes nothing; pressing its button does, once.
  const claim = page.url();
  await page.goto(`${deed.service.url}/sign-in?next=/zones/globex.com%3Fprove`);
  await expect(page).toHaveURL(/\/zones\/globex\.com\?prove$/);
  await page.goto(`${deed.service.url}/domains`);
  await expect(page.locator("main")).not.toContainText("globex.com");
  await page.goto(`${deed.service.url}/zones/acme.com`);
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page).toHaveURL(claim);
});

test("the claim page updates by itself when the record is found, in a browser that believes it is offline", async ({
  page,
}) => {
  // Like a machine without a network, where only loopback works.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });
    window.addEventListener("load", () => window.dispatchEvent(new Event("offline")));
  });
  const zone = newZone();
  const { client, claim } = await claimPage(page, "live@holder.example", zone);
  const loads = documentsLoaded(page);
  deed.playground.addRecord(zone, txt(claim.name, claim.token));
  await read(client, claim);
  await expect(state(page)).toHaveText(/proved/i);
  expect(loads).toEqual([]);
  await page.getByRole("button", { name: /publish/i }).click();
  await expect(page.getByRole("link", { name: "Preview" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a watched record that is missing is checked at once when asked, and seen when it is back", async ({
  page,
}) => {
  const { client, claim, zone } = await claimPage(page, "again@holder.example");
  const put = () => deed.playground.addRecord(zone, txt(claim.name, claim.token));
  put();
  await read(client, claim);
  await expect(state(page)).toHaveText(/proved/i);
  deed.playground.deleteRecord(zone, ({ name }) => name === claim.name);
  await page.getByRole("button", { name: "Watch the record" }).click();
  const check = page.getByRole("button", { name: "Check now" });
  const absent = "no nameserver that answered had it";
  await expect(async () => {
    await page.reload();
    await expect(page.locator("main")).toContainText(absent, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText("The record to add")).toBeVisible();
  put();
  await check.click();
  await expect(page.locator("main")).not.toContainText(absent);
  await expect(page.locator("main")).toContainText(/Watched, seen (now|.+ ago)\./);
});

test("the page for whoever edits the zone updates by itself, without an account", async ({
  page,
  browser,
}) => {
  const client = await signedIn(page, "live-handoff@holder.example");
  const claim = await openClaim(client, "globex.com");
  const { url } = (await client.post(`/api/claims/${claim.id}/handoff`)).body as { url: string };
  const editor = await (await browser.newContext()).newPage();
  await editor.clock.install();
  await editor.goto(url);
  await expect(editor.getByRole("button", { name: "Copy Name" }).first()).toBeVisible();
  const loads = documentsLoaded(editor);
  deed.playground.addRecord("globex.com", txt(claim.name, claim.token));
  await read(client, claim);
  await expect(async () => {
    await editor.clock.runFor(15_500);
    await expect(title(editor)).toHaveText("globex.com was proved", {
      timeout: 1_000,
    });
  }).toPass();
  expect(loads).toEqual([]);
  await editor.context().close();
});
