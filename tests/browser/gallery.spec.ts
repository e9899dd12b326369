import { mkdirSync } from "node:fs";
import { type BrowserContext, expect, type Page, type Response, test } from "@playwright/test";
import {
  errorsOf,
  htmlSize,
  injectAxe,
  openUnscripted,
  overflow,
  violations,
} from "./gallery/checks.ts";
import { type GalleryServices, startGallery } from "./gallery/services.ts";
import { STATES, type State } from "./gallery/states.ts";

const SHOTS = ".cache/gallery";
const SCHEMES = ["light", "dark"] as const;
const WIDE = 1280;
const WIDTHS = [WIDE, 360];
const EXTREMES = [320, 2560];
const MAX_HTML = 14 * 1024;
const MAX_CSS = 28 * 1024;

type Figures = { views: number; screenshots: number; largestHtml: [string, number] };
const figures: Figures = { views: 0, screenshots: 0, largestHtml: ["", 0] };

let gallery: GalleryServices;
const contexts = new Map<boolean, BrowserContext>();

test.describe.configure({ timeout: 90_000, mode: "parallel" });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  mkdirSync(SHOTS, { recursive: true });
  gallery = await startGallery();
  for (const javaScriptEnabled of [true, false])
    contexts.set(javaScriptEnabled, await browser.newContext({ javaScriptEnabled }));
});

test.afterAll(async () => {
  console.log(`gallery, one worker's part: ${JSON.stringify(figures)}`);
  for (const context of contexts.values()) await context.close();
  await gallery?.close();
});

async function signedIn(context: BrowserContext, { as }: State): Promise<void> {
  await context.clearCookies();
  if (as === "stranger") return;
  const value = gallery.seeded.sessions[as];
  await context.addCookies([{ name: "session", value, url: gallery.service.url, httpOnly: true }]);
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

async function screenshot(page: Page, name: string, scheme: string, width: number): Promise<void> {
  // Nobody looks at them there, and they take a third of the time.
  if (process.env.CI) return;
  const path = `${SHOTS}/${name}.${scheme}.${width}.png`;
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
  figures.screenshots++;
}

/** Checks and captures a page in every colour scheme at every width. `asked` is the page that axe examines. */
async function checkViews(page: Page, axePage: Page, name: string): Promise<void> {
  await injectAxe(axePage);
  for (const width of WIDTHS) {
    for (const each of new Set([page, axePage])) await resize(each, width);
    expect(await overflow(page), `${name}, ${width} px: scrolls sideways`).toEqual([]);
    for (const colorScheme of SCHEMES) {
      for (const each of new Set([page, axePage])) await each.emulateMedia({ colorScheme });
      figures.views++;
      expect(await violations(axePage), `${name}, ${colorScheme}, ${width} px`).toEqual([]);
      await screenshot(page, name, colorScheme, width);
    }
  }
  for (const width of EXTREMES) {
    await resize(page, width);
    expect(await overflow(page), `${name}, ${width} px: scrolls sideways`).toEqual([]);
    await screenshot(page, name, "dark", width);
  }
}

async function checkState(state: State, script: boolean): Promise<void> {
  const page = await openPage(state, script);
  const errors = errorsOf(page);
  const documents: Response[] = [];
  let hasFetched = false;
  page.on("response", (answer) => {
    if (answer.request().isNavigationRequest()) documents.push(answer);
    else hasFetched ||= answer.request().method() === "POST";
  });
  await resize(page, WIDE);
  await state.arrive(page, gallery);
  await expect(page.locator("main")).toContainText(state.shows);
  const loaded = await checkSize(state, documents.at(-1), hasFetched);
  if (script) await checkViews(page, page, state.name);
  else {
    const axePage = await openPage(state, true);
    await openUnscripted(axePage, page.url().replace(/#.*/, ""), loaded);
    await checkViews(page, axePage, `${state.name}.no-script`);
    await axePage.close();
  }
  expect(errors).toEqual([]);
  await page.close();
}

async function openPage(state: State, script: boolean): Promise<Page> {
  const context = contexts.get(script);
  if (!context) throw new Error("no browser context");
  await signedIn(context, state);
  return context.newPage();
}

/** Checks the page's size, and its status unless its form was sent by script. Returns its HTML. */
async function checkSize(
  state: State,
  page: Response | undefined,
  fetched: boolean,
): Promise<string> {
  if (!page) throw new Error("no page was loaded");
  if (!fetched) expect(page.status()).toBe(state.status ?? 200);
  const size = await htmlSize(page);
  if (size > figures.largestHtml[1]) figures.largestHtml = [state.name, size];
  expect(size, `${state.name}: bytes of HTML, compressed`).toBeLessThan(MAX_HTML);
  return page.text();
}

test("the stylesheet is small", async ({ request }) => {
  const landing = await (await request.get(gallery.service.url)).text();
  const href = /href="([^"]+\.css)"/.exec(landing)?.[1] ?? "";
  const css = await (await request.get(gallery.service.url + href)).body();
  expect(css.length).toBeGreaterThan(1_000);
  expect(css.length).toBeLessThan(MAX_CSS);
});

for (const state of STATES) {
  test(state.name, () => checkState(state, true));
  test(`${state.name}, without script`, () => checkState(state, false));
}

test("a proof prints on one page, with the same text", async () => {
  const [proof] = STATES.filter(({ name }) => name === "proof-live");
  if (!proof) throw new Error("no proof among the states");
  const page = await openPage(proof, false);
  await page.emulateMedia({ media: "print" });
  await proof.arrive(page, gallery);
  const pdf = await page.pdf({ path: `${SHOTS}/proof-live.pdf`, format: "A4" });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  for (const words of [/proved control/, /service_v1_[0-9a-f]{40}/, /\/p\//])
    await expect(page.locator("main")).toContainText(words);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.close();
});
