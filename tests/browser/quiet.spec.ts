import { txt } from "@deed/playground/records.ts";
import { expect, type Page, type Route } from "@playwright/test";
import { claimPage, deed, read, signedIn, state, test, title } from "./holder.ts";

/** The requests of the page's script to its loaders, and the responses. */
function readings(page: Page): (number | "none")[] {
  const seen: (number | "none")[] = [];
  const isReading = (url: string) => url.includes("_data=");
  page.on("response", (answer) => {
    if (isReading(answer.url())) seen.push(answer.status());
  });
  page.on("requestfailed", (request) => {
    if (isReading(request.url())) seen.push("none");
  });
  return seen;
}

const fail = (route: Route, how: number | "none") =>
  how === "none"
    ? route.abort()
    : route.fulfill({ status: how, headers: { "X-Remix-Catch": "yes" }, json: {} });

/** Between the head of an answer and its end: its status came. */
const CUT = 200;

/** From now on, answers to the page's script end after their head. */
const cutAnswers = (page: Page, isCut: boolean) =>
  page.evaluate((isCut) => Object.assign(window, { isCut }), isCut);

function cutsAnswers() {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const answer = await fetch(...request);
    const cut = new ReadableStream({ start: (body) => body.error(new TypeError("cut")) });
    return Object(window).isCut ? new Response(cut, answer) : answer;
  };
}

for (const failure of [429, 502, "none", CUT] as const) {
  test(`a background reload that fails with ${failure} keeps the page, and is retried later`, async ({
    page,
  }) => {
    await page.clock.install();
    await page.addInitScript(cutsAnswers);
    const { client, claim, zone } = await claimPage(page, `quiet-${failure}@holder.example`);
    await expect(state(page)).toHaveText("Waiting for your record");
    // Scripts add this button, which moves what is below it.
    await expect(page.getByRole("button", { name: "Copy Value" })).toBeVisible();
    await page.locator("#handoff > summary").click();
    await page.getByText("Customize the page").click();
    await page.getByLabel("Heading").fill("half typed");

    const seen = readings(page);
    if (failure === CUT) await cutAnswers(page, true);
    else await page.route(/_data=/, (route) => fail(route, failure));
    deed.playground.addRecord(zone, txt(zone, claim.token));
    await read(client, claim);
    await expect.poll(() => seen).toContain(failure);
    await page.clock.runFor(10_000);
    await expect(title(page)).toHaveText(zone);
    await expect(state(page)).toHaveText("Waiting for your record");
    await expect(page.getByLabel("Heading")).toHaveValue("half typed");

    await page.unroute(/_data=/);
    await cutAnswers(page, false);
    await page.clock.runFor(31_000);
    await expect(state(page)).toHaveText("Action needed");
    await expect(page.getByLabel("Heading")).toHaveValue("half typed");
  });
}

test("changes before the stream opened are loaded when it opens", async ({ page }) => {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await page.route("**/api/events", async (route) => {
    await begun;
    await route.continue();
  });
  const { client, claim, zone } = await claimPage(page, "before@holder.example");
  await expect(state(page)).toHaveText("Waiting for your record");
  deed.playground.addRecord(zone, txt(zone, claim.token));
  await read(client, claim);
  begin();
  await expect(state(page)).toHaveText("Action needed");
});

test("a reload that a newer one replaces has not failed", async ({ page }) => {
  const client = await signedIn(page, "replaced@holder.example");
  const add = (domain: string) => client.post("/api/domains", { domain });
  const shown = (domain: string) => expect(page.getByRole("link", { name: domain })).toBeVisible();
  await page.goto(`${deed.service.url}/domains`);
  await add("before.example");
  await shown("before.example");

  let held = 0;
  await page.route(/_data=routes/, (route) => (held++ === 0 ? undefined : route.continue()));
  await add("slow.example");
  await expect.poll(() => held).toBe(1);
  await add("newer.example");
  await shown("newer.example");
  await add("last.example");
  await shown("last.example");
});

test("repeated failures back off", async ({ page }) => {
  await page.route("**/api/events", (route) => route.abort());
  // Counted in the page itself: Playwright may see a request's end before the page sees its answer.
  await page.addInitScript(() => {
    const send = window.fetch;
    const counted = Object.assign(window, { awaited: 0 });
    window.fetch = (...request) => {
      counted.awaited++;
      return send(...request).finally(() => counted.awaited--);
    };
  });
  await page.clock.install();
  const refused = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/api/events"),
  );
  await claimPage(page, "rarely@holder.example");
  await refused;
  await expect(state(page)).toHaveText("Waiting for your record");
  const asked: number[] = [];
  const awaited = () => page.evaluate(() => (window as { awaited?: number }).awaited);
  await page.route(/_data=routes/, async (route) => {
    asked.push(await page.evaluate(() => Date.now()));
    await fail(route, 503);
  });
  for (let part = 0; part < 72; part++) {
    await page.clock.runFor(10_000);
    // The page's clock jumps, so requests must be answered before the next jump.
    await expect.poll(awaited).toBe(0);
  }
  await expect(state(page)).toHaveText("Waiting for your record");
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? at));
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(10);
  expect(gaps.at(-1)).toBeGreaterThan(2 * (gaps[0] ?? 0));
});

test("an ended session is reported, not ignored", async ({ page }) => {
  await page.clock.install();
  const opened = page.waitForResponse("**/api/events");
  const { client } = await claimPage(page, "ended@holder.example");
  const stream = (await opened).request();
  const ended = page.waitForEvent("requestfinished", (request) => request === stream);
  await client.post("/api/auth/sign-out");
  // The page's clock jumps, so the end of the stream must have arrived before.
  await ended;
  await page.clock.runFor(31_000);
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.locator(".lead")).toContainText("Your session has ended.");
});
