import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { testService } from "#app/core/testing/service.ts";
import { dueVerifications } from "#app/features/claims/verifications.server.ts";
import { openDatabase } from "#db/client.ts";
import { gauge } from "../reliability/metrics.ts";
import { type Service, startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { type Pending, pendingIn } from "./pending-seed.ts";
import { interleave, median, Rejected } from "./rounds.ts";

const MANY = 1_000_000;
const FEW = 10_000;
const DUE = 500;
const QUERIES = 200;
const SETTLE_MS = 3_000;
const IDLE_MS = 4_000;

/** Measures the median milliseconds of the query for due verifications, with DUE of them due. */
function dueQuery({ path, firstDueAt }: Pending): { measure(): number; close(): void } {
  const db = openDatabase(path);
  const service = testService(db);
  service.now = firstDueAt + DUE - 1;
  return {
    measure() {
      const took = Array.from({ length: QUERIES }, () => {
        const from = performance.now();
        const due = dueVerifications(service.ctx, 2 * DUE);
        const ms = performance.now() - from;
        if (due.length !== DUE) throw new Rejected(`${due.length} were due`);
        return ms;
      });
      return median(took);
    },
    close: () => db.$client.close(),
  };
}

/** Nanoseconds that all threads of a process have run. */
const ranFor = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
    )
    .reduce((sum, ns) => sum + ns, 0);

/** Percent of a core that the idle service uses. */
async function idleCpu({ child: { pid = 0 } }: Service): Promise<number> {
  const [from, ran] = [performance.now(), ranFor(pid)];
  await sleep(IDLE_MS);
  return (100 * (ranFor(pid) - ran)) / 1e6 / (performance.now() - from);
}

/** The 99th percentile of the event-loop delay since the last scrape, in milliseconds. */
async function loopLag({ url }: Service): Promise<number> {
  await gauge(url, "nodejs_eventloop_lag_p99_seconds");
  await sleep(IDLE_MS / 2);
  const seconds = await gauge(url, "nodejs_eventloop_lag_p99_seconds");
  if ((await gauge(url, "deed_due_reads")) !== 0) throw new Rejected("something was due");
  return 1_000 * seconds;
}

async function measureAll(rounds: number, many: Pending, few: Pending) {
  const queries = { many: dueQuery(many), few: dueQuery(few) };
  const query = await interleave(rounds, {
    product: async () => queries.many.measure(),
    floor: async () => queries.few.measure(),
  });
  queries.many.close();
  queries.few.close();
  const start = ({ path }: Pending) =>
    startService({ dataDir: join(path, ".."), env: { METRICS: "on", LOG_LEVEL: "error" } });
  const services = { many: await start(many), few: await start(few) };
  try {
    await sleep(SETTLE_MS);
    const cpu = await interleave(rounds, {
      product: () => idleCpu(services.many),
      floor: () => idleCpu(services.few),
    });
    const lag = await interleave(rounds, {
      product: () => loopLag(services.many),
      floor: () => loopLag(services.few),
    });
    return { query, cpu, lag };
  } finally {
    await Promise.all([services.many.stop(), services.few.stop()]);
  }
}

export const pending: Benchmark = {
  name: "pending",
  number: 7,
  work: "a million pending verifications: the query of what is due (500), and a service with nothing due",
  floor: "the same with 10,000 pending",
  needs: [],
  async run({ rounds }) {
    const folder = mkdtempSync(".cache/bench/run-");
    try {
      const many = pendingIn(join(folder, "many"), MANY);
      const few = pendingIn(join(folder, "few"), FEW);
      const { query, cpu, lag } = await measureAll(rounds, many, few);
      return {
        rows: [
          {
            goal: {
              what: "query of what is due, 500 of a million",
              at: "most",
              value: 2,
              unit: "",
            },
            value: median(query.product) / median(query.floor),
            ...query,
            unit: "ms",
          },
          {
            goal: { what: "idle CPU of a core", at: "most", value: 1, unit: "%" },
            value: median(cpu.product),
            ...cpu,
            unit: "%",
            note: "nothing due, nothing asked; all threads, from /proc/<pid>/task/*/schedstat",
          },
          {
            goal: { what: "event-loop delay, p99", at: "most", value: 10, unit: "ms" },
            value: median(lag.product),
            ...lag,
            unit: "ms",
            note: "the gauge nodejs_eventloop_lag_p99_seconds of /metrics, /metrics being read",
          },
        ],
        commands: ["METRICS=on LOG_LEVEL=error npm start"],
        rejected: query.rejected + cpu.rejected + lag.rejected,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async grow() {
    const folder = mkdtempSync(".cache/bench/run-");
    try {
      const points = [FEW, 100_000, MANY].map((size) => {
        const query = dueQuery(pendingIn(join(folder, String(size)), size));
        query.measure();
        const product = median([1, 2, 3, 4, 5].map(() => query.measure()));
        query.close();
        return { size, product };
      });
      return {
        title: "The query of what is due, 500 due",
        axis: "pending verifications",
        unit: "ms",
        points,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
