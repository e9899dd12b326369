import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { datedResolver } from "@deed/dns/testing/dated-resolver.ts";
import { startPlayground } from "@deed/playground/playground.ts";
import { expect, it, onTestFinished } from "vitest";
import { openClaim, signIn } from "../support/deed.ts";
import { freePort, newFolder, startService } from "../support/service.ts";

const DAY = 24 * 3_600_000;
const CLOCK_OFF = { NODE_OPTIONS: `--require ${resolve("tests/support/clock-off.cjs")}` };

it("a clock that is 9 days ahead at the start expires nothing, and signs nobody out, until a resolver's Date agrees", async () => {
  const playground = await startPlayground();
  const resolver = await datedResolver(() => new Date(Date.now() + 18 * DAY).toUTCString());
  onTestFinished(async () => {
    resolver.close();
    await playground.stop();
  });
  const [dataDir, port] = [newFolder(), await freePort()];
  const start = (days: number, env: Record<string, string> = {}) => {
    const off = { ...CLOCK_OFF, CLOCK_OFF_MS: String(days * DAY) };
    return startService({ dataDir, port, env: { ...playground.env, ...off, ...env } });
  };
  let service = await start(0);
  const client = await signIn(service, "clock@holder.example");
  const claim = await openClaim(client, "acme.com");
  const health = async () => (await client.get("/api/health")).body;
  const claimNow = async () => (await client.get(`/api/claims/${claim.id}`)).body;
  const known = { status: "ok", clock: { trusted: true, waitingFor: null } };
  expect(await health()).toMatchObject(known);
  await service.stop();

  service = await start(9);
  await expect.poll(service.output).toContain("checks and expiry wait until");
  expect(await claimNow()).toMatchObject({ state: "pending" });
  expect(await health()).toMatchObject({ clock: { trusted: false } });
  await service.stop();

  const authority = join(dataDir, "authority.pem");
  writeFileSync(authority, resolver.authority);
  service = await start(18, { DNS_RESOLVERS: resolver.entry, NODE_EXTRA_CA_CERTS: authority });
  await expect.poll(health).toMatchObject({ clock: { trusted: true } });
  await expect.poll(claimNow).toMatchObject({ state: "expired" });
  await service.stop();
});
