import { expect } from "@playwright/test";
import { deed, test } from "./holder.ts";

test("a button copies the block of code that it stands in, of a shell's session only the commands", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto(`${deed.service.url}/docs/api/claims`);
  const block = page.locator("#getClaim pre").first();
  const code = await block.locator("code").textContent();
  expect(code).toContain('curl -sS "$DEED_URL/api/claims/');
  await block.getByRole("button").click();
  await expect(block.getByRole("button")).toHaveAccessibleName("Copied code");
  expect(await copied()).toBe(code);
  await page.goto(`${deed.service.url}/docs/diagnoses/domain_appended`);
  const session = page.locator("pre", { hasText: "(dig prints nothing)" });
  await session.getByRole("button", { name: "Copy command" }).click();
  await expect.poll(copied).toBe("dig +short TXT _service-challenge.acme.com");
});
