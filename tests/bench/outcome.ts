import { join } from "node:path";
import { foundAt } from "@deed/dns/testing/readings.ts";
import { evidenceOf } from "@deed/dns/verdict/evidence.ts";
import { claimed, leased, testService } from "#app/core/testing/service.ts";
import { type ReadResult, recordRead } from "#app/features/claims/outcome.server.ts";
import { openDatabase } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { receipts } from "#db/schema.ts";
import { newFolder } from "../support/service.ts";
import type { Benchmark, Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const PROOFS = 100;
const WHAT = "proofs written with their receipts";

/** A database in a file, as the service opens it. */
function fileDatabase(stops: Stops) {
  const db = openDatabase(join(newFolder(), "deed.db"));
  migrateDatabase(db);
  stops.add(() => db.$client.close());
  return db;
}

/**
 * Only writes the outcome of a read: what it saw is prepared, and so is the lease. The floor is one transaction per proof,
 * with the same statement and evidence in one row and nothing else.
 */
export const outcome: Benchmark = {
  name: "outcome",
  figures: { [WHAT]: { unit: "a second", goal: { least: 0.3 } } },
  startProduct(_, stops) {
    const db = fileDatabase(stops);
    const service = testService(db);
    let rounds = 0;
    return async () => {
      rounds += 1;
      const reads: (() => Promise<unknown>)[] = [];
      for (let at = 0; at < PROOFS; at += 1) {
        const names = [`m${at}@r${rounds}.example`, `n${at}.r${rounds}.example.com`] as const;
        const { ctx, claim } = await claimed(service, ...names);
        const run = await leased(service, claim.verificationId);
        const { token, domain } = claim;
        const seen = foundAt({ domain, label: "_service-challenge", token }, service.now);
        const times = { startedAt: service.now, endedAt: service.now };
        const read: ReadResult = {
          ...{ decision: { outcome: "found" }, evidence: JSON.stringify(evidenceOf(seen)) },
          ...{ seen: null, chain: null, progress: {}, forced: false, ...times },
        };
        reads.push(() => recordRead(ctx, run, read));
      }
      const start = performance.now();
      for (const read of reads) await read();
      const seconds = (performance.now() - start) / 1_000;
      if (db.select().from(receipts).all().length !== rounds * PROOFS)
        throw new Rejected("not every proof has its receipt");
      return { [WHAT]: PROOFS / seconds };
    };
  },
  startFloor(stops) {
    const { $client } = fileDatabase(stops);
    $client.exec("create table bare (id integer primary key, statement text, evidence text)");
    const insert = $client.prepare("insert into bare (statement, evidence) values (?, ?)");
    const write = $client.transaction(() => insert.run("s".repeat(1_600), "e".repeat(2_400)));
    return async () => {
      const start = performance.now();
      for (let at = 0; at < PROOFS; at += 1) write.immediate();
      return { [WHAT]: PROOFS / ((performance.now() - start) / 1_000) };
    };
  },
};
