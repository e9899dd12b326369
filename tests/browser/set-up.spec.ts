import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { newConnectKey } from "#app/connect-key.server.ts";
import { connectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate } from "#app/services/connect/template.ts";
import { publishKey } from "../../scripts/playground/connect-key.ts";
import { type Panel, startPanel } from "../../scripts/playground/panel/server.ts";
import { txt } from "../../scripts/playground/records.ts";
import type { Client } from "../support/client.ts";
import { type Deed, openClaim, signIn, startDeed } from "../support/deed.ts";
import { newZone, signedIn } from "./holder.ts";

/** Claims with a silent provider, as many without, and views of each. */
const CLAIMS = 10;
const VIEWS = 10;
const key = newConnectKey();
let deed: Deed;
let panel: Panel;
test.beforeAll(async () => {
  deed = await startDeed({
    FIRST_READ_SECONDS: "3",
    DOMAIN_CONNECT_KEY: key,
    DOMAIN_CONNECT_ALLOW_ADDRESSES: "127.0.0.0/8",
  });
  const { playground, service } = deed;
  const names = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };
  const template = connectTemplate({ ...names, baseUrl: service.url });
  publishKey(playground, template.syncPubKeyDomain, connectSigner(key));
  panel = await startPanel({ playground, serviceUrl: service.url, template });
});
test.afterAll(async () => {
  await panel.stop();
  await deed.stop();
});

async function addDomain(page: Page, domain: string) {
  await page.goto(`${deed.service.url}/domains`);
  await page.getByLabel("Your domain").first().fill(domain);
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page).toHaveURL(/\/claims\/clm_/);
}

const picture = async (page: Page, name: string) => {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

/** From the page of a claim or a hand-off to the provider and back: two presses, nothing copied. */
async function setUp(page: Page, domain: string, name: string) {
  await picture(page, `${name}-1-page`);
  await page.getByRole("link", { name: "Set it up at 127.0.0.1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${domain}`);
  await picture(page, `${name}-2-provider`);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/(claims|h)\/\w+$/);
  await expect(page.getByRole("status").first()).toHaveText(/proved/i);
  await picture(page, `${name}-3-proved`);
}

/** Until the button is there, which a page without script learns when it is loaded again. */
const reloadUntilOffered = (page: Page) =>
  expect(async () => {
    await page.reload();
    const button = page.getByRole("link", { name: "Set it up at 127.0.0.1" });
    await expect(button).toBeVisible({ timeout: 500 });
  }).toPass();

/** How many checks of a claim somebody has asked for. */
async function askedChecks(client: Client, verificationId: string): Promise<number> {
  const { body } = await client.get(`/api/verifications/${verificationId}/attempts`);
  const { attempts } = body as { attempts: { trigger: string }[] };
  return attempts.filter(({ trigger }) => trigger === "requested").length;
}

test("two presses prove a domain, with script", async ({ page }) => {
  await signedIn(page, deed, "script@holder.example");
  await addDomain(page, "acme.com");
  await setUp(page, "acme.com", "script");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("two presses prove a domain", async ({ page }) => {
    await signedIn(page, deed, "plain@holder.example");
    await addDomain(page, "globex.com");
    await reloadUntilOffered(page);
    await setUp(page, "globex.com", "plain");
  });

  test("a refusal at the provider is said on the claim, and adds nothing", async ({ page }) => {
    await signedIn(page, deed, "refused@holder.example");
    await addDomain(page, "hooli.com");
    await page.goto(`${page.url().split("?")[0]}/connect`);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.locator("main")).toContainText("The DNS provider added nothing.");
    await expect(page.getByRole("link", { name: /Open DNS at 127\.0\.0\.1/ })).toBeVisible();
  });

  test("a return that this browser did not begin there reads nothing", async ({ page }) => {
    const client = await signedIn(page, deed, "forged@holder.example");
    const claim = await openClaim(client, "initech.com");
    const other = await openClaim(client, newZone(deed));
    const at = (id: string) => `${deed.service.url}/claims/${id}`;
    await page.goto(`${at(claim.id)}/connect`);
    const state = new URL(page.url()).searchParams.get("state");
    for (const forged of [
      `${at(claim.id)}/connected?state=${"x".repeat(43)}`,
      `${at(claim.id)}/connected`,
      `${at(other.id)}/connected?state=${state}`,
    ]) {
      await page.goto(forged);
      await expect(page).toHaveURL(forged.split("/connected")[0] ?? "");
    }
    // The account's other browser has no cookie of the trip.
    await client.get(`/claims/${claim.id}/connected?state=${state}`);
    const { verificationId } = claim;
    expect(await askedChecks(client, verificationId)).toBe(0);
    expect(await askedChecks(client, other.verificationId)).toBe(0);
    const stranger = await signIn(deed.service, "stranger@holder.example");
    const { headers } = await stranger.get(`/claims/${claim.id}/connect`);
    expect(headers.get("location")).toBe(`/claims/${claim.id}?set-up=not-possible`);
    await page.goto(`${at(claim.id)}/connected?state=${state}`);
    await expect.poll(() => askedChecks(client, verificationId)).toBe(1);
    await page.goto(`${at(claim.id)}/connected?state=${state}`);
    expect(await askedChecks(client, verificationId)).toBe(1);
  });

  test("two presses do for the DNS admin on a hand-off, without an account", async ({
    page,
    browser,
  }) => {
    const client = await signIn(deed.service, "shared@holder.example");
    const zone = "lantern.example";
    const claim = await openClaim(client, zone);
    const { body } = await client.post(`/api/claims/${claim.id}/handoff`);
    const { url } = body as { url: string };
    await page.goto(url);
    await reloadUntilOffered(page);
    await page.goto(`${url}/connect`);
    const state = new URL(page.url()).searchParams.get("state");
    const elsewhere = await browser.newPage();
    await elsewhere.goto(`${url}/connected?state=${state}`);
    await expect(elsewhere).toHaveURL(url);
    expect(await askedChecks(client, claim.verificationId)).toBe(0);
    await page.goto(url);
    await setUp(page, zone, "hand-off");
  });
});

test("a page does not wait for a provider that never answers", async ({ page }) => {
  let asked = 0;
  const silent = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const client = await signedIn(page, deed, "slow@holder.example");
  const usual: number[] = [];
  const delayed: number[] = [];
  for (let each = 0; each < 2 * CLAIMS; each += 1) {
    const zone = newZone(deed);
    const times = each % 2 === 0 ? usual : delayed;
    if (times === delayed)
      deed.playground.addRecord(zone, txt(`_domainconnect.${zone}`, `127.0.0.1:${port}`));
    const { id } = await openClaim(client, zone);
    for (let view = 0; view < VIEWS; view += 1) {
      const start = performance.now();
      expect((await client.get(`/claims/${id}`)).status).toBe(200);
      times.push(performance.now() - start);
    }
  }
  expect(asked).toBeGreaterThan(0);
  const figures = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    return `median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`;
  };
  const late = delayed.filter((ms) => ms > Math.max(...usual) + 50).length;
  console.log(
    `${usual.length} views each: ${figures(usual)}; with a provider that never answers (${asked} calls) ${figures(delayed)}; ${late} of them more than 50 ms after the slowest without`,
  );
  // It holds each call for three seconds: a page that waited would take as long.
  expect(Math.max(...delayed)).toBeLessThan(2_000);
  silent.closeAllConnections();
  silent.close();
});
