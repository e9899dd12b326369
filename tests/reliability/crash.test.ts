import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { hostsOf } from "@deed/playground/samples.ts";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { LEASE_MS } from "#app/features/claims/transition.ts";
import { Chance } from "../fuzz/chance.ts";
import { openClaim, roomy, signIn } from "../support/deed.ts";
import { columnIn, violations } from "../support/facts.ts";
import { freePort, newFolder, startService } from "../support/service.ts";
import { sized } from "../support/size.ts";
import { figure, quantile } from "./figures.ts";
import { Holder, ZONE } from "./holder.ts";

const ENDS = [
  { how: "kill -9", rounds: sized(2, 200), clients: 8, end: "kill" },
  { how: "SIGTERM", rounds: sized(1, 20), clients: 4, end: "stop" },
] as const;

const playground = await startPlayground({ witnesses: 0 });
afterAll(() => playground.stop());

const timeout = 60_000 + Math.max(...ENDS.map(({ rounds }) => rounds)) * 30_000;
it.each(ENDS)(
  "$how: nothing lost, done twice or half, or stuck",
  { timeout },
  async ({ how, rounds, clients, end }) => {
    const chance = new Chance(7);
    const dataDir = newFolder();
    const path = join(dataDir, "deed.db");
    const env = {
      ...playground.env,
      LOG_LEVEL: "error",
      FIRST_READ_SECONDS: "5",
      ...roomy("RUNS_VERIFICATION", "RUNS_ACCOUNT", "API", "DNS_ADDRESS"),
    };
    const start = { dataDir, port: await freePort(), env };
    let service = await startService(start);
    onTestFinished(() => service.kill());
    const holders: Holder[] = [];
    for (let i = 0; i < clients; i++) {
      const client = await signIn(service, `holder${i}@crash.example`);
      holders.push(new Holder(client, `${end}${i}`, playground, chance));
    }
    const count = (of: "acknowledged" | "unanswered") =>
      holders.reduce((sum, one) => sum + one[of], 0);
    const reader = await signIn(service, "reader@crash.example");
    const durations: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // A read is running, and slow nameservers keep it from ending.
      const claim = await openClaim(reader, `${end}read${round}.${ZONE}`);
      playground.addRecord(ZONE, txt(claim.name, claim.token));
      const slowed = (fault: { delayMs: number } | null) => {
        for (const host of hostsOf("godaddy")) playground.setServerFault(host, fault, claim.name);
      };
      slowed({ delayMs: 6_000 });
      const run = () => reader.post(`/api/verifications/${claim.verificationId}/runs`);
      const ended = run().catch(() => null);
      const before = count("acknowledged");
      const writing = holders.map((holder) => holder.work());
      await sleep(chance.below(500));
      // However slow the machine is, there must be writes of each kind to lose.
      await vi.waitUntil(() => count("acknowledged") >= before + 4 * clients, 60_000);
      const began = performance.now();
      const code = await service[end]();
      durations.push(performance.now() - began);
      if (end === "stop") expect(code).toBe(0);
      await Promise.all([...writing, ended]);
      slowed(null);
      expect(holders.flatMap((holder) => holder.lostIn(path))).toEqual([]);
      expect(violations(path)).toEqual([]);
      const isHeld = "select id from verifications where run_id is not null";
      if (end === "stop") expect(columnIn(path, isHeld)).toEqual([]);

      service = await startService(start);
      if (end === "stop") expect((await run()).body).toMatchObject({ status: "proved" });
    }
    // A read that died is made again once its lease has expired.
    await service.stop();
    const NODE_OPTIONS = `--require ${resolve("tests/support/clock-off.cjs")}`;
    const later = { NODE_OPTIONS, CLOCK_OFF_MS: String(LEASE_MS) };
    service = await startService({ ...start, env: { ...env, ...later } });
    const open = "select id from claims where state = 'pending' and name like '%read%'";
    await expect.poll(() => columnIn(path, open)).toEqual([]);
    figure(`${how}: rounds`, rounds);
    figure(`${how}: acknowledged writes, none lost`, count("acknowledged"));
    figure(`${how}: writes cut off`, count("unanswered"));
    figure(`${how}: longest end, seconds`, (quantile(durations, 1) / 1000).toFixed(2));
    expect(holders.flatMap(({ wrong }) => wrong)).toEqual([]);
    if (end === "stop") expect(Math.max(...durations)).toBeLessThan(15_000);
    expect(await service.stop()).toBe(0);
  },
);
