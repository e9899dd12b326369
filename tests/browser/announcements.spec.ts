import { txt } from "@deed/playground/records.ts";
import { expect, type Page } from "@playwright/test";
import { openClaim } from "../support/deed.ts";
import { claimPage, deed, newZone, read, signedIn, state, test } from "./holder.ts";

/** From now on records what a screen reader would announce: the text of each live region whenever it changes. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const LIVE = "[aria-live]:not([aria-live=off]), [role=status], [role=alert]";
    const heard: string[] = [];
    const regions = new Map<Element, string>();
    const wordsOf = (region: Element) => {
      const copy = region.cloneNode(true) as Element;
      for (const silent of copy.querySelectorAll("[aria-live=off]")) silent.remove();
      return copy.textContent?.trim() ?? "";
    };
    for (const region of document.querySelectorAll(LIVE)) regions.set(region, wordsOf(region));
    new MutationObserver(() => {
      for (const region of document.querySelectorAll(LIVE)) {
        const words = wordsOf(region);
        if (regions.get(region) === words) continue;
        regions.set(region, words);
        if (words) heard.push(words);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

test("a claim's page announces each change once, and nothing else", async ({ page }) => {
  await page.clock.install();
  const { client, claim, zone } = await claimPage(page, "listener@holder.example");
  await expect(page.getByRole("button", { name: /^Copy/ }).first()).toBeVisible();
  const heard = await listen(page);

  deed.playground.addRecord(zone, txt(zone, claim.token));
  await read(client, claim);
  await expect(state(page)).toHaveText("Action needed");
  const told = ["Action needed", "Checked . Next check ."];
  expect(await heard()).toEqual(told);

  await test.step("not of the time that passes", async () => {
    const ago = page.locator("[role=status] time").first();
    const before = await ago.innerText();
    await page.clock.runFor(10_000);
    await expect(ago).not.toHaveText(before);
    expect(await heard()).toEqual(told);
  });

  await test.step("not of reads that came to the same", async () => {
    await read(client, claim);
    await expect(page.getByText("History: 2 checks")).toBeVisible();
    await read(client, claim);
    await expect(page.getByText("History: 3 checks")).toBeVisible();
    expect(await heard()).toEqual(told);
  });

  deed.playground.addRecord(zone, txt(claim.name, claim.token));
  await read(client, claim);
  await expect(state(page)).toHaveText("Proved");
  expect(await heard()).toEqual([...told, "Proved"]);
});

test("reloading the list of names announces nothing", async ({ page }) => {
  const client = await signedIn(page, "list@holder.example");
  const claim = await openClaim(client, newZone());
  await page.goto(`${deed.service.url}/domains`);
  await expect(page.getByRole("cell", { name: "waiting" })).toBeVisible();
  const heard = await listen(page);
  await read(client, claim);
  // A later domain is shown, so the list was loaded again.
  await client.post("/api/domains", { domain: "later.example" });
  await expect(page.getByRole("link", { name: "later.example" })).toBeVisible();
  expect(await heard()).toEqual([]);
});

test("copying is announced once", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await claimPage(page, "copier@holder.example");
  const copy = page.getByRole("button", { name: /^Copy/ }).first();
  await expect(copy).toBeVisible();
  const heard = await listen(page);
  await copy.click();
  await expect.poll(heard).toEqual(["Copied"]);
  await page.clock.runFor(2_500);
  expect(await heard()).toEqual(["Copied"]);
});
