import { mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page, type Response, test } from "@playwright/test";
import { injectAxe, openUnscripted, overflow, violations } from "./gallery/checks.ts";
import { MOST_WORDS, wordsInView } from "./gallery/first-screen.ts";
import { type GalleryServices, startGallery } from "./gallery/services.ts";
import { STATES, type State } from "./gallery/states.ts";

const SHOTS = ".cache/gallery";
const SCHEMES = ["light", "dark"] as const;
const WIDE = 1280;
const WIDTHS = [WIDE, 360];
const EXTREMES = [320, 2560];
const MAX_HTML = 14 * 1024;
const MAX_CSS = 28 * 1024;

/** One page per kind, for all states: with script, without it, and one in which axe examines the plain page's HTML. */
type Pages = Record<"scripted" | "plain" | "examined", Page>;
let gallery: GalleryServices;
let pages: Pages;
let errors: string[] = [];

test.describe.configure({ timeout: 90_000, mode: "parallel" });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  mkdirSync(SHOTS, { recursive: true });
  gallery = await startGallery();
  const open = async (javaScriptEnabled: boolean) => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    // A page in view would make reads fast, and a check would change the state shown.
    await page.route(/\/waiting$/, (route) => route.abort());
    page.on("pageerror", (error) => errors.push(`thrown: ${error.message}`));
    page.on("console", (message) => {
      const isStatus = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isStatus) errors.push(`console: ${message.text()}`);
    });
    return page;
  };
  pages = { scripted: await open(true), plain: await open(false), examined: await open(true) };
});

test.afterAll(async () => {
  for (const page of Object.values(pages ?? {})) await page.context().close();
  await gallery?.close();
});

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

async function screenshot(page: Page, name: string, scheme: string, width: number): Promise<void> {
  // In CI nobody looks at the pictures, and they take a third of the time.
  if (process.env.CI) return;
  const path = `${SHOTS}/${name}.${scheme}.${width}.png`;
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}

/** Checks and captures a page in every colour scheme at every width. `examined` is the page that axe examines. */
async function checkViews(page: Page, examined: Page, name: string): Promise<void> {
  const both = new Set([page, examined]);
  // A form may have led to a document whose styles are still loading.
  for (const each of both) await each.waitForLoadState();
  await injectAxe(examined);
  for (const [place, width] of WIDTHS.entries()) {
    for (const each of both) await resize(each, width);
    expect(await overflow(page), `${name}, ${width} px: scrolls sideways`).toEqual([]);
    // In CI, each width and each scheme once, with all rules; by hand, all of them together.
    for (const colorScheme of process.env.CI ? SCHEMES.slice(place, place + 1) : SCHEMES) {
      for (const each of both) await each.emulateMedia({ colorScheme });
      expect(
        await violations(examined, colorScheme === SCHEMES[place]),
        `${name}, ${colorScheme}, ${width} px`,
      ).toEqual([]);
      await screenshot(page, name, colorScheme, width);
    }
  }
  for (const width of EXTREMES) {
    await resize(page, width);
    expect(await overflow(page), `${name}, ${width} px: scrolls sideways`).toEqual([]);
    await screenshot(page, name, "dark", width);
  }
}

async function openAs({ as }: State, page: Page): Promise<Page> {
  errors = [];
  await page.context().clearCookies();
  const value = as === "stranger" ? "" : gallery.seeded.sessions[as];
  const session = { name: "session", value, url: gallery.service.url, httpOnly: true };
  if (value) await page.context().addCookies([session]);
  await resize(page, WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  return page;
}

/** Opens the state in a page; checks what it shows, its size, and its status unless script sent its form. Returns its HTML. */
async function arrive(state: State, page: Page): Promise<string> {
  const documents: Response[] = [];
  let hasFetched = false;
  const note = (answer: Response) => {
    if (answer.request().isNavigationRequest()) documents.push(answer);
    else hasFetched ||= answer.request().method() === "POST";
  };
  page.on("response", note);
  await state.arrive(page, gallery);
  await expect(page.locator("main")).toContainText(state.shows);
  page.off("response", note);
  const last = documents.at(-1);
  if (!last) throw new Error("no page was loaded");
  if (!hasFetched) expect(last.status()).toBe(state.status);
  const html = await last.text();
  const { length } = gzipSync(html);
  expect(length, `${state.name}: bytes of HTML, compressed`).toBeLessThan(MAX_HTML);
  return html;
}

async function checkState(state: State): Promise<void> {
  const { name } = state;
  const page = await openAs(state, pages.scripted);
  await arrive(state, page);
  const most = MOST_WORDS[name];
  if (most !== undefined) {
    const words = await wordsInView(page);
    expect(words.length, `${name}, first screen: ${words.join(" ")}`).toBeLessThanOrEqual(most);
  }
  await checkViews(page, page, name);
  expect(errors).toEqual([]);
  // A page without script tags is the same in a browser without script.
  if ((await page.locator("script").count()) === 0) return;
  const plain = await openAs(state, pages.plain);
  const loaded = await arrive(state, plain);
  const examined = await openAs(state, pages.examined);
  await openUnscripted(examined, plain.url().replace(/#.*/, ""), loaded);
  await checkViews(plain, examined, `${name}.no-script`);
  expect(errors).toEqual([]);
}

test("the stylesheet is small", async ({ request }) => {
  const landing = await (await request.get(gallery.service.url)).text();
  const href = /href="([^"]+\.css)"/.exec(landing)?.[1] ?? "";
  const css = await (await request.get(gallery.service.url + href)).body();
  expect(css.length).toBeGreaterThan(1_000);
  expect(css.length).toBeLessThan(MAX_CSS);
});

/** An address without its query and without ids, so that pages of one kind are equal. */
const kindOf = (address: string) =>
  new URL(address).pathname.replace(/\/([a-z]{3}_\w+|[0-9a-z]{26})(?=\/|$)/g, "/…");

test("every page has a title of its own, and says Not found only where nothing is", async ({
  request,
}) => {
  const kinds = new Map<string, string>();
  for (const { name, as, status, address } of STATES) {
    const url = address(gallery);
    if (url === null) continue;
    const value = as === "stranger" ? "" : gallery.seeded.sessions[as];
    const answer = await request.get(url, { headers: { cookie: `session=${value}` } });
    const title = /<title>([^<]*) · Deed<\/title>/.exec(await answer.text())?.[1] ?? "";
    expect(title, name).toMatch(/^(?!.*xn--).{3,}/);
    if (/not found|no such/i.test(title)) expect(status, name).toBe(404);
    if (status >= 400) continue;
    const [seen, kind] = [`${as}: ${title}`, kindOf(answer.url())];
    expect([seen, kinds.get(seen) ?? kind], name).toEqual([seen, kind]);
    kinds.set(seen, kind);
  }
  expect(kinds.size).toBeGreaterThan(40);
});

for (const state of STATES) test(state.name, () => checkState(state));
