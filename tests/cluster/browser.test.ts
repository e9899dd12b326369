import { txt } from "@deed/playground/records.ts";
import { type Browser, chromium, expect as expectPage } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bringChromium } from "../support/chromium.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { Cluster } from "./cluster.ts";
import { figure } from "./figures.ts";
import { mailed } from "./visitor.ts";

let cluster: Cluster;
let balancer: Balancer;
let browser: Browser;

beforeAll(async () => {
  cluster = await Cluster.create();
  await cluster.start();
  balancer = await startBalancer(cluster);
  browser = await chromium.launch(bringChromium() ?? {});
});
afterAll(async () => {
  await browser.close();
  await balancer.stop();
  await cluster.stop();
});

it.each([
  ["with JavaScript", true, "acme.com"],
  ["without JavaScript", false, "globex.com"],
])(
  "a browser signs in, claims and proves, every request to a random node, %s",
  async (how, javaScriptEnabled, domain) => {
    const page = await browser.newPage({ javaScriptEnabled });
    const email = `${domain}@holder.example`;
    await page.goto(`${balancer.url}/sign-in`);
    await page.getByLabel("Your email address").fill(email);
    await page.getByRole("button", { name: /mail me|send/i }).click();
    await expectPage(page.getByRole("heading", { level: 1 })).toHaveText("Check your mail");
    await page.goto(`${balancer.url}/sign-in/confirm?token=${await mailed(cluster, email)}`);
    await page.getByRole("button", { name: `Sign in as ${email}` }).click();
    await expectPage(page).toHaveURL(/\/domains$/);

    await page.getByLabel("Your domain").first().fill(domain);
    await page.getByRole("button", { name: "Add domain" }).click();
    await expectPage(page).toHaveURL(/\/domains\/dom_/);
    const token = await page
      .getByText(/^service_v1_[0-9a-f]{40}$/)
      .first()
      .innerText();
    cluster.playground.addRecord(domain, txt(`_service-challenge.${domain}`, token));
    await page.getByRole("button", { name: "Check now" }).click();
    await expectPage(page.getByRole("status").first()).toHaveText(/proved/i, { timeout: 60_000 });

    await page.getByRole("button", { name: /publish/i }).click();
    const link = page.getByRole("link", { name: "Preview" });
    const url = (await link.getAttribute("href")) ?? "";
    for (let i = 0; i < 6; i++) {
      const answer = await page.goto(new URL(url, balancer.url).href);
      expect(answer?.status()).toBe(200);
      await expectPage(page.locator("main")).toContainText(token);
    }
    await page.close();
    expect(balancer.sent.size).toBe(3);
    figure(
      `browser session ${how}`,
      `proved; requests so far by node ${[...balancer.sent.values()].join(", ")}`,
    );
  },
);
