import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Client } from "../support/client.ts";
import { clockOff } from "../support/clock-off.ts";
import { type OpenClaim, openClaim, poll, signIn } from "../support/deed.ts";
import { freePort, type Service, startService } from "../support/service.ts";
import { both, record, zone } from "./case.ts";
import { describeLab, type Lab, startLab } from "./lab.ts";

const DAY = 24 * 3_600_000;
const NAME = "dated.example";

describeLab("the clock at startup, with a root signed by knotd", () => {
  let lab: Lab;
  let dataDir: string;
  let client: Client;
  let claim: OpenClaim;
  let port: number;

  /** Starts the service on the shared database with a clock that is off by `days`. */
  async function started(days: number, work: (service: Service) => Promise<void>) {
    const env = { ...lab.env, ...(days === 0 ? {} : clockOff(days * DAY)) };
    const service = await startService({ dataDir, port, env });
    try {
      await work(service);
    } finally {
      await service.stop({ keep: true });
    }
  }
  const clock = async () => ((await client.get("/api/health")).body as { clock: unknown }).clock;
  const lines = (service: Service, text: string) =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes(text));

  beforeAll(async () => {
    lab = await startLab([zone(NAME, both(), { minimum: 5 })]);
    dataDir = mkdtempSync(join(tmpdir(), "deed-"));
    port = await freePort();
    // The service's clock is three days behind the root's and everyone else's.
    await started(-3, async (service) => {
      client = await signIn(service, "clock@holder.example");
      claim = await openClaim(client, NAME);
    });
    for (const server of ["ns1", "ns2"] as const)
      await lab.setZone(server, NAME, [record(claim.token)]);
  });
  afterAll(async () => {
    await lab?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.each([-400, 2, 30])(
    "%i days off: the root disagrees, and nothing is proved or expires",
    async (days) => {
      await started(days, async (service) => {
        const health = await poll(
          client,
          "/api/health",
          () => lines(service, '"sources"').length > 0,
          5,
        );
        expect(health.clock).toMatchObject({ trusted: false });
        const [line = "{}"] = lines(service, '"sources"');
        // The root was reached: the validity period of its signature is in the log.
        expect(JSON.parse(line).sources[0].times[0]).toMatch(/^\d{4}-.*Z\/\d{4}-.*Z$/);
        const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
        expect(run.status).toBe(503);
        expect((await client.get(`/api/claims/${claim.id}`)).body).toMatchObject({
          state: "pending",
        });
      });
    },
  );

  it("corrected after three days off: the root agrees, and the claim is proved, dated today", async () => {
    await started(0, async (service) => {
      const path = `/api/claims/${claim.id}`;
      const ended = await poll(client, path, ({ state }) => state !== "pending", 20);
      expect(ended).toMatchObject({ state: "proved" });
      expect(Math.abs(Date.parse(String(ended.endedAt)) - Date.now())).toBeLessThan(60_000);
      expect(await clock()).toEqual({ trusted: true, waitingFor: null });
      expect(lines(service, "the system clock is confirmed")).toHaveLength(1);
    });
  });
});
