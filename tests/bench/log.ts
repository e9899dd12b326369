import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { publishCheckpoint } from "#app/services/log/checkpoints.server.ts";
import { appendEntry, proofOfEntry } from "#app/services/log/log.server.ts";
import { currentLog } from "#app/services/log/log-rows.server.ts";
import { completedBy, leafHash } from "#app/services/log/merkle.ts";
import { SignedTreeFile } from "#app/services/log/signed-tree.server.ts";
import { testService } from "#app/services/testing/service.ts";
import { type Db, openDatabase, write } from "#db/client.ts";
import { migrateDatabase } from "#db/migrate.ts";
import type { Benchmark } from "./benchmark.ts";
import { median } from "./rounds.ts";

const FOLDER = ".cache/bench";
const ENTRIES = 1_000_000;
const MEASURED = 1_000;

const entryOf = (n: number) => createHash("sha256").update(`entry ${n}`).digest();
const inWords = (n: number) => n.toLocaleString("en-US");

/** Fills a log that has begun, with the rows that appending one entry after the other would leave. */
function fill({ $client }: Db, log: string, size: number): void {
  const levels: Uint8Array[][] = [[]];
  const addEntry = $client.prepare("insert into log_entries values (?, ?, ?)");
  const addHash = $client.prepare("insert into log_hashes values (?, ?, ?, ?)");
  const subtrees = (level: number, index: number) => levels[level]?.[index] ?? Buffer.alloc(0);
  $client.exec("begin");
  for (let n = 0; n < size; n++) {
    const entry = entryOf(n);
    const leaf = leafHash(entry);
    levels[0]?.push(leaf);
    addEntry.run(log, n, entry);
    for (const { level, index, hash } of completedBy(subtrees, n, leaf)) {
      levels[level] ??= [];
      levels[level].push(hash);
      addHash.run(log, level, index, hash);
    }
  }
  $client.prepare("update logs set size = ?").run(size);
  $client.exec("commit");
}

/** Milliseconds for each append, proof and transaction with one append, in a log of `size` entries on disk. */
async function measure(size: number) {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, "log-"));
  try {
    const db = openDatabase(join(folder, "deed.db"));
    migrateDatabase(db);
    const { ctx } = testService(db);
    ctx.signedTree = new SignedTreeFile(join(folder, "signed-tree"));
    await publishCheckpoint(ctx);
    const builtFrom = performance.now();
    fill(db, currentLog(db)?.id ?? "", size);
    const builtMs = performance.now() - builtFrom;
    await publishCheckpoint(ctx);
    const appends: number[] = [];
    const commits: number[] = [];
    const proofs: number[] = [];
    for (let i = 0; i < MEASURED; i++) {
      const entry = entryOf(size + i);
      const begun = performance.now();
      const place = await write(db, (tx) => {
        const from = performance.now();
        const appended = appendEntry(tx, ctx, entry);
        appends.push(performance.now() - from);
        return appended;
      });
      commits.push(performance.now() - begun);
      const index = Math.floor(Math.random() * size);
      const from = performance.now();
      const proof = proofOfEntry(db, { ...place, index });
      proofs.push(performance.now() - from);
      if (!proof) throw new Error(`entry ${index} has no proof`);
    }
    const publishedFrom = performance.now();
    await publishCheckpoint(ctx);
    const publishedMs = performance.now() - publishedFrom;
    db.$client.close();
    return { appends, commits, proofs, builtMs, publishedMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const log: Benchmark = {
  name: "log",
  number: 13,
  work: `an append to the log, and a proof of an entry, at ${inWords(ENTRIES)} entries`,
  floor: "none: milliseconds",
  needs: [],
  async run() {
    const { appends, commits, proofs, builtMs, publishedMs } = await measure(ENTRIES);
    return {
      rows: [
        {
          goal: { what: "append of an entry", at: "most", value: 1, unit: "ms" },
          value: median(appends),
          note: `with its commit, synchronous=FULL, ${median(commits).toFixed(2)} ms; the log was filled in ${Math.round(builtMs / 1_000)} s`,
        },
        {
          goal: { what: "proof of an entry", at: "most", value: 2, unit: "ms" },
          value: median(proofs),
          note: `random entries; the checkpoint takes ${publishedMs.toFixed(1)} ms, with what it puts on disk first`,
        },
      ],
      commands: ["tsx tests/bench/main.ts log"],
      rejected: 0,
    };
  },
};
