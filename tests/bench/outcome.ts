import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { foundAt } from "@deed/dns/testing/readings.ts";
import { leased, testService } from "#app/core/testing/service.ts";
import { runCheck } from "#app/features/claims/run-check.server.ts";
import { EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { addWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { openDatabase } from "#db/client.ts";
import { people } from "#db/schema.ts";
import { seed } from "../reliability/seed.ts";
import { watchTransactions } from "../support/transactions.ts";
import type { Benchmark } from "./benchmark.ts";
import { interleave, median, Rejected } from "./rounds.ts";

const FOLDER = ".cache/bench";
const OUTCOMES = 100;
const ACCOUNTS = 10;
/** How often the service writes a lone outcome (GATHER_MS). The floor inserts its rows at the same pace. */
const EVERY_MS = 20;

/** Runs `work` on a new database of OUTCOMES due claims. */
async function onNewFile<T>(work: (path: string, ids: string[]) => Promise<T>): Promise<T> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, "outcome-"));
  try {
    const path = join(folder, "deed.db");
    const { claims } = seed(path, { accounts: ACCOUNTS, claims: OUTCOMES, due: true });
    return await work(
      path,
      claims.map(({ verificationId }) => verificationId),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Milliseconds per transaction that writes outcomes of reads that found the record, one at a time or all together.
 * `hooks`: webhooks of each account, which want every event.
 */
const outcomes = (together: boolean, hooks = 0) =>
  onNewFile(async (path, ids) => {
    const db = openDatabase(path);
    const service = testService(db);
    for (const { id: personId, accountId, email } of db.select().from(people).all())
      for (let hook = 0; hook < hooks; hook++)
        await addWebhook(
          service.ctx,
          { accountId, personId, email },
          { url: `https://hooks.example/${hook}`, events: EVENTS_SHOWN },
        );
    service.see = foundAt;
    service.now = Date.now();
    const held = await Promise.all(ids.map((id) => leased(service, id)));
    const took: number[] = [];
    let begun = 0;
    const leave = watchTransactions(db, {
      begin: () => {
        begun = performance.now();
      },
      afterCommit: () => took.push(performance.now() - begun),
    });
    const record = (one: (typeof held)[number]) =>
      runCheck(service.ctx, one, new AbortController().signal, () => false);
    if (together) await Promise.all(held.map(record));
    else for (const one of held) await record(one);
    leave();
    const proved = db.$client
      .prepare("select count(*) from claims where state = 'proved' and name like 'n%'")
      .pluck()
      .get();
    db.$client.close();
    if (proved !== OUTCOMES) throw new Rejected(`${proved} of ${OUTCOMES} were proved`);
    if (!together && took.length !== OUTCOMES)
      throw new Rejected(`${took.length} transactions for ${OUTCOMES} outcomes`);
    return took;
  });

/** Milliseconds per insert of one row into the same kind of file. */
const inserts = () =>
  onNewFile(async (path) => {
    const { $client: sql } = openDatabase(path);
    sql.exec("create table floor (id integer primary key, at integer, value text)");
    const insert = sql.prepare("insert into floor (at, value) values (?, ?)");
    const took: number[] = [];
    for (let i = 0; i < OUTCOMES; i++) {
      await sleep(EVERY_MS);
      const from = performance.now();
      insert.run(i, "one row of a table with three columns");
      took.push(performance.now() - from);
    }
    sql.close();
    return took;
  });

export const outcome: Benchmark = {
  name: "outcome",
  number: 8,
  work: "the transaction of one outcome that proves a claim, synchronous=FULL",
  floor: "an insert of one row, synchronous=FULL, in the same kind of file",
  needs: [],
  async run({ rounds }) {
    const { product, floor, rejected } = await interleave(rounds, {
      product: async () => median(await outcomes(false)),
      floor: async () => median(await inserts()),
    });
    const hooked = {
      none: median(await outcomes(false)),
      one: median(await outcomes(false, 1)),
      ten: median(await outcomes(false, 10)),
    };
    const ms = (value: number) => `${value.toFixed(2)} ms`;
    const batches = await outcomes(true);
    const each = batches.reduce((sum, ms) => sum + ms, 0) / OUTCOMES;
    return {
      rows: [
        {
          goal: { what: "outcome transactions a second", at: "least", value: 0.3, unit: "" },
          value: median(floor) / median(product),
          product: product.map((ms) => 1_000 / ms),
          floor: floor.map((ms) => 1_000 / ms),
          unit: "/s",
          note: `one at a time, one every ${EVERY_MS} ms on both sides; ${OUTCOMES} that end together take ${each.toFixed(2)} ms each, in ${batches.length} transactions; with a webhook for every event ${ms(hooked.one)}, with ten ${ms(hooked.ten)}, without ${ms(hooked.none)}`,
        },
      ],
      commands: ["tsx tests/bench/main.ts outcome"],
      rejected,
    };
  },
};
