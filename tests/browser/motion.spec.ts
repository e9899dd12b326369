import { expect, type Page } from "@playwright/test";
import { openClaim } from "../support/deed.ts";
import { deed, newZone, signedIn, test } from "./holder.ts";

const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isLong = (durations: string) => durations.split(", ").some((each) => each !== "0s");
    const styled = [...document.querySelectorAll("*")].flatMap((element) =>
      [undefined, "::before", "::after"].flatMap((part) => {
        const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(
          element,
          part,
        );
        const isMoving =
          isLong(animationDuration) || isLong(transitionDuration) || scrollBehavior === "smooth";
        return isMoving ? [`${element.tagName}${part ?? ""}: ${animationDuration}`] : [];
      }),
    );
    return [...document.getAnimations().map(({ id }) => `animation ${id}`), ...styled];
  });

test("nothing moves if reduced motion is preferred", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const client = await signedIn(page, "still@holder.example");
  const claim = await openClaim(client, newZone());
  for (const path of [
    "/",
    "/domains",
    `/domains/${claim.domainId}`,
    "/notices",
    "/account",
    "/docs",
  ]) {
    await page.goto(deed.service.url + path);
    expect(await moving(page), path).toEqual([]);
  }
  await page.goto(`${deed.service.url}/domains/${claim.domainId}`);
  await page.getByRole("button", { name: "Check now" }).hover();
  await page.getByText(/^Other formats/).click();
  await page.getByRole("button", { name: "Check now" }).click();
  expect(await moving(page)).toEqual([]);
});
