import { expect, type Page } from "@playwright/test";
import { type Client, openClaim } from "../support/deed.ts";
import { deed, newZone, signedIn, test, title } from "./holder.ts";

const offered = (page: Page) =>
  page
    .locator("datalist option")
    .evaluateAll((options: HTMLOptionElement[]) =>
      options.map(({ value, label }) => ({ value, label })),
    );

const addAll = (client: Client, names: string[]) =>
  Promise.all(names.map((domain) => client.post("/api/domains", { domain })));

test("the add field suggests every name the account has had, archived ones included", async ({
  page,
}) => {
  const client = await signedIn(page, "names@holder.example");
  const kept = await openClaim(client, "harbour.example");
  await client.post(`/api/claims/${kept.id}/cancel`);
  const shelved = await openClaim(client, "harbour-old.example");
  await client.post(`/api/claims/${shelved.id}/cancel`);
  await client.post(`/api/domains/${shelved.domainId}/archive`);
  await client.post("/api/domains", { domain: "bücher-laden.example" });
  // More names than the page has at first, so matches must be fetched while typing.
  await addAll(
    client,
    Array.from({ length: 28 }, (_, index) => `filler-${index}.example`),
  );

  await page.goto(`${deed.service.url}/domains`);
  await page.locator("summary", { hasText: "Add domain" }).click();
  const field = page.getByLabel("Your domain");
  const told = page.locator("form").filter({ has: field }).getByRole("status");
  expect((await offered(page)).map(({ value }) => value)).not.toContain("harbour.example");
  await field.pressSequentially("harb");
  await expect
    .poll(() => offered(page))
    .toEqual([
      { value: "harbour.example", label: expect.stringMatching(/· canceled on \d+ \w+ \d{4}$/) },
      { value: "harbour-old.example", label: expect.stringMatching(/· archived, canceled/) },
    ]);
  await expect(told).toBeEmpty();

  await field.pressSequentially("our-old.example");
  await expect(told).toHaveText(/^Already archived, canceled on \d+ \w+ \d{4}\. View it$/);
  await field.fill("Bücher-Laden.example.");
  await expect(told).toHaveText("Already on your list: not started. View it");
  await field.fill("elsewhere.example");
  await expect(told).toBeEmpty();
  await expect.poll(() => offered(page)).toEqual([]);

  await field.fill("harbour-old.example");
  await page.getByRole("button", { name: "Add domain" }).click();
  await expect(page.locator("main")).toContainText("It is in your archive");
});

