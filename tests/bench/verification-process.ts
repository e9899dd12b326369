// The product's side of the verification benchmark: a child process that takes orders over IPC.
import { createReader } from "@deed/dns/resolve/create-reader.ts";
import type { Reader, ReaderSettings } from "@deed/dns/resolve/reader.ts";
import type { Context } from "#app/core/context.server.ts";
import { createContext } from "#app/create-context.server.ts";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { dueVerifications, startDueReads } from "#app/features/claims/verifications.server.ts";
import { signerOf } from "#app/features/receipts/signer.server.ts";
import { startDueWatchReads } from "#app/features/watching/watch-reads.server.ts";
import { type Db, openDatabase } from "#db/client.ts";

export type ReadOrder = {
  /** A database with due claims. */
  path: string;
  reader: ReaderSettings;
  /** Stops after this time even if more is due. */
  seconds: number;
};

export type ReadReport = {
  packets: number;
  seconds: number;
  cpuSeconds: number;
  failures: string[];
  /** Reads of watched records, and those that began while a verification was due. */
  watchReads: number;
  early: number;
};

/** How often free places are filled. */
const REFILL_MS = 10;
const READ_ENDS_WITHIN_MS = 12_000;

function contextOf(db: Db, reader: Reader, failures: string[]): Context {
  const quiet = () => {};
  const complain = (_: object, message: string) => void failures.push(message);
  return createContext({
    db,
    reader,
    clock: Date.now,
    timekeeper: { resume: quiet, waitsFor: () => null },
    random: Math.random,
    settings: {
      commit: "unknown",
      version: "0.0.0",
      baseUrl: "http://deed.test",
      docsUrl: "http://deed.test/docs",
      challengeLabel: "_service-challenge",
      tokenPrefix: "service_v1_",
      trustAnchors: [],
      witnesses: [],
      firstReadAfterMs: 30_000,
      openClaims: 200,
      signUp: "open",
      admins: [],
      backHosts: [],
    },
    signer: signerOf("5".repeat(64)),
    mailer: { send: async () => {} },
    registry: null,
    outbound: { problem: () => null, call: () => Promise.reject(new Error("no webhooks here")) },
    log: { debug: quiet, info: quiet, warn: complain, error: complain },
  });
}

/** Reads due claims, then watched records, as many at a time as the service does, until none is due or the time is up. */
async function carryOut({ path, reader: settings, seconds }: ReadOrder): Promise<ReadReport> {
  const db = openDatabase(path);
  const reader = createReader(settings);
  const report: ReadReport = {
    packets: 0,
    seconds: 0,
    cpuSeconds: 0,
    failures: [],
    watchReads: 0,
    early: 0,
  };
  const watched = new Set(
    db.$client
      .prepare(
        "select name from claims join watches on claim_id = claims.id where next_read_at <= ?",
      )
      .pluck()
      .all(Date.now()),
  );
  const watchesDue = db.$client.prepare("select 1 from watches where next_read_at <= ?").pluck();
  const counting: Reader = {
    ...reader,
    readChallenge: async (question, signal) => {
      if (watched.has(question.domain)) {
        report.watchReads += 1;
        if (dueVerifications(ctx, 1).length > 0) report.early += 1;
      }
      const seen = await reader.readChallenge(question, signal);
      report.packets += seen.packets;
      return seen;
    },
  };
  const ctx = contextOf(db, counting, report.failures);
  const cpu = process.cpuUsage();
  const from = performance.now();
  const until = from + 1_000 * seconds;
  while (performance.now() < until) {
    const isAll = (await startDueReads(ctx, MAX_READS)) === "all";
    await startDueWatchReads(ctx, MAX_READS);
    if (isAll && watchesDue.get(Date.now()) === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, REFILL_MS));
  }
  await ctx.watchReads.drain(READ_ENDS_WITHIN_MS);
  await ctx.runs.drain(READ_ENDS_WITHIN_MS);
  report.seconds = (performance.now() - from) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  report.cpuSeconds = (user + system) / 1e6;
  reader.close();
  db.$client.close();
  return report;
}

process.on("message", async (order: ReadOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit(0));
