import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { txt } from "@deed/playground/records.ts";
import { expect, it, onTestFinished } from "vitest";
import type { Client } from "../support/deed.ts";
import { openClaim, poll, roomy, signIn, startDeed } from "../support/deed.ts";
import { namesIn, violations } from "../support/facts.ts";
import { isFull } from "../support/size.ts";
import { smallDisk } from "../support/small-disk.ts";
import { figure } from "./figures.ts";

function fill(file: string): void {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // The disk has no room for pieces of that size.
    }
  }
}

async function added(client: Client, tag: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++)
    statuses.push((await client.post("/api/domains", { domain: `${tag}${i}.example.com` })).status);
  return statuses;
}

it("a full disk refuses what it cannot commit, goes on reading, and recovers unaided", async (test) => {
  const dataDir = smallDisk(test, 8);
  const [path, ballast] = [join(dataDir, "deed.db"), join(dataDir, "ballast")];
  const env = { LOG_LEVEL: "silent", ...roomy("RUNS_VERIFICATION", "API") };
  const { playground, service } = await startDeed(env, dataDir);
  onTestFinished(() => playground.stop());
  const client = await signIn(service, "full@holder.example");
  const claim = await openClaim(client, "acme.com");
  playground.addRecord("acme.com", txt(claim.name, claim.token));
  const health = async () => (await client.get("/api/health")).status;
  expect(await health()).toBe(200);
  fill(ballast);
  const filled = performance.now();
  await expect.poll(health, { timeout: 30_000, interval: 100 }).toBe(503);
  const known = (performance.now() - filled) / 1_000;

  const whileFull = await added(client, "full", 200);
  // Some may still fit into the log.
  expect(new Set([...whileFull, 201])).toEqual(new Set([201, 503]));
  const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
  expect([200, 503]).toContain(run.status);
  expect((await client.get("/api/domains")).status).toBe(200);
  expect(await health()).toBe(503);

  rmSync(ballast);
  const began = Date.now();
  expect(new Set(await added(client, "again", 20))).toEqual(new Set([201]));
  if (!isFull) await client.post(`/api/verifications/${claim.verificationId}/runs`);
  const proved = await poll(client, `/api/claims/${claim.id}`, ({ state }) => state === "proved");
  expect(proved.state).toBe("proved");
  await expect.poll(health).toBe(200);
  figure("disk full: health says so after, seconds", known.toFixed(1));
  figure("disk full: proved again after, seconds", ((Date.now() - began) / 1000).toFixed(1));
  expect(namesIn(path).size).toBe(21 + whileFull.filter((status) => status === 201).length);
  expect(violations(path)).toEqual([]);
  expect(await service.stop()).toBe(0);
});
