import { expect, type Locator, test } from "@playwright/test";
import { mailedToken } from "../support/client.ts";
import { type Deed, startDeed } from "../support/deed.ts";

let deed: Deed;
test.beforeAll(async () => {
  deed = await startDeed();
});
test.afterAll(() => deed.stop());

test.use({ viewport: { width: 360, height: 740 } });

test("a newcomer gets to the record in four presses at most and two typed fields", async ({
  page,
}) => {
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
  await type(page.getByLabel(/e-?mail address/i), email);
  await press(page.getByRole("button", { name: "Email me a link" }));
  await expect(page).toHaveURL(/\/sign-in\/sent/);
  // The press on the link in the mail.
  done.presses += 1;
  await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await press(page.locator("main form").getByRole("button").first());
  await expect(page).toHaveURL(/\/claims\/clm_/);

  expect(done.presses).toBeLessThanOrEqual(4);
  expect(done.fields).toBeLessThanOrEqual(2);
  for (const value of [/^_service-challenge$/, /^service_v1_[0-9a-f]{40}$/]) {
    await expect(page.getByText(value).first()).toBeInViewport({ ratio: 1 });
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
