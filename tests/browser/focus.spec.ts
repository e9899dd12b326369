import { expect, type Page } from "@playwright/test";
import { mailedToken, openClaim } from "../support/deed.ts";
import {
  claimPage,
  deed,
  newZone,
  readToTheLimit,
  signedIn,
  state,
  test,
  title,
} from "./holder.ts";

/** Waits until an element matching `selector` has the focus, so that it is not at the page's start by accident. */
const isAt = (page: Page, selector: string) =>
  expect
    .poll(() =>
      page
        .evaluate((where) => document.activeElement?.matches(where) ?? false, selector)
        // A page without script may be replaced during this question.
        .catch(() => false),
    )
    .toBe(true);

/** Pages without script are loaded again, and reading starts at the beginning. */
const NEW_DOCUMENT = "body";
const INVALID = "[aria-invalid=true]";

/** Expects that the invalid field has the focus, and that its error is in its description. */
async function isAtFault(page: Page, words: RegExp): Promise<void> {
  await isAt(page, INVALID);
  await expect(page.locator(INVALID)).toHaveAccessibleDescription(words);
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).first().focus();
  await page.keyboard.press("Enter");
}

async function send(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByLabel(label).first().fill(text);
  await page.keyboard.press("Enter");
}

test("signing in", async ({ page }) => {
  const { service } = deed;
  const email = "focus@visitor.example";
  await page.goto(`${service.url}/sign-in`);
  await page
    .locator("form")
    .first()
    .evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
  await send(page, /email address/i, "nobody@nowhere@else");
  await isAtFault(page, /not an email address/);
  await send(page, /email address/i, email);
  await expect(title(page)).toHaveText("Check your email");
  await isAt(page, NEW_DOCUMENT);

  await send(page, /six-digit/i, "000000");
  await isAtFault(page, /This code is wrong or no longer works/);

  await page.goto(`${service.url}/sign-in/confirm?token=${mailedToken(service, email)}`);
  await press(page, /^Sign in as/);
  await expect(page).toHaveURL(/\/domains$/);
});

test("a claim: checked, handed over, taken back, canceled", async ({ page }) => {
  const { client, claim } = await claimPage(page, "claimer@holder.example");
  await press(page, "Check now");
  await expect(page.getByText("History: 1 check")).toBeVisible();
  await isAt(page, "form:has([value=check]) button");
  await readToTheLimit(client, claim);
  await press(page, "Check now");
  await expect(page.locator("main")).toContainText("You can check again");
  await isAt(page, "form:has([value=check]) button");

  // By keyboard: a line that changes above it may move it under the mouse.
  await page.locator("#handoff > summary").press("Enter");
  await press(page, "Create link");
  await expect(page.locator("#handoff")).toContainText("Preview");
  await isAt(page, "#handoff summary");
  await press(page, "Revoke hand-off link");
  await expect(page.locator("#handoff")).toContainText("Create link");
  await isAt(page, "#handoff summary");

  await page.getByText("…", { exact: true }).click();
  await page.getByText("Cancel this claim…").click();
  await press(page, "Cancel the claim");
  await expect(state(page)).toHaveText("Canceled");
  await isAt(page, "#main");
});

test("a domain archived, taken out and deleted", async ({ page }) => {
  const client = await signedIn(page, "archivist@holder.example");
  const { domainId } = await openClaim(client, newZone());
  await page.goto(`${deed.service.url}/domains/${domainId}`);
  await page.getByText("…", { exact: true }).click();
  await page.getByRole("link", { name: "Archive…" }).press("Enter");
  await expect(page).toHaveURL(/\/archive$/);
  await isAt(page, "#main");
  await press(page, "Archive it");
  await expect(page.locator("main")).toContainText("· archived");
  await isAt(page, "#main");
  await press(page, "Take out of the archive");
  await expect(page.getByRole("button", { name: "Start again" })).toBeVisible();
  await isAt(page, ".card h2, #main");
  await page.getByText("…", { exact: true }).click();
  await page.getByRole("link", { name: "Delete…" }).press("Enter");
  await expect(page).toHaveURL(/\/delete$/);
  await press(page, "Delete it for good");
  await expect(page).toHaveURL(/\/domains\?deleted=screen-/);
  await isAt(page, "#main");
});

test("the account's forms", async ({ page }) => {
  const email = "leaver@holder.example";
  await signedIn(page, email);
  await page.goto(`${deed.service.url}/account`);
  await press(page, "Stop emailing notices");
  await expect(page.getByRole("button", { name: "Email me notices" })).toBeVisible();
  await isAt(page, NEW_DOCUMENT);

  await page.getByRole("link", { name: "Delete account…" }).press("Enter");
  await expect(page).toHaveURL(/\/delete$/);
  await isAt(page, NEW_DOCUMENT);
  await send(page, /Type the address/, "somebody@else.example");
  await isAtFault(page, /not the address of this account/);
  await send(page, /Type the address/, email);
  await expect(page).toHaveURL(`${deed.service.url}/sign-in?deleted`);
  await isAt(page, NEW_DOCUMENT);
});
