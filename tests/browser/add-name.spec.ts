import { expect, type Page, test } from "@playwright/test";
import { type Deed, openClaim, startDeed } from "../support/deed.ts";
import { signedIn } from "./holder.ts";

let deed: Deed;
test.beforeAll(async () => {
  deed = await startDeed();
});
test.afterAll(() => deed.stop());

/** The names the field suggests, as the browser lists them. */
const offered = (page: Page) =>
  page
    .locator("datalist option")
    .evaluateAll((options: HTMLOptionElement[]) =>
      options.map(({ value, label }) => ({ value, label })),
    );

test("the add field suggests every name the account has had, archived ones included", async ({
  page,
}) => {
  const client = await signedIn(page, deed, "names@holder.example");
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
