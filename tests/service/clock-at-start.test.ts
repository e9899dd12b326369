import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { datedResolver } from "@deed/dns/testing/dated-resolver.ts";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { afterAll, beforeAll, expect, it } from "vitest";

import { type Client, type OpenClaim, openClaim, signIn } from "../support/deed.ts";

import { freePort, newFolder, type Service, startService } from "../support/service.ts";

const DAY = 24 * 3_600_000;
const CLOCK_OFF = { NODE_OPTIONS: `--require ${resolve("tests/support/clock-off.cjs")}` };

let playground: Playground;
/** A resolver with a Date that is 18 days ahead. */
let resolver: Awaited<ReturnType<typeof datedResolver>>;
let dataDir: string;
let client: Client;
let claim: OpenClaim;
let port: number;

async function started(
  days: number,
  env: Record<string, string>,
  work: (s: Service) => Promise<void>,
) {
  const service = await startService({
    dataDir,
    port,
    env: { ...playground.env, ...CLOCK_OFF, CLOCK_OFF_MS: String(days * DAY), ...env },
  });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

const dated = () => {
  const authority = join(dataDir, "authority.pem");
  writeFileSync(authority, resolver.authority);
  return { DNS_RESOLVERS: resolver.entry, NODE_EXTRA_CA_CERTS: authority };
};
const health = async () => (await client.get("/api/health")).body as { clock: unknown };
const stateOf = async () => (await client.get(`/api/claims/${claim.id}`)).body;
const PATIENTLY = { timeout: 30_000 };
const saysThatItWaits = (service: Service) =>
  expect.poll(service.output, PATIENTLY).toContain("checks and expiry wait until");

beforeAll(async () => {
  playground = await startPlayground();
  resolver = await datedResolver(() => new Date(Date.now() + 18 * DAY).toUTCString());
  dataDir = newFolder();
  port = await freePort();
  await started(0, {}, async (service) => {
    client = await signIn(service, "clock@holder.example");
    claim = await openClaim(client, "acme.com");
    expect(await health()).toMatchObject({
      status: "ok",
      clock: { trusted: true, waitingFor: null },
    });
  });
});
afterAll(async () => {
  resolver.close();
  await playground.stop();
});

it("a clock that is 9 days ahead at the start expires nothing, and signs nobody out, until a resolver's Date agrees", async () => {
  await started(9, {}, async (service) => {
    await saysThatItWaits(service);
    expect(await stateOf()).toMatchObject({ state: "pending" });
    expect(await health()).toMatchObject({ clock: { trusted: false } });
  });
  await started(18, dated(), async () => {
    await expect.poll(health, PATIENTLY).toMatchObject({ clock: { trusted: true } });
    await expect.poll(stateOf, PATIENTLY).toMatchObject({ state: "expired" });
  });
});
