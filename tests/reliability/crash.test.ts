import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Playground, startPlayground } from "@deed/playground/playground.ts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { roomy } from "../support/budgets.ts";
import type { Client } from "../support/client.ts";
import { signIn } from "../support/deed.ts";
import { freePort, type Service, startService } from "../support/service.ts";
import { columnIn, countIn, violations } from "./facts.ts";
import { figure, seeded, sized } from "./figures.ts";
import { Holder } from "./holder.ts";
import { lostIn } from "./ledger.ts";

const CLIENTS = 8;
const ROUNDS = sized(2, 200);

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground({ witnesses: 0 });
});
afterAll(() => playground.stop());

/**
 * Longer than a lease. A read in progress holds its verification too, but one that died holds it no longer than this.
 */
const LEASES_LAPSED_MS = 20_000;

/** Reads each open claim once more. Returns those still held by a dead read, or that cannot be read again. */
async function stuckIn(path: string, clients: readonly Client[]): Promise<string[]> {
  const open = columnIn(
    path,
    `select v.id || ' ' || a.email from verifications v join accounts a on a.id = v.account_id
     where v.next_run_at is not null`,
  );
  const refused = await Promise.all(
    open.map(async (line) => {
      const [id, email] = line.split(" ");
      const { status } =
        (await clients[Number(/\d+/.exec(email ?? "")?.[0])]?.post(
          `/api/verifications/${id}/runs`,
        )) ?? {};
      return status === 200 || status === 409 ? [] : [`${id}: ${status}`];
    }),
  );
  const heldNow = () =>
    columnIn(path, "select id || ' ' || run_id from verifications where run_id is not null");
  let held = heldNow();
  const giveUpAt = Date.now() + LEASES_LAPSED_MS;
  while (held.length > 0 && Date.now() < giveUpAt) {
    await sleep(500);
    const now = new Set(heldNow());
    held = held.filter((run) => now.has(run));
  }
  return [...refused.flat(), ...held];
}

const acknowledgedBy = (holders: readonly Holder[]) =>
  holders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

it(
  "kill -9 under mixed writes from eight clients: nothing acknowledged is lost, nothing is done twice, nothing stays stuck",
  async () => {
    const random = seeded(7);
    const dataDir = mkdtempSync(join(tmpdir(), "deed-"));
    const path = join(dataDir, "deed.db");
    const start = {
      dataDir,
      port: await freePort(),
      env: {
        ...playground.env,
        LOG_LEVEL: "error",
        ...roomy("RUNS_VERIFICATION", "RUNS_ACCOUNT", "API", "DNS_ADDRESS"),
      },
    };
    let service: Service = await startService(start);
    try {
      const holders: Holder[] = [];
      const clients: Client[] = [];
      for (let i = 0; i < CLIENTS; i++) {
        const client = await signIn(service, `holder${i}@crash.example`);
        clients.push(client);
        holders.push(new Holder(client, `h${i}`, playground, random));
      }

      const lost: string[] = [];
      const broken: string[] = [];
      let unanswered = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const writing = Promise.all(
          holders.map(async (holder) => {
            while (await holder.write());
          }),
        );
        const before = acknowledgedBy(holders);
        await sleep(100 + random() * 500);
        // However slow the machine is, some writes must be there to lose.
        await vi.waitUntil(() => acknowledgedBy(holders) >= before + CLIENTS, { timeout: 20_000 });
        await service.kill();
        await writing;
        unanswered += holders.filter(({ uncertain }) => uncertain !== null).length;
        service = await startService(start);
        lost.push(...lostIn(path, holders));
        broken.push(...violations(path));
      }

      const stuck = await stuckIn(path, clients);
      const acknowledged = acknowledgedBy(holders);
      const wrong = holders.flatMap((holder) => holder.wrong);
      figure("crash: rounds", ROUNDS);
      figure("crash: acknowledged writes", acknowledged);
      figure("crash: writes cut off unanswered", unanswered);
      figure(
        "crash: proved claims",
        countIn(path, "select count(*) from claims where state = 'proved'"),
      );
      figure("crash: acknowledged writes lost", lost.length);
      figure(
        "crash: broken rules (double outcomes, events without fact, integrity)",
        broken.length,
      );
      figure("crash: stuck claims", stuck.length);
      expect(lost).toEqual([]);
      expect(broken).toEqual([]);
      expect(wrong).toEqual([]);
      expect(stuck).toEqual([]);
      expect(await service.stop()).toBe(0);
      rmSync(dataDir, { recursive: true, force: true });
    } finally {
      // Leaves no process running after a failure.
      await service.kill();
    }
  },
  60_000 + ROUNDS * 30_000,
);
