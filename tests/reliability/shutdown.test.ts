import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roomy } from "../support/budgets.ts";
import type { Client } from "../support/client.ts";
import { openClaim, poll, signIn } from "../support/deed.ts";
import { freePort, type Service, startService } from "../support/service.ts";
import { columnIn, violations } from "./facts.ts";
import { figure, quantile, seeded, sized } from "./figures.ts";
import { Holder } from "./holder.ts";
import { lostIn } from "./ledger.ts";

const ROUNDS = sized(1, 20);
const WRITERS = 4;
const STREAMS = 20;
const NAMESERVERS = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ witnesses: 0 });
});
afterAll(() => playground.stop());

/** Opens account streams and reads each until it ends. */
async function follow(client: Client): Promise<Promise<string>[]> {
  const headers = { cookie: client.cookie };
  // A stream not yet answered when the service stops is reset; a browser would reconnect.
  const open = () =>
    fetch(`${client.url}/api/events`, { headers })
      .then((response) => response.text())
      .catch(() => "cut");
  const streams = Array.from({ length: STREAMS }, open);
  await sleep(300);
  return streams;
}

it(
  "SIGTERM under writes, streams and a running read: exit 0 within five seconds, nothing half-written, the next start goes on",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "deed-stop-"));
    const path = join(dataDir, "deed.db");
    const start = {
      dataDir,
      port: await freePort(),
      env: {
        ...playground.env,
        LOG_LEVEL: "error",
        ...roomy("RUNS_VERIFICATION", "RUNS_ACCOUNT", "API"),
      },
    };
    let service: Service = await startService(start);
    const random = seeded(3);
    const clients: Client[] = [];
    for (let i = 0; i < WRITERS; i++) clients.push(await signIn(service, `w${i}@stop.example`));
    const holders = clients.map((client, i) => new Holder(client, `s${i}`, playground, random));
    const reader = await signIn(service, "reader@stop.example");

    const durations: number[] = [];
    const codes: (number | null)[] = [];
    const lost: string[] = [];
    const broken: string[] = [];
    const notResumed: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const claim = await openClaim(reader, `read${round}.acme.com`);
      playground.addRecord("acme.com", txt(claim.name, claim.token));
      for (const host of NAMESERVERS)
        playground.setServerFault(host, { delayMs: 6_000 }, claim.name);
      const run = reader.post(`/api/verifications/${claim.verificationId}/runs`).catch(() => null);
      const streams = await follow(reader);
      const writing = holders.map(async (holder) => {
        while (await holder.write());
      });
      await sleep(200 + random() * 300);
      const began = performance.now();
      codes.push(await service.stop({ keep: true }));
      durations.push(performance.now() - began);
      await Promise.all([...writing, ...streams, run]);
      for (const host of NAMESERVERS) playground.setServerFault(host, null, claim.name);
      lost.push(...lostIn(path, holders));
      broken.push(...violations(path));
      // The read was released, so no one has to wait for its lease to expire.
      broken.push(...columnIn(path, "select id from verifications where run_id is not null"));

      service = await startService(start);
      await reader.post(`/api/verifications/${claim.verificationId}/runs`);
      const after = await poll(
        reader,
        `/api/claims/${claim.id}`,
        ({ state }) => state === "proved",
        5,
      );
      if (after.state !== "proved") notResumed.push(claim.id);
    }
    figure("shutdown: rounds", ROUNDS);
    figure("shutdown: exit codes", [...new Set(codes)].join(", "));
    figure("shutdown: longest, seconds", (quantile(durations, 1) / 1000).toFixed(2));
    figure("shutdown: acknowledged writes lost", lost.length);
    figure("shutdown: half-written or still held", broken.length);
    figure("shutdown: reads not gone on with after the next start", notResumed.length);
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(Math.max(...durations)).toBeLessThan(5_000);
    expect([lost, broken, notResumed]).toEqual([[], [], []]);
    expect(holders.flatMap(({ wrong }) => wrong)).toEqual([]);
    await service.stop();
  },
  60_000 + ROUNDS * 20_000,
);
