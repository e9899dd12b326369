import { mkdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type GalleryServices, startGallery } from "./gallery/services.ts";
import { STATES } from "./gallery/states.ts";

/** The pictures in the README and in docs/receipts.md: a state of the gallery, and the part of its page to show. */
const PICTURES = [
  { name: "card", state: "claim-domain_appended", part: "main" },
  // Its big letters take many bytes.
  { name: "proof", state: "proof-signed", part: "main", most: 500 },
  { name: "check", state: "verify-good", part: "[data-report]" },
  { name: "path", state: "claim-not_published", part: ".path-section" },
];
const FOLDER = "docs/pictures";
const WIDTH = 840;
const MAX_HEIGHT = 560;
const MAX_BYTES = 64 * 1024;
const MARGIN = 16;

let gallery: GalleryServices;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  mkdirSync(FOLDER, { recursive: true });
  gallery = await startGallery();
});
test.afterAll(() => gallery?.close());

test.use({ viewport: { width: WIDTH, height: 900 } });

for (const { name, state, part, most = MAX_HEIGHT } of PICTURES)
  test(name, async ({ page }) => {
    const row = STATES.find((each) => each.name === state);
    if (!row) throw new Error(`the gallery has no state ${state}`);
    const value = row.as === "stranger" ? "" : gallery.seeded.sessions[row.as];
    if (value)
      await page.context().addCookies([{ name: "session", value, url: gallery.service.url }]);
    await row.arrive(page, gallery);
    const shown = page.locator(part).first();
    await expect(page.locator("main")).toContainText(row.shows);
    const box = await shown.boundingBox();
    if (!box) throw new Error(`${state} does not show ${part}`);
    const top = Math.max(0, box.y - MARGIN);
    const height = Math.min(box.height + 2 * MARGIN, most);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const picture = await page.screenshot({
        path: `${FOLDER}/${name}.${colorScheme}.png`,
        clip: { x: 0, y: top, width: WIDTH, height },
        fullPage: true,
        animations: "disabled",
      });
      expect(picture.length, `bytes of ${name}, ${colorScheme}`).toBeLessThan(MAX_BYTES);
    }
  });
