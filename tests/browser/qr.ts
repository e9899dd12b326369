import type { Browser, Locator } from "@playwright/test";
import jsqr from "jsqr";

/** What a camera would read in an element; null if it has no QR code. */
export async function readQrCode(browser: Browser, element: Locator): Promise<string | null> {
  const png = await element.screenshot();
  const page = await browser.newPage();
  const { pixels, width, height } = await page.evaluate(async (base64) => {
    const bytes = await fetch(`data:image/png;base64,${base64}`);
    const bitmap = await createImageBitmap(await bytes.blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(bitmap, 0, 0);
    return { pixels: [...context.getImageData(0, 0, width, height).data], width, height };
  }, png.toString("base64"));
  await page.close();
  return jsqr(Uint8ClampedArray.from(pixels), width, height)?.data ?? null;
}