test("a list has rows of one line, at most eight stops of Tab before them, counts and a find field", async ({
  page,
}) => {
  const client = await signedIn(page, "stops@holder.example");
  await openClaim(client, "acme.com");
  const long = (index: number) => `${"long-".repeat(12)}${index}.bücher.example`;
  await addAll(
    client,
    Array.from({ length: 11 }, (_, index) => long(index)),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${deed.service.url}/domains`);
  const heights = await page
    .locator("main tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(heights).toHaveLength(12);
  expect(heights.filter((height) => height > 48)).toEqual([]);
  await expect(page.getByRole("link", { name: "Not started 11" })).toBeVisible();
  await expect(page.getByLabel("Find a domain")).toBeVisible();
  const isInRow = () => page.evaluate(() => document.activeElement?.closest("tbody") !== null);
  let stops = -1;
  const skip = page.getByRole("link", { name: "Skip to the list" });
  do {
    await page.keyboard.press("Tab");
    if (await skip.evaluate((link) => link === document.activeElement)) await skip.press("Enter");
    stops++;
  } while (stops < 20 && !(await isInRow()));
  expect(stops).toBeLessThanOrEqual(8);
});

const claimed = async (client: Client) =>
  ((await client.get("/api/claims")).body as { claims: { domain: string }[] }).claims
    .map(({ domain }) => domain)
    .sort();

test("www. is removed, and kept by one press on the next page", async ({ page }) => {
  const client = await signedIn(page, "www@holder.example");
  await page.goto(`${deed.service.url}/domains`);
  await expect(page.getByLabel("Reference")).toBeHidden();
  await page.getByText("Add several domains, or one for a customer").click();
  await page.getByLabel("Domains, one per line").fill("www.acme.com");
  await page.getByLabel("Reference").fill(" cust_1 ");
  await page.getByRole("button", { name: "Prove all", exact: true }).click();
  await page.locator(".after tbody").getByRole("link", { name: "acme.com" }).click();
  await expect(title(page)).toHaveText("acme.com for cust_1");
  await page.getByRole("button", { name: "Prove www.acme.com" }).click();
  await expect(title(page)).toHaveText("www.acme.com for cust_1");
  await expect(page.getByText("Without www")).toBeHidden();
  const { domains } = (await client.get("/api/domains?reference=cust_1")).body as {
    domains: { name: string; status: string }[];
  };
  expect(domains).toMatchObject([
    { name: "www.acme.com", status: "pending" },
    { name: "acme.com", status: "pending" },
  ]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  // app/features/domains/several-lines.test.ts has every result of a line.
  test("lines are added at once, each with its result; what failed stays", async ({ page }) => {
    const client = await signedIn(page, "lines@holder.example");
    const shelved = await openClaim(client, "shelved.example");
    await client.post(`/api/claims/${shelved.id}/cancel`);
    await client.post(`/api/domains/${shelved.domainId}/archive`);
    const lines = ["one.example", "ONE.example.", "", "no name", "two.example", "shelved.example"];

    await page.goto(`${deed.service.url}/domains`);
    await expect(page.getByText("No domain found.")).toBeHidden();
    await page.getByText("Add several domains, or one for a customer").click();
    await page.getByLabel("Domains, one per line").fill(lines.join("\n"));
    await page.getByRole("button", { name: "Add all to list", exact: true }).click();
    await expect(page.locator(".after tbody tr")).toHaveText([
      /^no name.*A domain cannot contain spaces\.$/,
      /^one\.example.*Added to your list Prove it one\.example$/,
      /^two\.example.*Added to your list Prove it two\.example$/,
      /^shelved\.example.*In your archive ?$/,
    ]);
    await expect(
      page.getByText("2 added to your list, 1 in your archive, 1 refused."),
    ).toBeVisible();
    await expect(page.getByLabel("Domains, one per line")).toHaveValue("no name");
    expect(await claimed(client)).toEqual(["shelved.example"]);
    await page.getByRole("button", { name: "Prove it one.example" }).click();
    await expect(title(page)).toHaveText("one.example");
    expect(await claimed(client)).toContain("one.example");
  });

  test("a doubtful name is told before its record, and one more press adds it", async ({
    page,
  }) => {
    const client = await signedIn(page, "doubt@holder.example");
    await page.goto(`${deed.service.url}/domains`);
    const field = page.getByLabel("Your domain");
    for (const [typed, told] of [
      ["acme", "acme has no dot. Did you mean acme.com?"],
      // C3.7
      [
        "co.uk",
        "This is a public suffix, like co.uk. Proving it says nothing about the domains under it.",
      ],
    ] as const) {
      await field.fill(typed);
      await page.getByRole("button", { name: "Add domain" }).click();
      await expect(field).toHaveAccessibleDescription(told);
      await expect(field).toHaveValue(typed);
    }
    expect(await claimed(client)).toEqual([]);
    await page.getByRole("button", { name: "Add it anyway" }).click();
    await expect(title(page)).toHaveText("co.uk");
    expect(await claimed(client)).toEqual(["co.uk"]);
  });
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with script" : "without script", () => {
    test.use({ javaScriptEnabled });

    test("an ended session says so, and what was typed is sent after signing in", async ({
      page,
    }) => {
      const email = `ended-${javaScriptEnabled}@holder.example`;
      for (const [path, label, typed, button, shows] of [
        ["/domains", "Your domain", newZone(), "Add domain", "service_v1_"],
        ["/account/people", /address/i, `guest-${email}`, "Invite this person", `guest-${email}`],
      ] as const) {
        const client = await signedIn(page, email);
        await page.goto(deed.service.url + path);
        await page.getByLabel(label).first().fill(typed);
        await client.post("/api/auth/sign-out");
        await page.getByRole("button", { name: button, exact: true }).click();
        await expect(title(page)).toHaveText("Your session has ended");
        await expect(page.locator("main")).toContainText(typed);
        await signedIn(page, email);
        await page.getByRole("button", { name: "Send it again" }).click();
        await expect(page.locator("main")).toContainText(shows);
      }
      const client = await signedIn(page, email);
      await page.goto(`${deed.service.url}/domains`);
      await page.locator("[name=id]").check();
      await client.post("/api/auth/sign-out");
      await page.getByRole("button", { name: "Watch", exact: true }).click();
      await expect(title(page)).toHaveText("Your session has ended");
      await signedIn(page, email);
      await page.getByRole("button", { name: "Send it again" }).click();
      await expect(page.locator("main")).toContainText("Watched from the proof on");
    });
  });
