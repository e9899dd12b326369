import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import axe from "axe-core";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Opens what a browser without script makes of a page, in one with: axe waits on timers, which no page has
 * without script. Scripts are taken out, and what stands in <noscript> stands on the page.
 */
export async function openUnscripted(page: Page, url: string, html: string): Promise<void> {
  const body = html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<meta http-equiv="refresh"[^>]*>/gi, "")
    .replace(/<\/?noscript>/g, "");
  await page.route(url, (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body }),
  );
  await page.goto(url);
}

/** Puts axe on a page, once for all that it is then asked: axe's own wrapper does so anew for each. */
export const bringAxe = (page: Page): Promise<void> => page.evaluate(axe.source);

/** What axe finds wrong, a line each: the rule, and where. */
export async function violations(page: Page): Promise<string[]> {
  const found = await page.evaluate(async (tags) => {
    const { axe: onPage } = window as unknown as { axe: typeof axe };
    return (await onPage.run({ runOnly: tags, resultTypes: ["violations"] })).violations;
  }, WCAG);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/** The elements that reach past the viewport's side, where the page scrolls sideways. */
export function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.body.querySelectorAll("*")]
      .filter((each) => each.getBoundingClientRect().right > clientWidth + 1)
      .map((each) => `${each.tagName} ${each.className}`)
      .slice(0, 5);
  });
}

/** Bytes of a page's HTML as a browser receives it, compressed. */
export async function htmlSize(page: Response): Promise<number> {
  return gzipSync(await page.body()).length;
}

/** Collects what a page complains of: thrown errors, and whatever its console calls an error. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    const isStatus = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isStatus) complaints.push(`console: ${message.text()}`);
  });
  return complaints;
}
