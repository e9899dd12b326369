import { test as base, type Page } from "@playwright/test";
import {
  type Client,
  type Deed,
  type OpenClaim,
  openClaim,
  signIn,
  startDeed,
} from "../support/deed.ts";
import { LARGE_BUDGETS } from "./gallery/services.ts";

/** This worker's service. */
export let deed: Deed;
/** The settings of that service, without those of its DNS: no read comes by itself. */
export const SETTINGS = {
  ...LARGE_BUDGETS,
  ...{ FIRST_READ_SECONDS: "900", RATE_LIMIT_RUNS_VERIFICATION: "5/60" },
};

/** A test on that service; records that a test adds to the playground's zones are removed afterwards. */
export const test = base.extend<{ cleared: undefined }, { running: undefined }>({
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    async ({}, use) => {
      deed = await startDeed(SETTINGS);
      await use(undefined);
      await deed.stop();
    },
    { auto: true, scope: "worker" },
  ],
  cleared: [
    async ({ running }, use) => {
      await use(running);
      for (const zone of ["acme.com", "globex.com"])
        deed.playground.deleteRecord(zone, ({ name }) => name.startsWith("_service-challenge"));
      deed.playground.flushWitnesses();
    },
    { auto: true },
  ],
});

export async function signedIn(page: Page, email: string): Promise<Client> {
  const client = await signIn(deed.service, email);
  const [name = "", value = ""] = client.cookie.split("=");
  await page.context().addCookies([{ name, value, url: deed.service.url }]);
  return client;
}

export const title = (page: Page) => page.getByRole("heading", { level: 1 });
export const state = (page: Page) => page.getByRole("status").first();

let made = 0;
export function newZone(): string {
  const name = `screen-${made++}.example`;
  deed.playground.addZone({ name, nameservers: ["ns1.hosting.example"] });
  return name;
}

/** The documents that `page` requests from now on, without the router's history updates within a page. */
export function documentsLoaded(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) urls.push(request.url());
  });
  return urls;
}

export const read = (client: Client, { verificationId }: OpenClaim) =>
  client.post(`/api/verifications/${verificationId}/runs`);

export async function readToTheLimit(client: Client, claim: OpenClaim): Promise<void> {
  while ((await read(client, claim)).status !== 429);
}

/** A new account with a claim on its own zone, whose page is open. */
export async function claimPage(page: Page, who: string, zone = newZone()) {
  const client = await signedIn(page, who);
  const claim = await openClaim(client, zone);
  await page.goto(`${deed.service.url}/domains/${claim.domainId}`);
  return { client, claim, zone };
}
