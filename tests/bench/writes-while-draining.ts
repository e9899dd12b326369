import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { quantile } from "../reliability/figures.ts";
import { type LeanDns, startLeanDns } from "../reliability/lean.ts";
import { seed } from "../reliability/seed.ts";
import { freePort, startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { startLoad } from "./processes.ts";
import { interleave, median, Rejected } from "./rounds.ts";
import type { WriteOrder, WriteReport } from "./write-clients.ts";

const FOLDER = ".cache/bench";
const DUE = 10_000;
const ACCOUNTS = 10;
const WARM_SECONDS = 1;
const SECONDS = 5;
const WRITE_EVERY_MS = 15;
/** With fewer reads than this in the window, the worker was not draining. */
const LEAST_READS = 50 * SECONDS;
const ROOMY = "100000000/1";

/** A database that each round starts from. */
type Template = { path: string; cookies: string[] };

type Drained = { reads: number; failed: number; wrong: number; left: number };

/** What the worker has done with the seeded claims so far; every tenth can be proved. */
function drained(path: string): Drained {
  const db = new Database(path, { readonly: true });
  const count = (sql: string) => Number(db.prepare(`select count(*) ${sql}`).pluck().get());
  const seeded = "from verifications v join claims c on c.id = v.claim_id where c.name like 'n%'";
  const told = {
    reads: count("from attempts"),
    failed: count("from attempts where outcome = 'unresolvable'"),
    wrong: count(
      `${seeded} and v.last_run_at is not null and (c.state = 'proved') <> (c.name like 'n%0.com')`,
    ),
    left: count(`${seeded} and v.last_run_at is null and v.next_run_at <= ${Date.now()}`),
  };
  db.close();
  return told;
}

function check(before: Drained, after: Drained, isDraining: boolean): void {
  const reads = after.reads - before.reads;
  if (after.failed > 0 || after.wrong > 0)
    throw new Rejected(`${after.failed} reads failed, ${after.wrong} outcomes were wrong`);
  if (isDraining && (reads < LEAST_READS || after.left === 0))
    throw new Rejected(`${reads} reads in the window, ${after.left} left due`);
  if (!isDraining && reads > 0) throw new Rejected(`${reads} reads beside an idle worker`);
}

/** The 99th percentile of the writes to a service that starts from the template, in milliseconds. */
async function writesOn({ path, cookies }: Template, dns: LeanDns, isDraining: boolean) {
  const dataDir = mkdtempSync(join(FOLDER, "writes-"));
  const file = join(dataDir, "deed.db");
  copyFileSync(path, file);
  const port = await freePort();
  const env = {
    ...dns.env,
    LOG_LEVEL: "error",
    RATE_LIMIT_API: ROOMY,
    LIMIT_OPEN_CLAIMS: "1000000",
  };
  const service = await startService({ dataDir, port, env });
  const load = startLoad<WriteOrder, WriteReport>("write-clients.ts");
  try {
    const order = { port, cookies, every: WRITE_EVERY_MS };
    await load.ask({ ...order, seconds: WARM_SECONDS });
    const before = drained(file);
    const { took, unexpected } = await load.ask({ ...order, seconds: SECONDS });
    if (unexpected) throw new Rejected(unexpected);
    check(before, drained(file), isDraining);
    return quantile(took, 0.99);
  } finally {
    await Promise.all([load.stop(), service.kill()]);
    await sleep(100);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const writesWhileDraining: Benchmark = {
  name: "writes-while-draining",
  number: 10,
  work: "p99 of API writes (add, claim, cancel) while the worker drains 10,000 due claims",
  floor: "the same beside an idle worker",
  needs: [],
  async run({ rounds }) {
    mkdirSync(FOLDER, { recursive: true });
    const folder = mkdtempSync(join(FOLDER, "templates-"));
    const template = (name: string, due: boolean): Template => {
      const path = join(folder, `${name}.db`);
      return { path, cookies: seed(path, { accounts: ACCOUNTS, claims: DUE, due }).cookies };
    };
    const templates = { due: template("due", true), idle: template("idle", false) };
    const dns = await startLeanDns();
    try {
      const { product, floor, rejected } = await interleave(rounds, {
        product: () => writesOn(templates.due, dns, true),
        floor: () => writesOn(templates.idle, dns, false),
      });
      return {
        rows: [
          {
            goal: {
              what: "API writes' p99 above an idle worker's",
              at: "most",
              value: 15,
              unit: "ms",
            },
            value: median(product) - median(floor),
            product,
            floor,
            unit: "ms",
            note: `a write every ${WRITE_EVERY_MS} ms, timed from when it was to be sent`,
          },
        ],
        commands: [
          "tsx tests/reliability/lean-dns.ts <port>",
          `LOG_LEVEL=error RATE_LIMIT_API=${ROOMY} RATE_LIMIT_DNS_ADDRESS=${ROOMY} DNS_RESOLVERS= DNS_PORT=<port> npm start`,
          "tsx tests/bench/write-clients.ts",
        ],
        rejected,
      };
    } finally {
      dns.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
