import type { Page } from "@playwright/test";
import axe from "axe-core";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Opens the page without its script, but in a browser with script, because axe uses timers. */
export async function openUnscripted(page: Page, url: string, html: string): Promise<void> {
  const body = html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<meta http-equiv="refresh"[^>]*>/gi, "")
    .replace(/<\/?noscript>/g, "");
  await page.unrouteAll();
  await page.route(url, (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body }),
  );
  await page.goto(url);
}

/** Loads axe into a page once for several runs; axe's Playwright wrapper would reload it for each run. */
export const injectAxe = (page: Page): Promise<void> => page.evaluate(axe.source);

/** axe's findings, one line each. Without `all`, only its colour rules: the rest is the same in every scheme. */
export async function violations(page: Page, all: boolean): Promise<string[]> {
  const found = await page.evaluate(
    async (runOnly) => {
      const { axe: onPage } = window as unknown as { axe: typeof axe };
      return (await onPage.run({ runOnly, resultTypes: ["violations"] })).violations;
    },
    all ? WCAG : OF_COLOURS,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}

/** The elements that extend past the viewport, if the page scrolls sideways. */
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

/** Words of inline elements that CSS may separate, but that a text browser joins. */
export function fusedWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Elements that start a new line in a text browser, which knows none of HTML 5's sections.
    const BLOCK =
      /^(?:ADDRESS|BLOCKQUOTE|BODY|BR|CAPTION|DD|DIV|DL|DT|FIELDSET|FORM|H[1-6]|HR|LI|OL|P|PRE|TABLE|TBODY|TD|TH|THEAD|TR|UL|WBR)$/;
    const CONTROL = /^(?:INPUT|SELECT|TEXTAREA)$/;
    const found: string[] = [];
    let last: { text: string; parent: Element | null } | null = null;
    const add = (text: string, parent: Element | null) => {
      const isSeam = last && last.parent !== parent && !parent?.closest("code, pre, mark, bdi");
      if (last && isSeam && /[\w.:)]$/.test(last.text) && /^[\w(]/.test(text))
        found.push(`${last.text.slice(-20)}|${text.slice(0, 20)}`);
      last = { text, parent };
    };
    const walk = (node: Node) => {
      if (node instanceof Text) {
        if (node.data !== "") add(node.data, node.parentElement);
        return;
      }
      if (!(node instanceof Element) || /^(?:SCRIPT|STYLE|TEMPLATE|SVG)$/i.test(node.tagName))
        return;
      const isBlock = BLOCK.test(node.tagName);
      if (isBlock) last = null;
      if (CONTROL.test(node.tagName) && node.getAttribute("type") !== "hidden") add("x", node);
      else node.childNodes.forEach(walk);
      if (isBlock) last = null;
    };
    walk(document.body);
    return found;
  });
}
