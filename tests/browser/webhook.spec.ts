import { expect } from "@playwright/test";
import { deed, signedIn, test, title } from "./holder.ts";

// How a scripted page sends its forms is tested in unreached.spec.ts.
test.use({ javaScriptEnabled: false });

test("a webhook says what it sends again, and is deleted after a question", async ({ page }) => {
  const client = await signedIn(page, "webhook@holder.example");
  const { id } = await client.expect(201, "POST", "/api/webhooks", {
    url: "https://hooks.invalid/gone",
  });
  await page.goto(`${deed.service.url}/account/webhooks/${id}`);
  await page.getByRole("link", { name: "Delete this webhook…" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Resend all that failed" }).click();
  await expect(page.getByRole("status")).toHaveText("0 events will be sent again.");
  await page.getByRole("link", { name: "Delete this webhook…" }).click();
  await page.getByRole("button", { name: "Delete the webhook" }).click();
  await expect(title(page)).toHaveText("Webhooks");
  await client.expect(404, "GET", `/api/webhooks/${id}`);
});
