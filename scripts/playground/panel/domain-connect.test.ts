import { afterAll, beforeAll, expect, it } from "vitest";
import { newConnectKey } from "#app/connect-key.server.ts";
import { createReader } from "#app/dns/resolve/create-reader.ts";
import { createOutbound } from "#app/outbound/outbound.server.ts";
import { applyUrl } from "#app/services/connect/apply-url.ts";
import { discoverOffer } from "#app/services/connect/discovery.server.ts";
import { connectSigner } from "#app/services/connect/signer.ts";
import { connectTemplate } from "#app/services/connect/template.ts";
import { publishKey } from "../connect-key.ts";
import { type Playground, startPlayground } from "../playground.ts";
import { readerSettings } from "../reader-settings.ts";
import { type Panel, startPanel } from "./server.ts";

const SERVICE = "http://localhost:3000";
const NAMES = { challengeLabel: "_service-challenge", tokenPrefix: "service_v1_" };
const template = connectTemplate({ ...NAMES, baseUrl: SERVICE });
const connect = connectSigner(newConnectKey());
const TOKEN = `service_v1_${"0a".repeat(20)}`;
let playground: Playground;
let panel: Panel;

beforeAll(async () => {
  playground = await startPlayground();
  publishKey(playground, template.syncPubKeyDomain, connect);
  panel = await startPanel({ playground, serviceUrl: SERVICE, template });
});
afterAll(async () => {
  await panel.stop();
  await playground.stop();
});

const place = (domain: string, zone: string) =>
  ({ label: NAMES.challengeLabel, domain, zone, token: TOKEN, provider: "other" }) as const;

async function offerOf(zone: string) {
  const reader = createReader(readerSettings(playground.env));
  const outbound = createOutbound({ allowed: ["127.0.0.0/8"], denied: [] });
  const { providerId } = template;
  try {
    return (await discoverOffer({ reader, outbound, providerId }, zone)).offer;
  } finally {
    reader.close();
  }
}

const urlOf = async (domain: string, zone: string) => {
  const { apply } = await offerOf(zone);
  const trip = { returnTo: `${SERVICE}/claims/clm_1/connected`, state: "the-state" };
  return applyUrl(apply ?? "", place(domain, zone), { ...NAMES, connect }, trip);
};

const press = (url: string, intent: string) =>
  fetch(url, {
    method: "POST",
    body: new URLSearchParams({ intent, query: new URL(url).search.slice(1) }),
    redirect: "manual",
  });

it("is found through the zone, with the page of the zone", async () => {
  for (const zone of ["acme.com", "globex.com", "xn--bcher-kva.example"])
    expect(await offerOf(zone)).toEqual({
      controlPanel: `${panel.url}/zones/${zone}`,
      apply: `${panel.url}/v2/domainTemplates/providers/localhost/services/domain-proof/apply`,
    });
});

it("adds the record after one press, and sends the browser back with the state", async () => {
  const url = await urlOf("shop.acme.com", "acme.com");
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${SERVICE};`);
  const text = await page.text();
  expect(text).toContain(`_service-challenge.shop.acme.com. 300 IN TXT &quot;${TOKEN}&quot;`);
  const { status, headers } = await press(url, "connect");
  expect([status, headers.get("Location")]).toEqual([
    303,
    `${SERVICE}/claims/clm_1/connected?state=the-state`,
  ]);
  const added = playground.world.copy("acme.com").records.at(-1);
  expect(added).toMatchObject({ name: "_service-challenge.shop.acme.com", data: [TOKEN] });
});

it("adds nothing after a refusal, and says so on the way back", async () => {
  const before = playground.world.copy("hooli.com").records.length;
  const { headers } = await press(await urlOf("hooli.com", "hooli.com"), "cancel");
  expect(headers.get("Location")).toContain("state=the-state&error=access_denied");
  expect(playground.world.copy("hooli.com").records.length).toBe(before);
});

it("refuses what was not signed like that, and other templates", async () => {
  const url = await urlOf("acme.com", "acme.com");
  for (const forged of [
    url.replace(/token=../, "token=ff"),
    url.replace("domain=acme.com", "domain=globex.com"),
    url.replace(/&sig=[^&]*/, ""),
    url.replace(/&key=.*/, "&key=_other"),
    url.replace("clm_1", "clm_2"),
  ])
    expect((await press(forged, "connect")).status).toBe(403);
  expect((await fetch(url.replace("domain-proof", "other"))).status).toBe(404);
});

it("is found behind an alias, and not where one server says something else", async () => {
  const name = "_domainconnect.lantern.example";
  const isThat = (record: { name: string }) => record.name === name;
  playground.deleteRecord("lantern.example", isThat);
  playground.addRecord("lantern.example", {
    name,
    type: "CNAME",
    ttl: 300,
    data: "_domainconnect.acme.com",
  });
  const { controlPanel } = await offerOf("lantern.example");
  expect(controlPanel).toBe(`${panel.url}/zones/lantern.example`);
  playground.deleteRecord("lantern.example", isThat, "ns2.vercel-dns.com");
  expect(await offerOf("lantern.example")).toEqual({ controlPanel: null, apply: null });
});
