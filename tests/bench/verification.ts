import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { seed } from "../reliability/seed.ts";
import type { Benchmark, Growth } from "./benchmark.ts";
import { startBundled } from "./bundled.ts";
import { startForger } from "./forger.ts";
import { type Knots, SERVERS, startKnots, ZONE_SERVERS } from "./knots.ts";
import type { Asked } from "./processes.ts";
import { interleave, median, Rejected } from "./rounds.ts";
import { checkOutcomes } from "./verification-outcomes.ts";
import type { ReadOrder, ReadReport } from "./verification-process.ts";
import { describeQueries } from "./verification-sample.ts";

const run = promisify(execFile);

const CLAIMS = 10_000;
const SAMPLE = 200;
const ACCOUNTS = 10;
const SECONDS = 3;
const SAMPLE_SECONDS = 60;
const GROWTH_ROUNDS = 3;
const SIZES = [1_000, 10_000, 100_000];
const [SERVER = ""] = ZONE_SERVERS;

/** A world of `claims` due claims, read by the product's services in a child process. */
class Bench {
  /** Processor time per query of each round, in microseconds. */
  readonly cpuMicroseconds: number[] = [];

  private constructor(
    readonly knots: Knots,
    private readonly product: Asked<ReadOrder, ReadReport>,
    readonly folder: string,
  ) {}

  static async start(claims: number): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), "deed-verification-"));
    seed(join(folder, "due.db"), { accounts: ACCOUNTS, claims, due: true });
    const knots = await startKnots(claims);
    return new Bench(knots, await startBundled("verification-process.ts"), folder);
  }

  /** Reads a copy of the database `from`, and checks what was committed. */
  async read(from: string, seconds: number, port = this.knots.port): Promise<ReadReport> {
    const path = join(this.folder, "round.db");
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    copyFileSync(join(this.folder, from), path);
    const report = await this.product.ask({
      path,
      seconds,
      reader: {
        rootHints: this.knots.hints,
        trustAnchors: [],
        witnesses: [],
        allowAddresses: ["127.0.0.0/8"],
        port,
        packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      },
    });
    checkOutcomes(path, report);
    return report;
  }

  /** Measures queries a second over the reads of one round. */
  async round(): Promise<number> {
    const { packets, seconds, cpuSeconds } = await this.read("due.db", SECONDS);
    this.cpuMicroseconds.push((1e6 * cpuSeconds) / packets);
    return packets / seconds;
  }

  /** Measures queries a second of dnsperf, which asks the nameserver the product's questions. */
  async floor(): Promise<number> {
    const file = join(this.folder, "questions");
    const { stdout } = await run("dnsperf", dnsperfArguments(this.knots.port, file));
    const figure = (label: string) =>
      Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(stdout)?.[1] ?? Number.NaN);
    if (figure("Queries lost") !== 0 || /SERVFAIL|REFUSED|FORMERR/.test(stdout))
      throw new Rejected("dnsperf lost queries or was refused");
    return figure("Queries per second");
  }

  /** Saves the product's questions to the nameserver in the last round for dnsperf. */
  keepQuestions(): void {
    // dnsperf cannot ask for names with spaces, and warns of each.
    const db = new Database(join(this.folder, "round.db"), { readonly: true });
    const questions = db
      .prepare(
        `select json_extract(x.value, '$.question.name') || ' ' || json_extract(x.value, '$.question.type')
         from attempt_evidence, json_each(evidence, '$.exchanges') x
         where json_extract(x.value, '$.address') in (select value from json_each(?))
           and json_extract(x.value, '$.question.name') not like '% %'`,
      )
      .pluck()
      .all(JSON.stringify(ZONE_SERVERS));
    db.close();
    writeFileSync(join(this.folder, "questions"), `${questions.join("\n")}\n`);
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.knots.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const dnsperfArguments = (port: number | string, file: string) => [
  "-s",
  SERVER,
  "-p",
  String(port),
  "-d",
  file,
  "-T",
  "1",
  "-c",
  "1",
  "-e",
  "-l",
  String(SECONDS),
];

/** Reads a sample through a forger. Throws unless every query was hard to forge and no forged answer was accepted. */
async function sample(bench: Bench): Promise<string> {
  seed(join(bench.folder, "sample.db"), { accounts: 1, claims: SAMPLE, due: true });
  const forger = await startForger(SERVERS, bench.knots.port);
  try {
    const { packets } = await bench.read("sample.db", SAMPLE_SECONDS, forger.port);
    return `sample of ${SAMPLE} reads: ${describeQueries(forger.seen, packets)}`;
  } finally {
    forger.stop();
  }
}

export const verification: Benchmark = {
  name: "verification",
  number: 4,
  work: `due claims read by the services, attempts committed, against knotd: ${CLAIMS.toLocaleString("en")} claims, a tenth with the record`,
  floor: "dnsperf with one client thread: the questions of those reads, to the same nameserver",
  needs: ["knotd", "dnsperf"],
  async run({ rounds }) {
    const bench = await Bench.start(CLAIMS);
    try {
      const sampled = await sample(bench);
      await bench.round();
      bench.keepQuestions();
      const { product, floor, rejected } = await interleave(rounds, {
        product: () => bench.round(),
        floor: () => bench.floor(),
      });
      const goal = {
        what: "queries a second over all reads",
        at: "least" as const,
        value: 0.08,
        unit: "" as const,
      };
      const value = median(product) / median(floor);
      const cpu = median(bench.cpuMicroseconds.slice(-product.length)).toFixed(1);
      const note = `${cpu} µs of processor time a query, its share of the transaction included; ${sampled}`;
      return {
        rows: [{ goal, value, product, floor, unit: "queries/s", note }],
        commands: [
          "node .cache/bench/bundled/verification-process.mjs (the services, their database and reader)",
          `dnsperf ${dnsperfArguments("<port>", "<questions>").join(" ")}`,
          "apt-get install dnsperf knot",
        ],
        rejected,
      };
    } finally {
      await bench.stop();
    }
  },
  async grow(): Promise<Growth> {
    const points: Growth["points"] = [];
    for (const size of SIZES) {
      const bench = await Bench.start(size);
      try {
        await bench.round();
        bench.keepQuestions();
        const product: number[] = [];
        const floor: number[] = [];
        for (let round = 0; round < GROWTH_ROUNDS; round++) {
          product.push(await bench.round());
          floor.push(await bench.floor());
        }
        points.push({ size, product: median(product), floor: median(floor) });
      } finally {
        await bench.stop();
      }
    }
    return {
      title: "Verification: queries a second over all reads",
      axis: "open claims",
      unit: "queries/s",
      points,
      note: "All claims are due. The floor is dnsperf with one client thread.",
    };
  },
};
