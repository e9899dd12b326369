import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { newConnectKey } from "#app/connect-key.server.ts";
import { connectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate } from "#app/services/connect/template.ts";
import { publishKey } from "../../scripts/playground/connect-key.ts";
import { type Panel, startPanel } from "../../scripts/playground/panel/server.ts";
import { txt } from "../../scripts/playground/records.ts";
import { type Deed, startDeed } from "../support/deed.ts";
import { newZone, signedIn } from "./holder.ts";

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

async function openClaim(page: Page, domain: string) {
  await page.goto(`${deed.service.url}/domains`);
  await page.getByLabel("Your domain").first().fill(domain);
  await page.getByRole("button", { name: "Prove it" }).click();
  await expect(page).toHaveURL(/\/claims\/clm_/);
}

const picture = async (page: Page, name: string) => {
  const { SHOTS } = process.env;
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

/** From the claim page to the proof: two presses, nothing copied. */
async function setUp(page: Page, domain: string, name: string) {
  const button = page.getByRole("link", { name: "Set it up at 127.0.0.1" });
  await expect(async () => {
    await page.reload();
    await expect(button).toBeVisible({ timeout: 500 });
  }).toPass();
  await picture(page, `${name}-1-claim`);
  await button.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${domain}`);
  await picture(page, `${name}-2-provider`);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/claims\/clm_/);
  await expect(page.getByRole("status").first()).toHaveText(/proved/i);
  await picture(page, `${name}-3-proved`);
}

test("two presses prove a domain, with script", async ({ page }) => {
  await signedIn(page, deed, "script@holder.example");
  await openClaim(page, "acme.com");
  await setUp(page, "acme.com", "script");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("two presses prove a domain", async ({ page }) => {
    await signedIn(page, deed, "plain@holder.example");
    await openClaim(page, "globex.com");
    await setUp(page, "globex.com", "plain");
  });

  test("a refusal at the provider is said on the claim, and adds nothing", async ({ page }) => {
    await signedIn(page, deed, "refused@holder.example");
    await openClaim(page, "hooli.com");
    await page.goto(`${page.url().split("?")[0]}/connect`);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.locator("main")).toContainText("The DNS provider added nothing.");
    await expect(page.getByRole("link", { name: /Open DNS at 127\.0\.0\.1/ })).toBeVisible();
  });

  test("a return that this browser did not begin reads nothing", async ({ page }) => {
    const client = await signedIn(page, deed, "forged@holder.example");
    await openClaim(page, "initech.com");
    const claim = page.url().split("?")[0] ?? "";
    const connected = `${new URL(claim).pathname}/connected`;
    const reads = async () => {
      const { body } = await client.get(`/api/claims/${claim.split("/").pop()}`);
      const { verificationId } = body as { verificationId: string };
      const { body: all } = await client.get(`/api/verifications/${verificationId}/attempts`);
      return (all as { attempts: { trigger: string }[] }).attempts.filter(
        ({ trigger }) => trigger === "requested",
      ).length;
    };
    await page.goto(`${claim}/connect`);
    await page.goto(`${deed.service.url}${connected}?state=${"x".repeat(43)}`);
    await page.goto(`${deed.service.url}${connected}`);
    await expect(page).toHaveURL(claim);
    expect(await reads()).toBe(0);
  });
});

test("a page does not wait for a provider that never answers", async ({ page }) => {
  let asked = 0;
  const silent = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const slow = newZone(deed);
  deed.playground.addRecord(slow, txt(`_domainconnect.${slow}`, `127.0.0.1:${port}`));
  const plain = newZone(deed);
  await signedIn(page, deed, "slow@holder.example");
  const times = async (zone: string) => {
    await openClaim(page, zone);
    const url = page.url();
    const all: number[] = [];
    for (let row = 0; row < 20; row++) {
      const start = performance.now();
      expect((await page.request.get(url)).status()).toBe(200);
      all.push(performance.now() - start);
    }
    return all.toSorted((a, b) => a - b);
  };
  const usual = await times(plain);
  const delayed = await times(slow);
  await expect.poll(() => asked).toBeGreaterThan(0);
  const more = (delayed.at(-1) ?? 0) - (usual[10] ?? 0);
  console.log(
    `median ${usual[10]?.toFixed(1)} ms; with a silent provider ${delayed[10]?.toFixed(1)} ms, the slowest ${more.toFixed(1)} ms more than the usual median`,
  );
  // It holds each call for three seconds: a page that waited would take as long.
  expect(delayed.at(-1)).toBeLessThan(2_000);
  silent.closeAllConnections();
  silent.close();
});
