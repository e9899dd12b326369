import { txt } from "@deed/playground/records.ts";
import { expect, type Page } from "@playwright/test";
import { mailedToken } from "../support/deed.ts";
import { deed, state, test, title } from "./holder.ts";

const MOST_STOPS = 60;

/** The focused element: its name, and whether its focus is visible. */
const focused = (page: Page): Promise<{ name: string; isVisible: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: "", isVisible: false };
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const labels = isField ? [...(element.labels ?? [])] : [];
    const words = labels.map((label) => label.innerText).join(" ");
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      name: words || element.getAttribute("aria-label") || element.innerText.trim(),
      isVisible:
        style.outlineStyle !== "none" &&
        Number.parseFloat(style.outlineWidth) >= 2 &&
        box.width > 0 &&
        box.height > 0,
    };
  });

/** Tabs to the element with that name; every stop on the way must show its focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const at = await focused(page);
    if (at.name !== "") expect(at.isVisible, `focus on “${at.name}” is seen`).toBe(true);
    if (name.test(at.name)) return;
  }
  throw new Error(`no tab stop is called ${name}`);
}

const press = async (page: Page, name: RegExp) => {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
};

const isAt = (page: Page, selector: string) =>
  expect(page.locator(selector).and(page.locator(":focus"))).toHaveCount(1);

test("the main job can be done by keyboard alone", async ({ page, context }) => {
  const email = "keys@holder.example";
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${deed.service.url}/`);
  await tabTo(page, /^Skip to the content$/);
  await press(page, /^Sign in$/);
  await expect(page).toHaveURL(/\/sign-in$/);

  await tabTo(page, /email address/);
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText("Check your email");

  await page.goto(`${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`);
  await press(page, /^Sign in as/);
  await expect(page).toHaveURL(/\/domains$/);
  // In a new document, until its script runs, submitting a form loads another one, and no script moves the focus.
  await page.waitForLoadState();

  await tabTo(page, /Your domain/);
  await page.keyboard.type("not a name");
  await page.keyboard.press("Enter");
  await isAt(page, "input[aria-invalid=true]");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("acme.com");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/domains\/dom_/);
  await isAt(page, "#main");

  await press(page, /^Copy Value|^Copy .*value/i);
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect(token).toMatch(/^service_v1_[0-9a-f]{40}$/);

  deed.playground.addRecord("acme.com", txt("_service-challenge.acme.com", token));
  await page.evaluate(() => document.getElementById("main")?.focus());
  await press(page, /^Check now$/);
  await expect(state(page)).toHaveText(/proved/i, { timeout: 60_000 });
  await isAt(page, "h2, #main");

  await press(page, /^Publish a link$/);
  await expect(page.locator("#share")).toContainText("Preview");
  await isAt(page, "#share h2");
  await press(page, /^Revoke link$/);
  await expect(title(page)).toHaveText("Revoke this link?");
  await isAt(page, "h1, #main");
  await press(page, /^Revoke the link$/);
  await expect(title(page)).toHaveText("The link is revoked");
  await isAt(page, "h1, #main");
});
