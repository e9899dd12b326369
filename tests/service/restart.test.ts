import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenClaim, openClaim, poll, signIn } from "../support/deed.ts";
import { freePort, startService } from "../support/service.ts";

const NAMESERVERS = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground();
});
afterAll(() => playground.stop());

const slow = (delayMs: number | null) => {
  for (const host of NAMESERVERS)
    playground.setServerFault(host, delayMs === null ? null : { delayMs });
};

describe("a process killed during a read", () => {
  it("proves the claim after its restart, with one outcome", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "deed-"));
    const start = {
      dataDir,
      port: await freePort(),
      env: { ...playground.env, FIRST_READ_SECONDS: "5" },
    };
    const first = await startService(start);
    const client = await signIn(first, "kill@holder.example");
    const claim: OpenClaim = await openClaim(client, "acme.com");
    playground.addRecord("acme.com", txt(claim.name, claim.token));

    slow(1_000);
    const before = playground.received("ns61.domaincontrol.com");
    const run = client.post(`/api/verifications/${claim.verificationId}/runs`).catch(() => null);
    while (playground.received("ns61.domaincontrol.com") === before)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await first.kill();
    await run;
    slow(null);

    const second = await startService(start);
    try {
      const path = `/api/claims/${claim.id}`;
      expect(await poll(client, path, (body) => body.state !== "pending", 80)).toMatchObject({
        state: "proved",
      });
      const { attempts } = (await client.get(`/api/verifications/${claim.verificationId}/attempts`))
        .body as { attempts: { outcome: string }[] };
      expect(attempts.filter(({ outcome }) => outcome === "found")).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });
});

describe("a stop", () => {
  it("ends with code 0 within five seconds while a read is under way and a stream is open", async () => {
    const service = await startService({ env: playground.env });
    const client = await signIn(service, "stop@holder.example");
    const claim = await openClaim(client, "globex.com");
    slow(3_000);
    const stream = await fetch(`${service.url}/api/events`, { headers: { cookie: client.cookie } });
    expect(stream.status).toBe(200);
    const run = client.post(`/api/verifications/${claim.verificationId}/runs`).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const began = Date.now();
    expect(await service.stop()).toBe(0);
    expect(Date.now() - began).toBeLessThan(5_000);
    await run;
    await stream.body?.cancel().catch(() => undefined);
    slow(null);
  });
});
