import { expect, type Page } from "@playwright/test";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { deed, signedIn, test } from "./holder.ts";

const offered = (page: Page) =>
  page
    .locator("datalist option")
    .evaluateAll((options: HTMLOptionElement[]) =>
      options.map(({ value, label }) => ({ value, label })),
    );

test("the add field suggests every name the account has had, archived ones included", async ({
  page,
}) => {
  const client = await signedIn(page, "names@holder.example");
  // More names than are served with the page, so matches must be fetched while typing.
  for (let index = 0; index < 14; index++)
    await client.post("/api/domains", { domain: `filler-${index}.example` });
  const kept = await openClaim(client, "harbour.example");
  await client.post(`/api/claims/${kept.id}/cancel`);
  const shelved = await openClaim(client, "harbour-old.example");
  await client.post(`/api/claims/${shelved.id}/cancel`);
  await client.post(`/api/domains/${shelved.domainId}/archive`);
  await client.post("/api/domains", { domain: "bücher-laden.example" });
  for (let index = 14; index < 28; index++)
    await client.post("/api/domains", { domain: `filler-${index}.example` });

  await page.goto(`${deed.service.url}/domains`);
  const field = page.getByLabel("Your domain");
  const told = page.locator("form").filter({ has: field }).getByRole("status");
  expect((await offered(page)).map(({ value }) => value)).not.toContain("harbour.example");
  await field.pressSequentially("harb");
  await expect
    .poll(() => offered(page))
    .toEqual([
      { value: "harbour.example", label: expect.stringMatching(/· canceled \d+ \w+ \d{4}$/) },
      { value: "harbour-old.example", label: expect.stringMatching(/· archived, canceled/) },
    ]);
  await expect(told).toBeEmpty();

  await field.pressSequentially("our-old.example");
  await expect(told).toHaveText(/You have had this domain: archived, canceled \d+ \w+ \d{4}\./);
  await field.fill("Bücher-Laden.example.");
  await expect(told).toHaveText("You have had this domain: not proved yet.");
  await field.fill("elsewhere.example");
  await expect(told).toBeEmpty();
  await expect.poll(() => offered(page)).toEqual([]);

  await field.fill("harbour-old.example");
  await page.getByRole("button", { name: "Add to list" }).click();
  await expect(page.locator("main")).toContainText("It is in your archive.");
});

async function addLines(page: Page, lines: string[], button: string) {
  await page.goto(`${deed.service.url}/domains`);
  await page.getByText("Add several at once").click();
  await page.getByLabel("Domains, one a line").fill(lines.join("\n"));
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.locator("details").getByRole("button", { name: button }).click();
  return (await answered).status();
}

const results = (page: Page) =>
  page
    .locator("details tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector("th")?.textContent?.trim(),
        row.querySelector("td")?.lastChild?.textContent?.trim(),
      ]),
    );

/** Waits until a domain added elsewhere is on the page, which reloads its data for it. */
async function reloadedInBackground(page: Page, client: Client) {
  await client.post("/api/domains", { domain: "elsewhere.example" });
  await expect(page.getByRole("link", { name: "elsewhere.example" })).toBeVisible();
}

const claimed = async (client: Client) =>
  ((await client.get("/api/claims")).body as { claims: { domain: string }[] }).claims
    .map(({ domain }) => domain)
    .sort();

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with script" : "without script", () => {
    test.use({ javaScriptEnabled });

    test("lines are added at once, each with its result; what failed stays", async ({ page }) => {
      const client = await signedIn(page, `lines-${javaScriptEnabled}@holder.example`);
      const shelved = await openClaim(client, "shelved.example");
      await client.post(`/api/claims/${shelved.id}/cancel`);
      await client.post(`/api/domains/${shelved.domainId}/archive`);
      const lines = [
        "one.example",
        "ONE.example.",
        "",
        "no name",
        "two.example",
        "shelved.example",
      ];

      expect(await addLines(page, lines, "Add all to list")).toBe(200);
      await expect
        .poll(() => results(page))
        .toEqual([
          ["one.example", "added to your list"],
          ["one.example", "already in your list"],
          ["no name", "A domain cannot contain “ ”."],
          ["two.example", "added to your list"],
          ["shelved.example", "in your archive"],
        ]);
      await expect(page.locator("details").getByRole("status")).toHaveText(
        "Done: 4 of 5. What failed is still in the field.",
      );
      await expect(page.getByLabel("Domains, one a line")).toHaveValue("no name");
      expect(await claimed(client)).toEqual(["shelved.example"]);
      if (javaScriptEnabled) await reloadedInBackground(page, client);
      await expect(page.getByText("already in your list")).toBeVisible();

      await page
        .getByLabel("Domains, one a line")
        .fill("two.example\nthree.example\nshelved.example");
      await page.getByRole("button", { name: "Prove all" }).click();
      await expect
        .poll(() => results(page))
        .toEqual([
          ["two.example", "being proved"],
          ["three.example", "being proved"],
          ["shelved.example", "in your archive"],
        ]);
      await expect(page.getByLabel("Domains, one a line")).toHaveValue("");
      expect(await claimed(client)).toEqual(["shelved.example", "three.example", "two.example"]);
    });

    test("www. is removed, and kept by one press on the next page", async ({ page }) => {
      const client = await signedIn(page, `www-${javaScriptEnabled}@holder.example`);
      await page.goto(`${deed.service.url}/domains`);
      await page.getByLabel("Your domain").fill("www.acme.com");
      await expect(page.getByLabel("Reference").first()).toBeHidden();
      await page.getByText("Add a reference").click();
      await page.getByLabel("Reference").first().fill(" cust_1 ");
      await page.getByRole("button", { name: "Prove it" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("acme.com");
      await page.getByRole("button", { name: "Prove www.acme.com" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("www.acme.com");
      await expect(page.getByText("Without www.")).toBeHidden();
      const { domains } = (await client.get("/api/domains?reference=cust_1")).body as {
        domains: { name: string; status: string }[];
      };
      expect(domains).toMatchObject([
        { name: "www.acme.com", status: "pending" },
        { name: "acme.com", status: "pending" },
      ]);
    });
  });
