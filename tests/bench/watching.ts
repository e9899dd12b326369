import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSlug } from "#app/core/ids.server.ts";
import { testService } from "#app/core/testing/service.ts";
import { nextOwnTime, timeOfDay } from "#app/features/watching/removal.server.ts";
import { startDueWatchReads } from "#app/features/watching/watch-reads.server.ts";
import { openDatabase } from "#db/client.ts";
import { seed } from "../reliability/seed.ts";
import type { Benchmark } from "./benchmark.ts";
import { startBundled } from "./bundled.ts";
import { startKnots } from "./knots.ts";
import { median, Rejected } from "./rounds.ts";
import type { ReadOrder, ReadReport } from "./verification-process.ts";

const WATCHED = 100_000;
const DAY_S = 86_400;
/** Read in a round, of zones of which a tenth has the record: a missing one costs the most packets. */
const DUE = 1_000;
/** Verifications that are due with them in the round that looks at the order. */
const VERIFICATIONS = 1_000;
const ACCOUNTS = 10;
const TICKS = 1_000;
const SECONDS = 120;

/** A database of `count` watched claims after `open` due ones; the first `DUE` are due. Returns the claims' ids. */
function fill(path: string, open: number, count: number): string[] {
  const { claims } = seed(path, { accounts: ACCOUNTS, claims: open + count, due: true });
  const watched = claims.slice(open).map(({ id }) => id);
  const { $client: sql } = openDatabase(path);
  const now = Date.now();
  const watch = sql.prepare(
    `insert into watches (claim_id, purpose, started_at, seen_at, told, zone, nameservers, next_read_at, slug)
     values (?, 'watch', ?, ?, '[]', null, '[]', ?, ?)`,
  );
  sql.transaction(() => {
    for (const [at, id] of watched.entries())
      watch.run(
        id,
        now,
        now,
        at < DUE ? now - DUE + at : nextOwnTime(id, now + 3_600_000),
        newSlug(),
      );
    const proved = "claim_id in (select claim_id from watches)";
    sql.exec(
      `insert into attempts (id, verification_id, trigger, outcome, latency_ms, at)
         select 'att_' || id, id, 'first_check', 'found', 40, created_at from verifications where ${proved};
       insert into attempt_evidence (attempt_id, evidence, trimmed, at)
         select 'att_' || id, '{"servers":[],"witnesses":[]}', 1, created_at from verifications where ${proved};
       update claims set state = 'proved', ended_at = created_at + 1 where id in (select claim_id from watches);
       update verifications set status = 'proved', last_outcome = 'found', wait_reason = null, wait_until = null,
         next_run_at = null where ${proved};
       update domains set status = 'proved' where ${proved};`,
    );
  })();
  sql.close();
  return watched;
}

/** The reads of the busiest hour of the day, as a multiple of an average hour's. */
function busiestHour(ids: readonly string[]): number {
  const hours = new Array<number>(24).fill(0);
  for (const id of ids) {
    const hour = Math.floor(timeOfDay(id) / 3_600_000);
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return (24 * Math.max(...hours)) / ids.length;
}

/** Processor seconds of one look for due reads that finds none. */
async function lookCost(path: string): Promise<number> {
  const db = openDatabase(path);
  const service = testService(db);
  service.now = Date.now() - 10 * DAY_S * 1_000;
  const from = process.cpuUsage();
  for (let each = 0; each < TICKS; each++) await startDueWatchReads(service.ctx, 4);
  const { user, system } = process.cpuUsage(from);
  if (service.asked.length > 0) throw new Rejected("something was due");
  db.$client.close();
  return (user + system) / 1e6 / TICKS;
}

export const watching: Benchmark = {
  name: "watching",
  number: 16,
  work: `${WATCHED.toLocaleString("en")} watched claims: reads of ${DUE.toLocaleString("en")} by the services, committed, against knotd, nine tenths of them without the record; the look for due reads each second`,
  floor: "none",
  needs: ["knotd"],
  async run({ rounds }) {
    const folder = mkdtempSync(join(tmpdir(), "deed-watching-"));
    const knots = await startKnots(DUE + VERIFICATIONS);
    const product = await startBundled<ReadOrder, ReadReport>("verification-process.ts");
    const read = (path: string) =>
      product.ask({
        path,
        seconds: SECONDS,
        reader: {
          rootHints: knots.hints,
          trustAnchors: [],
          witnesses: [],
          allowAddresses: ["127.0.0.0/8"],
          port: knots.port,
          packetsPerAddress: [{ count: 1e9, seconds: 1 }],
        },
      });
    try {
      const shares: number[] = [];
      const filled = join(folder, "filled.db");
      const hour = busiestHour(fill(filled, 0, WATCHED));
      for (let round = 0; round < rounds; round++) {
        const path = join(folder, `watched${round}.db`);
        copyFileSync(filled, path);
        const look = await lookCost(path);
        const { cpuSeconds, watchReads, failures } = await read(path);
        if (watchReads !== DUE || failures.length > 0)
          throw new Rejected(`${watchReads} reads, ${failures.length} failures`);
        shares.push(100 * ((cpuSeconds / DUE) * (WATCHED / DAY_S) + look));
        rmSync(path);
      }
      const mixed = join(folder, "mixed.db");
      fill(mixed, VERIFICATIONS, DUE);
      const { watchReads, early } = await read(mixed);
      if (watchReads !== DUE) throw new Rejected(`${watchReads} watched records were read`);
      return {
        rows: [
          {
            goal: {
              what: "share of a core, 100,000 watched records",
              at: "most",
              value: 5,
              unit: "%",
            },
            value: median(shares),
            product: shares,
            unit: "%",
            note: "without witnesses and DNSSEC, whose cost dnssec-chain measures",
          },
          {
            goal: {
              what: "busiest hour of the day, in average hours",
              at: "most",
              value: 1.1,
              unit: "",
            },
            value: hour,
          },
          {
            goal: {
              what: "watch reads begun while a verification was due",
              at: "most",
              value: 0,
              unit: "",
            },
            value: early,
            note: `of ${DUE} that were due together with ${VERIFICATIONS} verifications`,
          },
        ],
        commands: ["tsx tests/bench/main.ts watching", "apt-get install knot"],
        rejected: 0,
      };
    } finally {
      await product.stop();
      await knots.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
