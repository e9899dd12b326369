import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { hostsOf } from "@deed/playground/samples.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { LEASE_MS } from "#app/features/claims/transition.ts";
import type { Client } from "../support/deed.ts";
import { openClaim, roomy, signIn } from "../support/deed.ts";
import { columnIn, countIn, violations } from "../support/facts.ts";
import { freePort, newFolder, type Service, startService } from "../support/service.ts";
import { figure, quantile, seeded, sized } from "./figures.ts";
import { Holder, ZONE } from "./holder.ts";

const STREAMS = 20;
/** Longer than a lease: a read that died holds its verification no longer than this. */
const LEASES_LAPSED_MS = LEASE_MS + 15_000;

type End = {
  how: string;
  rounds: number;
  clients: number;
  code: number | null;
  by(service: Service): Promise<number | null>;
  /** How long a read may stay held by the service that ended. */
  heldMs: number;
};

const ENDS: End[] = [
  {
    how: "kill -9",
    rounds: sized(2, 200),
    clients: 8,
    code: null,
    by: async (service) => {
      await service.kill();
      return service.child.exitCode;
    },
    heldMs: LEASES_LAPSED_MS,
  },
  {
    how: "SIGTERM",
    rounds: sized(1, 20),
    clients: 4,
    code: 0,
    by: (service) => service.stop(),
    heldMs: 0,
  },
];

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ witnesses: 0 });
});
afterAll(() => playground.stop());

/** Opens account streams and reads each until it ends. One not yet answered when the service stops is reset. */
async function follow(client: Client): Promise<Promise<string>[]> {
  const open = () =>
    fetch(`${client.url}/api/events`, { headers: client.identityFor("/api/events") })
      .then((response) => response.text())
      .catch(() => "cut");
  const streams = Array.from({ length: STREAMS }, open);
  await sleep(300);
  return streams;
}

/** A claim whose record is there, with a read under way that its slow nameservers keep from ending. */
async function readOf(reader: Client, name: string) {
  const claim = await openClaim(reader, name);
  playground.addRecord(ZONE, txt(claim.name, claim.token));
  for (const host of hostsOf("godaddy"))
    playground.setServerFault(host, { delayMs: 6_000 }, claim.name);
  const run = () => reader.post(`/api/verifications/${claim.verificationId}/runs`);
  return { claim, run, ended: run().catch(() => null) };
}

const acknowledgedBy = (holders: readonly Holder[]) =>
  holders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

const timeout = 60_000 + Math.max(...ENDS.map(({ rounds }) => rounds)) * 30_000;
it.each(ENDS)(
  "$how: nothing lost, done twice or half, or stuck",
  { timeout },
  async ({ how, rounds, clients, code, by, heldMs }) => {
    const random = seeded(7);
    const [tag = ""] = how.toLowerCase();
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
    try {
      const holders: Holder[] = [];
      for (let i = 0; i < clients; i++) {
        const client = await signIn(service, `holder${i}@crash.example`);
        holders.push(new Holder(client, `${tag}${i}`, playground, random));
      }
      const reader = await signIn(service, "reader@crash.example");
      const durations: number[] = [];
      const codes = new Set<number | null>();
      const lost: string[] = [];
      const broken: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const { claim, run, ended } = await readOf(reader, `${tag}read${round}.${ZONE}`);
        const streams = await follow(reader);
        const before = acknowledgedBy(holders);
        const writing = holders.map(async (holder) => {
          while (await holder.write());
        });
        await sleep(100 + random() * 500);
        // However slow the machine is, some writes must be there to lose.
        await vi.waitUntil(() => acknowledgedBy(holders) >= before + clients, { timeout: 20_000 });
        const began = performance.now();
        codes.add(await by(service));
        durations.push(performance.now() - began);
        await Promise.all([...writing, ...streams, ended]);
        for (const host of hostsOf("godaddy")) playground.setServerFault(host, null, claim.name);
        lost.push(...holders.flatMap((holder) => holder.lostIn(path)));
        broken.push(...violations(path));
        if (heldMs === 0)
          broken.push(...columnIn(path, "select id from verifications where run_id is not null"));

        service = await startService(start);
        if (heldMs === 0) expect((await run()).body).toMatchObject({ status: "proved" });
      }
      // A read that died is made again once its lease has lapsed.
      const open = "select id from claims where state = 'pending' and name like '%read%'";
      const giveUpAt = Date.now() + heldMs;
      while (columnIn(path, open).length > 0 && Date.now() < giveUpAt) await sleep(500);
      const stuck = columnIn(path, open);
      const proved = countIn(path, "select count(*) from claims where state = 'proved'");
      figure(`${how}: rounds`, rounds);
      figure(`${how}: acknowledged writes`, acknowledgedBy(holders));
      figure(
        `${how}: writes cut off`,
        holders.reduce((sum, one) => sum + one.unanswered, 0),
      );
      figure(`${how}: proved claims`, proved);
      figure(`${how}: longest end, seconds`, (quantile(durations, 1) / 1000).toFixed(2));
      figure(`${how}: acknowledged writes lost`, lost.length);
      figure(`${how}: broken rules, half-written or still held`, broken.length);
      figure(`${how}: stuck claims`, stuck.length);
      expect([lost, broken, stuck]).toEqual([[], [], []]);
      expect(holders.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect([...codes]).toEqual([code]);
      if (code === 0) expect(Math.max(...durations)).toBeLessThan(5_000);
      expect(await service.stop()).toBe(0);
    } finally {
      await service.kill();
    }
  },
);
