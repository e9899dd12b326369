// Run by `npm run bench [name …] [-- --check] [-- --growth] [-- --write] [-- --rounds=9]`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unpackProduct } from "../../scripts/product.mjs";
import { benchmarks } from "./all.ts";
import { type Benchmark, isMet } from "./benchmark.ts";
import { writeGrowth } from "./growth.ts";
import { machine } from "./machine.ts";
import { goalsTable, keep, reportText, writeGoals } from "./report.ts";

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    /** Exit with 1 if a goal is missed or could not be measured. */
    check: { type: "boolean", default: false },
    /** Measure growth instead of goals, and write it into docs/performance.md. */
    growth: { type: "boolean", default: false },
    /** Write the table of goals into docs/performance.md. */
    write: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
  },
});

function chosen(): readonly Benchmark[] {
  const unknown = names.filter((name) => !benchmarks.some((one) => one.name === name));
  if (unknown.length > 0) {
    console.error(`No such benchmark: ${unknown.join(", ")}.`);
    console.error(`There are: ${benchmarks.map(({ name }) => name).join(", ")}.`);
    process.exit(2);
  }
  return names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name));
}

const path = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/sbin"];
const isThere = (program: string) => path.some((folder) => existsSync(join(folder, program)));

/** One line per missed goal and per benchmark that was not measured or failed. */
const missed: string[] = [];

/** Runs the benchmarks one after another. If one throws, prints the error and continues with the next. */
async function each(work: (benchmark: Benchmark) => Promise<void>): Promise<void> {
  for (const benchmark of chosen()) {
    const missing = benchmark.needs.filter((program) => !isThere(program));
    if (missing.length > 0) {
      console.log(`\n${benchmark.number} ${benchmark.name}: needs ${missing.join(", ")}; left out`);
      missed.push(`${benchmark.number} ${benchmark.name}: not measured`);
      continue;
    }
    try {
      await work(benchmark);
    } catch (thrown) {
      console.error(`\n${benchmark.number} ${benchmark.name} failed:`, thrown);
      missed.push(`${benchmark.number} ${benchmark.name}: failed`);
      process.exitCode = 1;
    }
  }
}

async function measureGoals(): Promise<void> {
  const rounds = Number(options.rounds);
  await each(async (benchmark) => {
    const here = machine();
    const result = await benchmark.run({ rounds });
    console.log(`\n${reportText(benchmark, result, here)}`);
    keep({ name: benchmark.name, at: new Date().toISOString(), machine: here, ...result });
    for (const row of result.rows)
      if (!isMet(row)) missed.push(`${benchmark.number} ${benchmark.name}: ${row.goal.what}`);
  });
  console.log(`\n${goalsTable(chosen())}`);
  if (options.write) writeGoals(benchmarks, machine());
}

const remove = unpackProduct();
process.once("exit", remove);
if (options.growth)
  await each(async (benchmark) => {
    if (!benchmark.grow) return;
    const growth = await benchmark.grow();
    console.log(`\n${growth.title}, ${growth.unit}`);
    for (const { size, product, floor } of growth.points)
      console.log(
        `  ${size}: ${product.toFixed(3)}${floor === undefined ? "" : `, floor ${floor.toFixed(3)}`}`,
      );
    writeGrowth(benchmark.name, growth);
  });
else await measureGoals();

if (options.check && missed.length > 0) {
  console.error(`\nMissed:\n${missed.map((line) => `  ${line}`).join("\n")}`);
  process.exitCode = 1;
}
