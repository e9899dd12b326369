import { expect, type Page } from "@playwright/test";
import { deed, documentsLoaded, test } from "./holder.ts";

const HOST = "_3f0c9a7d5b1e42868d2a6c40e97b51f3";
const TARGET = "_9d1e5c7b3a2f48609f8e7d6c5b4a3921.djqtsrsxkq.acm-validations.aws";

const cname = (name: string) => ({ name, ttl: 300, type: "CNAME", data: TARGET }) as const;

const wordsOn = async (page: Page) =>
  (await page.locator("main").innerText()).split(/\s+/).filter((word) => /\p{L}/u.test(word));

let made = 0;
/** A zone at GoDaddy where the name of a certificate's CNAME contains the domain twice. */
function doubled() {
  const zone = `certified-${made++}.example`;
  deed.playground.addZone({ name: zone, nameservers: ["ns61.domaincontrol.com"] });
  deed.playground.addRecord(zone, cname(`${HOST}.${zone}.${zone}`));
  return { zone, line: `${HOST}.${zone}. CNAME ${TARGET}.` };
}

// C33.6
test("a person who reads only the screen mends a doubled name, and sees it found without a reload", async ({
  page,
}) => {
  const { zone, line } = doubled();
  await page.goto(`${deed.service.url}/check`);
  expect((await wordsOn(page)).length).toBeLessThanOrEqual(60);
  await page.getByLabel("Name").fill(line);
  await page.getByRole("button", { name: "Check this record" }).click();
  const card = page.locator(".card");
  await expect(card.locator("[data-code]")).toHaveAttribute("data-code", "domain_appended");
  await expect(card.locator(".fix")).toHaveText(
    "In GoDaddy, edit the record and leave only this in Name:",
  );
  await expect(card).toContainText("This page keeps checking.");
  // As the screen says: the copied field, in a panel that adds the domain.
  const typed = await card.locator(".changed code").innerText();
  const documents = documentsLoaded(page);
  deed.playground.deleteRecord(zone, ({ name }) => name.endsWith(`${zone}.${zone}`));
  deed.playground.addRecord(zone, cname(`${typed}.${zone}`));
  await expect(card.locator("h2")).toHaveText("Found on the nameserver", { timeout: 60_000 });
  await expect(card.locator("time")).toHaveText(/\d\d:\d\d/);
  expect(documents).toEqual([]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });
  test("checks, and checks again", async ({ page }) => {
    const { line } = doubled();
    await page.goto(deed.service.url);
    await page.getByLabel("The record that you added").fill(line);
    await page.getByRole("button", { name: "Check this record" }).click();
    await expect(page.locator("[data-code]")).toHaveAttribute("data-code", "domain_appended");
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.locator("[data-code]")).toHaveAttribute("data-code", "domain_appended");
    await expect(page.locator(".card")).not.toContainText("keeps checking");
  });
});
