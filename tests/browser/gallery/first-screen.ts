import type { Page } from "@playwright/test";

/** The most words on the first screen of a state, at 1280 by 800 pixels. */
export const MOST_WORDS: Record<string, number> = {
  landing: 90,
  "wait-first_check": 80,
  "wait-absent": 80,
  "claim-domain_appended": 80,
  "claim-value_formatted": 80,
  "claim-proved-unshared": 90,
  "claim-proved-shared": 90,
};

/** The words of `main` that are visible without scrolling or opening anything. */
export async function wordsInView(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 800 });
  return page.evaluate(() => {
    scrollTo(0, 0);
    const isShown = (text: Node, holder: Element) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      const isAbove = [...range.getClientRects()].some(({ top }) => top < innerHeight);
      return isAbove && holder.checkVisibility() && !holder.closest(".unseen");
    };
    const blockOf = (holder: Element) => {
      let block = holder;
      while (getComputedStyle(block).display === "inline" && block.parentElement)
        block = block.parentElement;
      return block;
    };
    const main = document.querySelector("main") ?? document.body;
    const nodes = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let words = "";
    let last: Element | null = null;
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const holder = node.parentElement;
      if (!holder || !isShown(node, holder)) continue;
      const block = blockOf(holder);
      words += (block === last ? "" : " ") + (node.textContent ?? "");
      last = block;
    }
    return words.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  });
}
