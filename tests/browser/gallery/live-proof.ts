import { readFileSync } from "node:fs";
import { txt } from "@deed/playground/records.ts";
import type { Page } from "@playwright/test";
import { openClaim, poll, signIn } from "../../support/deed.ts";
import type { GalleryServices } from "./services.ts";

const NAME = "fresh.example";
const made = new WeakMap<GalleryServices, Promise<{ path: string; receipt: Buffer }>>();

/** A proof that the service itself made, and had stamped: its key has not ended, as those of seeded proofs have. */
export function liveProof(gallery: GalleryServices) {
  const proof = made.get(gallery) ?? prove(gallery);
  made.set(gallery, proof);
  return proof;
}

async function prove({ service, playground }: GalleryServices) {
  const client = await signIn(service, "fresh@harbour.example");
  playground.addZone({ name: NAME, nameservers: ["ns1.hosting.example"] });
  const claim = await openClaim(client, NAME);
  playground.addRecord(NAME, txt(claim.name, claim.token));
  await poll(client, `/api/claims/${claim.id}`, ({ state }) => state === "proved", 60);
  const link = (await client.post(`/api/claims/${claim.id}/proof_links`)).body as { slug: string };
  const at = `/api/proofs/${link.slug}/receipt`;
  await poll(client, at, ({ stamp }) => Boolean(stamp), 20);
  return { path: `/p/${link.slug}`, receipt: Buffer.from((await client.get(at)).text) };
}

const [root = ""] = Object.values(
  JSON.parse(readFileSync("packages/receipt/stamp-roots.json", "utf8")) as Record<string, string>,
);
const SCRIPTS = /\/_assets\/.*\.js$/;

/** Meanwhile the page knows the root of the gallery's stamper, as it knows those of public ones. */
export async function knowingTheStamper(
  page: Page,
  { stampers }: GalleryServices,
  act: () => Promise<unknown>,
): Promise<void> {
  await page.route(SCRIPTS, async (route) => {
    const response = await route.fetch();
    const own = Buffer.from(stampers.root).toString("base64");
    await route.fulfill({ response, body: (await response.text()).replace(root, own) });
  });
  await act();
  await page.unroute(SCRIPTS);
}
