import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { seed } from "../reliability/seed.ts";
import type { Benchmark, Growth } from "./benchmark.ts";
import { startBundled } from "./bundled.ts";
import { type Seen, startForger } from "./forger.ts";
import { isPublished, type Knots, SERVERS, startKnots, ZONE_SERVERS } from "./knots.ts";
import type { Asked } from "./processes.ts";
import { interleave, median, Rejected } from "./rounds.ts";
import type { ReadOrder, ReadReport } from "./verification-process.ts";

const run = promisify(execFile);

const CLAIMS = 10_000;
const SAMPLE = 200;
const ACCOUNTS = 10;
const SECONDS = 3;
const SAMPLE_SECONDS = 60;
const GROWTH_ROUNDS = 3;
const SIZES = [1_000, 10_000, 100_000];
const [SERVER = ""] = ZONE_SERVERS;

/** A world of so many due claims, read by the product's services in a process of their own. */
class Bench {
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

  /** Reads a copy of the database named, and checks what was committed. */
  async read(from: string, seconds: number, port = this.knots.port): Promise<ReadReport> {
    const path = join(this.folder, "round.db");
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    copyFileSync(join(this.folder, from), path);
    const report = await this.product.ask({
      path,
      seconds,
      reader: {
        rootHints: this.knots.hints,
        witnesses: [],
        allowAddresses: ["127.0.0.0/8"],
        port,
        packetsPerAddress: [{ count: 1e9, seconds: 1 }],
      },
    });
    check(path, report);
    return report;
  }

  /** Queries a second over the reads of one round. */
  async round(): Promise<number> {
    const { packets, seconds } = await this.read("due.db", SECONDS);
    return packets / seconds;
  }

  /** Questions a second that dnsperf puts to the nameserver, the very ones the product put to it before. */
  async floor(): Promise<number> {
    const file = join(this.folder, "questions");
    const { stdout } = await run("dnsperf", dnsperfArguments(this.knots.port, file));
    const figure = (label: string) =>
      Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(stdout)?.[1] ?? Number.NaN);
    if (figure("Queries lost") !== 0 || /SERVFAIL|REFUSED|FORMERR/.test(stdout))
      throw new Rejected("dnsperf lost queries or was refused");
    return figure("Queries per second");
  }

  /** Keeps what the product asked the nameserver in the last round, for dnsperf. */
  keepQuestions(): void {
    const db = new Database(join(this.folder, "round.db"), { readonly: true });
    const questions = db
      .prepare(
        `select json_extract(x.value, '$.question.name') || ' ' || json_extract(x.value, '$.question.type')
         from attempt_evidence, json_each(evidence, '$.exchanges') x
         where json_extract(x.value, '$.address') in (select value from json_each(?))`,
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

type Committed = {
  name: string;
  outcome: string;
  code: string | null;
  answer: string | null;
  packets: number;
};

/** Attempts on the seeded claims, each with its evidence. */
const COMMITTED = `
  select c.name, a.outcome, json_extract(a.diagnosis, '$.code') as code,
    json_extract(a.diagnosis, '$.observed.answer.type') as answer,
    json_extract(e.evidence, '$.packets') as packets
  from attempts a join attempt_evidence e on e.attempt_id = a.id
    join verifications v on v.id = a.verification_id join claims c on c.id = v.claim_id
  where c.name like 'n%'`;

/** Every packet belongs to a committed attempt with its evidence, and every outcome is the right one. */
function check(path: string, { packets, failures }: ReadReport): void {
  const db = new Database(path, { readonly: true });
  const committed = db.prepare(COMMITTED).all() as Committed[];
  const count = (sql: string) => Number(db.prepare(`select count(*) from ${sql}`).pluck().get());
  const proved = count("claims where state = 'proved' and name like 'n%'");
  const held = count("verifications where run_id is not null");
  db.close();
  const asked = committed.reduce((sum, attempt) => sum + attempt.packets, 0);

  const wrong = committed.filter(({ name, outcome, code, answer }) =>
    isPublished(Number(name.slice(1, -4)))
      ? outcome !== "found"
      : outcome !== "absent" || code !== "record_absent" || answer !== "nxdomain",
  );
  const found = committed.filter(({ outcome }) => outcome === "found").length;
  if (failures.length > 0) throw new Rejected(`the services complained: ${failures[0]}`);
  if (committed.length === 0) throw new Rejected("nothing was read");
  if (wrong.length > 0)
    throw new Rejected(`${wrong.length} wrong outcomes: ${JSON.stringify(wrong[0])}`);
  if (asked !== packets) throw new Rejected(`${packets} packets left, ${asked} are in evidence`);
  if (proved !== found) throw new Rejected(`${found} found, ${proved} proved`);
  if (held > 0) throw new Rejected(`${held} verifications were left held`);
}

/** Reads a sample through a forger; throws unless every query was hard to forge and no forged answer believed. */
async function sample(bench: Bench): Promise<string> {
  seed(join(bench.folder, "sample.db"), { accounts: 1, claims: SAMPLE, due: true });
  const forger = await startForger(SERVERS, bench.knots.port);
  try {
    const { packets } = await bench.read("sample.db", SAMPLE_SECONDS, forger.port);
    return judged(forger.seen, packets);
  } finally {
    forger.stop();
  }
}

function judged({ udp, tcp, forged, sourcePorts, ids, letters, capitals }: Seen, packets: number) {
  const ports = [...sourcePorts].sort((a, b) => a - b);
  const [lowest = 0] = ports;
  const middle = 33_280;
  const share = capitals / letters;
  const expect = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`the sample's queries were not hard to forge: ${what}`);
  };
  expect(udp + tcp === packets, `${udp + tcp} arrived, ${packets} are in evidence`);
  expect(lowest >= 1_024, `one came from port ${lowest}`);
  expect(ports.length >= udp / 256, `only ${ports.length} source ports`);
  expect(lowest < middle && (ports.at(-1) ?? 0) > middle, "all ports lie in one half");
  expect(ids.size > 0.8 * udp, `${ids.size} ids in ${udp} queries`);
  expect(Math.abs(share - 0.5) < 0.02, `${(100 * share).toFixed(0)} % capitals`);
  return (
    `sample of ${SAMPLE} reads: ${udp + tcp} queries from ${ports.length} ports (${lowest} to ${ports.at(-1)}), ` +
    `${ids.size} ids, ${(100 * share).toFixed(1)} % capitals, ${forged} forged answers, none believed`
  );
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
      const note = await sample(bench);
      await bench.round();
      bench.keepQuestions();
      const { product, floor, rejected } = await interleave(rounds, {
        product: () => bench.round(),
        floor: () => bench.floor(),
      });
      const goal = {
        what: "queries a second over all reads",
        at: "least" as const,
        value: 0.15,
        unit: "" as const,
        stretch: 0.3,
      };
      const value = median(product) / median(floor);
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
