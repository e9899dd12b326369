import { expect } from "@playwright/test";
import { mailedToken } from "../support/deed.ts";
import { fusedWords } from "./gallery/checks.ts";
import { holdDatabase } from "./gallery/services.ts";
import { deed, signedIn, test, title } from "./holder.ts";

test("a value stands before each var(), for browsers that know none", async ({ page, request }) => {
  await page.goto(deed.service.url);
  const href = await page.locator("link[rel=stylesheet]").getAttribute("href");
  const css = await (await request.get(`${deed.service.url}${href}`)).text();
  const rules = css.match(/[^{}]+\{[^{}]*\}/g) ?? [];
  const bare = rules.flatMap((rule) => {
    const declarations = rule.slice(rule.indexOf("{") + 1, -1).split(";");
    const [own, used] = [new Set<string>(), [] as string[]];
    for (const declaration of declarations) {
      const property = declaration.split(":", 1)[0] ?? "";
      if (property.startsWith("--")) continue;
      if (!declaration.includes("var(")) own.add(property);
      else if (!own.has(property)) used.push(`${rule.split("{", 1)[0]} ${declaration}`);
    }
    return used;
  });
  expect(css).toContain("var(--ink)");
  expect(bare).toEqual([]);
});

test("pages where nothing changes by itself come without script, in three small requests", async ({
  page,
  browser,
}) => {
  await signedIn(page, "plain@holder.example");
  const storageState = await page.context().storageState();
  const open = ["/", "/sign-in", "/zones", "/zones/acme.com", "/docs", "/docs/api"];
  const own = ["/account", "/account/people", "/account/delete", "/docs/diagnoses"];
  for (const path of [...open, ...own]) {
    const cold = await browser.newContext(own.includes(path) ? { storageState } : {});
    const visit = await cold.newPage();
    const sizes: Promise<{ responseBodySize: number }>[] = [];
    // Not every Chromium asks for the icon by itself.
    visit.on("response", (answer) => {
      if (!answer.url().includes("/favicon")) sizes.push(answer.request().sizes());
    });
    await visit.goto(deed.service.url + path);
    const icon = await visit.locator("link[rel=icon]").getAttribute("href");
    const { length } = await (await cold.request.get(deed.service.url + icon)).body();
    await expect(visit.locator("script"), path).toHaveCount(0);
    const read = (await Promise.all(sizes)).map(({ responseBodySize }) => responseBodySize);
    const bytes = [...read, length];
    expect(bytes.length, path).toBeLessThanOrEqual(3);
    expect(
      bytes.reduce((sum, size) => sum + size, 0),
      path,
    ).toBeLessThan(14_000);
    await cold.close();
  }
});

test("no words run together where there is no CSS", async ({ page }) => {
  await signedIn(page, "words@holder.example");
  const paths = ["/", "/domains", "/account", "/account/people", "/account/delete", "/nothing"];
  for (const path of [...paths, "/zones/acme.com", "/docs", "/docs/diagnoses"]) {
    await page.goto(deed.service.url + path);
    expect(await fusedWords(page), path).toEqual([]);
  }
});

test("a button beside a field stays where it is when the field has an error", async ({ page }) => {
  await page.goto(deed.service.url);
  const button = page.locator("form.line button").first();
  const before = await button.boundingBox();
  await page.locator("form.line input").first().fill("not a name");
  await page.keyboard.press("Enter");
  await expect(page.locator("form.line [aria-invalid=true]")).toBeVisible();
  const line = page.locator("form.line").first();
  const top = async (selector: string) =>
    (await line.locator(selector).first().boundingBox())?.y ?? 0;
  expect((await top("button")) - (await top("input"))).toBe(0);
  expect((await line.locator("button").first().boundingBox())?.height).toBe(before?.height);
});

test("a browser that refuses cookies is told so, and its link still works elsewhere", async ({
  page,
  browser,
}) => {
  const email = "none@cookies.example";
  const refusing = await browser.newPage();
  // Headless Chromium has no setting to refuse cookies.
  await refusing.route("**/*", async (route) => {
    await refusing.context().clearCookies();
    await route.continue();
  });
  await refusing.goto(`${deed.service.url}/sign-in`);
  await refusing.getByLabel("Your email address").fill(email);
  await refusing.getByRole("button", { name: "Email me a link" }).click();
  await expect(title(refusing)).toHaveText("Check your email");
  await expect(refusing.locator("main")).toContainText("Signing in needs cookies");

  const link = `${deed.service.url}/sign-in/confirm?token=${mailedToken(deed.service, email)}`;
  await refusing.goto(link);
  await refusing.getByRole("button", { name: `Sign in as ${email}` }).click();
  await expect(title(refusing)).toHaveText("This browser refuses cookies");
  await expect(refusing.locator("main")).toContainText("your link still works");
  await refusing.close();

  await page.goto(link);
  await page.getByRole("button", { name: `Sign in as ${email}` }).click();
  await expect(page).toHaveURL(/\/domains$/);
});

test("a form that cannot be saved keeps what was typed, and who is signed in", async ({ page }) => {
  const email = "held@holder.example";
  await signedIn(page, email);
  await page.goto(`${deed.service.url}/account/people`);
  const field = page.getByLabel(/address/i).first();
  const typed = "someone@else.example";
  await field.fill(typed);
  const letGo = holdDatabase(deed.service.dataDir);
  try {
    await page
      .getByRole("button", { name: /invite/i })
      .first()
      .click();
    await expect(page.locator("main .error").first()).toBeVisible();
  } finally {
    letGo();
  }
  await expect(field).toHaveValue(typed);
  await expect(page.getByRole("contentinfo")).toContainText(email);
  await expect(page.getByRole("link", { name: "Sign in" })).toHaveCount(0);
  await page
    .getByRole("button", { name: /invite/i })
    .first()
    .click();
  await expect(page.locator("main table").last()).toContainText(typed);
});

test("an error page that does not know who is signed in offers no sign-in", async ({ page }) => {
  await signedIn(page, "unknown@holder.example");
  const page413 = await page.request.post(`${deed.service.url}/account/people?index`, {
    form: { email: "x".repeat(20_000) },
  });
  expect(page413.status()).toBe(413);
  expect(await page413.text()).not.toContain("/sign-in");
});

test("a connection that broke is not called a fault of the service", async ({ page }) => {
  await signedIn(page, "cut@holder.example");
  await page.goto(`${deed.service.url}/domains`, { waitUntil: "networkidle" });
  const fails = { status: 500, headers: { "X-Remix-Catch": "yes" }, json: {} };
  await page.route(/[?&]_data=/, (route) => route.fulfill(fails));
  await page.getByRole("link", { name: "Account" }).click();
  await expect(title(page)).toHaveText("Something failed on our side");
  await page.unroute(/[?&]_data=/);
  await page.route(/[?&]_data=/, (route) => route.abort());
  await page.goBack();
  await expect(title(page)).toHaveText("No connection to Deed");
  await expect(page.locator("main")).not.toContainText(/our side|Error 500/);
});
