import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { roomy } from "../support/deed.ts";
import { countIn, violations } from "../support/facts.ts";
import { newFolder, startService } from "../support/service.ts";
import { figure, isFull, quantile, sized, spread } from "./figures.ts";
import { startLeanDns } from "./lean-dns.ts";
import { gauge } from "./metrics.ts";
import { seed } from "./seed.ts";

const DUE = sized(300, 100_000);
const ACCOUNTS = sized(10, 1_000);
const REQUEST_EVERY_MS = 50;

/** The first attempt of each claim in the order of their ends; `due` is its place in the queue. */
function attemptsOf(path: string) {
  const db = new Database(path, { readonly: true });
  const rows = db
    .prepare<[], { at: number; latency: number; due: number }>(
      `select a.at, max(a.latency_ms, 1) as latency, cast(substr(c.name, 2) as integer) as due
       from attempts a join verifications v on v.id = a.verification_id join claims c on c.id = v.claim_id
       where c.name like 'n%' and a.id = (select min(id) from attempts where verification_id = v.id)
       order by a.at, a.id`,
    )
    .all();
  db.close();
  return rows;
}

function mostAtOnce(attempts: ReturnType<typeof attemptsOf>): number {
  const steps = attempts
    .flatMap(({ at, latency }): [number, number][] => [
      [at, 1],
      [at + latency, -1],
    ])
    .sort(([a, by], [b, other]) => a - b || by - other);
  let [now, most] = [0, 0];
  for (const [, by] of steps) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

const timeout = 120_000 + DUE * 30;
it("a backlog is drained in due order, under the caps", { timeout }, async () => {
  const dataDir = newFolder();
  const path = join(dataDir, "deed.db");
  const { cookies, claims, slugs } = seed(path, { accounts: ACCOUNTS, claims: DUE, due: true });
  const dns = await startLeanDns();
  const own = { LOG_LEVEL: "error", METRICS: "on", ...roomy("API", "PROOFS") };
  const service = await startService({ dataDir, env: { ...dns.env, ...own } });
  const loopDelay = async () =>
    1000 * (await gauge(service.url, "nodejs_eventloop_lag_p99_seconds"));
  try {
    await loopDelay();
    const began = Date.now();
    const latencies: number[] = [];
    const failed: unknown[] = [];
    const ask = async (i: number) => {
      const at = performance.now();
      const { id, verificationId, domainId } = claims[i % claims.length] ?? {};
      const paths = [
        "domains",
        `claims/${id}`,
        `verifications/${verificationId}`,
        `proofs/${slugs[i % slugs.length]}`,
        `claims?domainId=${domainId}`,
      ];
      const isWrite = i % 10 === 9;
      const body = JSON.stringify({ domain: `w${i}.example.com` });
      const headers = {
        cookie: cookies[i % cookies.length] ?? "",
        "content-type": "application/json",
      };
      const response = await fetch(`${service.url}/api/${isWrite ? "domains" : paths[i % 5]}`, {
        headers,
        ...(isWrite && { method: "POST", body }),
      });
      await response.text();
      latencies.push(performance.now() - at);
      if (!response.ok) failed.push(response.status);
    };
    const query =
      "select count(*) from verifications where next_run_at <= ? and last_run_at is null";
    let isOver = false;
    const asking = (async () => {
      for (let i = 0; !isOver; i++) {
        void ask(i).catch((error: unknown) => failed.push(error));
        await sleep(REQUEST_EVERY_MS);
      }
    })();
    while (countIn(path, query, began) > 0) await sleep(isFull ? 2_000 : 100);
    const seconds = (Date.now() - began) / 1000;
    isOver = true;
    await asking;
    const delay = await loopDelay();

    const attempts = attemptsOf(path);
    const displaced = quantile(
      attempts.map(({ due }, position) => Math.abs(due - position)),
      1,
    );
    const proved = "select count(*) from claims where state = 'proved' and name like 'n%'";
    const failures = "select count(*) from attempts where outcome = 'unresolvable'";
    figure("backlog: due verifications", DUE);
    figure("backlog: drained in seconds", seconds.toFixed(0));
    figure("backlog: reads a second", (DUE / seconds).toFixed(0));
    figure("backlog: places out of due order, at most", displaced);
    figure("backlog: most reads at once", mostAtOnce(attempts));
    figure("backlog: API latency meanwhile", spread(latencies, "ms"));
    figure("backlog: event-loop delay p99, ms", delay.toFixed(1));
    figure("backlog: reads that were our side's failure", countIn(path, failures));
    expect(failed).toEqual([]);
    expect(attempts).toHaveLength(DUE);
    expect(mostAtOnce(attempts)).toBeLessThanOrEqual(MAX_READS);
    // Up to MAX_READS reads run at once, some slower than others, so they do not end in due order.
    expect(displaced).toBeLessThanOrEqual(3 * MAX_READS);
    // A few seconds right after the start are not representative: the full run checks the promised figures.
    if (isFull) expect([quantile(latencies, 0.99) < 250, delay < 50]).toEqual([true, true]);
    expect(countIn(path, proved)).toBe(DUE / 10);
    expect(violations(path)).toEqual([]);
  } finally {
    await service.stop();
    dns.stop();
  }
});
