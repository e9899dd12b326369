import { spawnSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/deed.ts";
import { openClaim, poll, roomy, signIn } from "../support/deed.ts";
import { namesIn, violations } from "../support/facts.ts";
import { passOver } from "../support/lacks.ts";
import { newFolder, startService } from "../support/service.ts";
import { lostIn } from "../support/writing.ts";
import { figure, isFull, quantile } from "./figures.ts";

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ witnesses: 0 });
});
afterAll(() => playground.stop());

const env = () => ({
  ...playground.env,
  LOG_LEVEL: "silent",
  ...roomy("RUNS_VERIFICATION", "API"),
});

function smallDisk(): string | null {
  const folder = newFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", folder]);
  return mounted.status === 0 ? folder : null;
}
const disk = smallDisk();
afterAll(() => {
  if (disk) spawnSync("umount", ["-l", disk]);
});

function fill(file: string): void {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // No room left for pieces of that size.
    }
  }
}

const namesAdded = async (client: Client, tag: string, count: number) => {
  const acknowledged: string[] = [];
  const refused: number[] = [];
  for (let i = 0; i < count; i++) {
    const domain = `${tag}${i}.example.com`;
    const { status } = await client.post("/api/domains", { domain });
    if (status === 201) acknowledged.push(domain);
    else refused.push(status);
  }
  return { acknowledged, refused };
};

describe.skipIf(!disk && passOver("the right to mount a disk"))("a full disk", () => {
  it("refuses what it cannot commit, goes on reading, and recovers unaided", async () => {
    const dataDir = disk ?? "";
    const ballast = join(dataDir, "ballast");
    const service = await startService({ dataDir, env: env() });
    const client = await signIn(service, "full@holder.example");
    const claim = await openClaim(client, "acme.com");
    playground.addRecord("acme.com", txt(claim.name, claim.token));
    const health = async () => (await client.get("/api/health")).status;
    expect(await health()).toBe(200);
    fill(ballast);
    const filled = performance.now();
    await expect.poll(health, { timeout: 30_000, interval: 100 }).toBe(503);
    const known = (performance.now() - filled) / 1_000;

    const full = await namesAdded(client, "full", 200);
    expect(full.refused.length).toBeGreaterThan(0);
    expect(new Set(full.refused)).toEqual(new Set([503]));
    const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect([200, 503]).toContain(run.status);
    expect((await client.get("/api/domains")).status).toBe(200);
    expect(await health()).toBe(503);

    rmSync(ballast);
    const began = Date.now();
    const again = await namesAdded(client, "again", 20);
    expect(again.refused).toEqual([]);
    if (!isFull) await client.post(`/api/verifications/${claim.verificationId}/runs`);
    const proved = await poll(
      client,
      `/api/claims/${claim.id}`,
      ({ state }) => state === "proved",
      60,
    );
    expect(proved.state).toBe("proved");
    await expect.poll(health, { timeout: 30_000 }).toBe(200);
    const lost = lostIn(join(dataDir, "deed.db"), [...full.acknowledged, ...again.acknowledged]);
    figure("disk full: health says so after, seconds", known.toFixed(1));
    figure("disk full: writes refused with 503", full.refused.length);
    figure("disk full: acknowledged without a commit", lost.length);
    figure("disk full: proved again after, seconds", ((Date.now() - began) / 1000).toFixed(1));
    expect(lost).toEqual([]);
    expect(violations(join(dataDir, "deed.db"))).toEqual([]);
    expect(service.child.exitCode).toBeNull();
    service.child.kill("SIGTERM");
    await new Promise((resolve) => service.child.once("exit", resolve));
  });
});

describe("a database that another process has locked", () => {
  it("waits up to five seconds for it, refuses what comes too late, and reads all the while", async () => {
    const service = await startService({ env: env() });
    const path = join(service.dataDir, "deed.db");
    const client = await signIn(service, "locked@holder.example");
    const other = new Database(path);
    try {
      const during = async (ms: number, tag: string) => {
        other.exec("begin immediate");
        const latencies: number[] = [];
        let isHeld = true;
        const reading = (async () => {
          while (isHeld) {
            const at = performance.now();
            expect((await client.get("/api/domains")).status).toBe(200);
            latencies.push(performance.now() - at);
            await sleep(20);
          }
        })();
        const writes = Promise.all(
          [0, 1, 2].map((n) => client.post("/api/domains", { domain: `${tag}${n}.example.com` })),
        );
        await sleep(ms);
        other.exec("rollback");
        isHeld = false;
        await reading;
        return { statuses: (await writes).map(({ status }) => status), latencies };
      };
      const short = await during(1_500, "short");
      const long = await during(6_500, "long");
      expect(short.statuses).toEqual([201, 201, 201]);
      expect(long.statuses).toEqual([503, 503, 503]);
      expect((await namesAdded(client, "after", 3)).refused).toEqual([]);
      expect([...namesIn(path)].filter((name) => name.startsWith("long"))).toEqual([]);
      const slowest = quantile([...short.latencies, ...long.latencies], 0.99);
      figure("database locked for 1.5 s: writes acknowledged once it was free", "3 of 3");
      figure("database locked for 6.5 s: writes refused with 503, and not done", "3 of 3");
      figure("database locked: reads meanwhile, p99 ms", slowest.toFixed(0));
      expect(slowest).toBeLessThan(1_000);
      expect(violations(path)).toEqual([]);
    } finally {
      other.close();
      await service.stop();
    }
  });
});
