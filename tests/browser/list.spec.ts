import { expect, type Page } from "@playwright/test";
import { openClaim } from "../support/deed.ts";
import { deed, newZone, signedIn, test, title } from "./holder.ts";

const rows = (page: Page) => page.locator("main tbody tr th a.named");

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with script" : "without script", () => {
    test.use({ javaScriptEnabled });

    test("ticked domains are proved, watched and archived, each with its own result", async ({
      page,
    }) => {
      const client = await signedIn(page, `ticks-${javaScriptEnabled}@holder.example`);
      const names = [newZone(), newZone(), newZone()];
      for (const domain of names) await client.post("/api/domains", { domain });
      const open = await openClaim(client, names[0] ?? "");
      const tick = async (...which: (string | undefined)[]) => {
        await page.goto(`${deed.service.url}/domains`);
        for (const name of which) await page.getByLabel(name ?? "", { exact: true }).check();
      };

      await tick();
      const [all, boxes] = [page.getByLabel("Tick all"), page.locator("[name=id]")];
      if (javaScriptEnabled) {
        await all.check();
        for (const box of await boxes.all()) await expect(box).toBeChecked();
        await all.uncheck();
      } else await expect(all).toHaveCount(0);
      await press(page, "Prove");
      await expect(page.getByRole("alert")).toHaveText("Tick at least one domain.");

      await tick(names[0], names[1]);
      await press(page, "Watch");
      await expect(title(page)).toHaveText("1 of 2 domains watched from the proof on");
      await expect(page.locator("main tbody td").last()).toContainText("no proof or open claim");

      await tick(names[1], names[2]);
      await press(page, "Prove");
      await expect(title(page)).toHaveText("2 domains being proved");

      await tick(names[0], names[1]);
      await press(page, "Watch");
      await expect(title(page)).toHaveText("2 domains watched from the proof on");

      await tick(names[0], names[1]);
      await press(page, "Archive…");
      await expect(page.locator("main")).toContainText("2 open claims will be canceled");
      expect(((await client.get(`/api/claims/${open.id}`)).body as { state: string }).state).toBe(
        "pending",
      );
      await press(page, "Archive 2 domains");
      await expect(title(page)).toHaveText("2 domains archived");
      await page.locator("main").getByRole("link", { name: "Domains" }).click();
      await expect(rows(page)).toHaveText([names[2] ?? ""]);

      await page.getByRole("link", { name: "Archived 2" }).click();
      await expect(rows(page)).toHaveCount(2);
      await page.getByLabel(names[0] ?? "", { exact: true }).check();
      await press(page, "Take out of the archive");
      await expect(title(page)).toHaveText("1 domain back on your list");
    });
  });

// app/features/domains/view/domains-screen.test.ts has its pages, and those that need action first.
test("a list keeps its order while it is filtered, and offers to add what it lacks", async ({
  page,
}) => {
  const client = await signedIn(page, "order@holder.example");
  for (let index = 0; index < 12; index++)
    await client.post("/api/domains", { domain: `n${String(index).padStart(2, "0")}.example` });
  await openClaim(client, "n07.example");
  // Before the page is there: a busy machine takes a new size later, and a box in view of the old one is not scrolled to.
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`${deed.service.url}/domains`);
  const archive = page.getByRole("button", { name: "Archive…" });
  await expect(archive).not.toBeInViewport();
  // A row in the middle: at the top of the form, there is no room above for the actions in so low a window.
  await page.locator("[name=id]").nth(6).check();
  await expect(archive).toBeInViewport();
  await page.getByRole("link", { name: "Sort by name" }).click();
  await expect(rows(page).first()).toHaveText("n00.example");
  await page.getByRole("link", { name: "Not started 11" }).click();
  await expect(rows(page)).toHaveCount(11);
  await expect(rows(page).first()).toHaveText("n00.example");
  await expect(page).toHaveURL(/sort=name/);

  const lacking = newZone();
  await page.getByLabel("Find a domain").fill(lacking);
  await press(page, "Find");
  await expect(page.locator("main")).toContainText("No domain found.");
  await expect(page.getByRole("link", { name: "Clear" })).toHaveAttribute("href", "/domains");
  await press(page, `Add ${lacking}`);
  await expect(title(page)).toHaveText(lacking);
});

test("what was probably meant is one press away, in the list and without an account", async ({
  page,
}) => {
  await page.goto(`${deed.service.url}/zones/acme`);
  await page.getByRole("link", { name: "Use acme.com" }).click();
  await expect(title(page)).toHaveText("acme.com");

  await signedIn(page, "meant@holder.example");
  await page.goto(`${deed.service.url}/domains`);
  await page.getByLabel("Your domain").fill("http://Acme.");
  await press(page, "Add domain");
  await press(page, "Use acme.com");
  await expect(title(page)).toHaveText("acme.com");
});
