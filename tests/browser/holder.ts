import { expect, type Page, type Response } from "@playwright/test";
import { type Client, signIn } from "../support/client.ts";
import type { Deed } from "../support/deed.ts";

/** Signs `email` in, in the page's browser and in a client that shares its session. */
export async function signedIn(page: Page, deed: Deed, email: string): Promise<Client> {
  const client = await signIn(deed.service, email);
  const [name = "", value = ""] = client.cookie.split("=");
  await page.context().addCookies([{ name, value, url: deed.service.url }]);
  return client;
}

/** A new name of the playground's, hosted there with an empty zone. */
let made = 0;
export function newZone({ playground }: Deed): string {
  const name = `screen-${made++}.example`;
  playground.addZone({ name, nameservers: ["ns1.hosting.example"] });
  return name;
}

/** Reloads the page. Without script the page refreshes itself, which may interrupt a load: then it is tried again. */
export async function reload(page: Page): Promise<Response | null> {
  let response: Response | null = null;
  await expect(async () => {
    response = await page.reload();
  }).toPass();
  return response;
}

/** The documents `page` requests from now on, without same-page history updates by the router. */
export function documentsLoaded(page: Page): string[] {
  const urls: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) urls.push(request.url());
  });
  return urls;
}
