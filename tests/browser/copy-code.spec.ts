import { expect } from "@playwright/test";
import { deed, test } from "./holder.ts";

test("a button copies the block of code that it stands in", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${deed.service.url}/docs/api/claims`);
  const block = page.locator("#getClaim pre").first();
  const code = await block.locator("code").textContent();
  expect(code).toContain('curl -sS "$DEED_URL/api/claims/');
  const button = block.getByRole("button");
  await button.click();
  await expect(button).toHaveAccessibleName("Copied this code");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test("of a shell's session it copies only the commands", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${deed.service.url}/docs/diagnoses/domain_appended`);
  await page.locator("pre", { hasText: "(dig prints nothing)" }).getByRole("button").click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe("dig +short TXT _service-challenge.acme.com");
});
