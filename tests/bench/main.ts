// Run by `npm run bench [name …] [-- --rounds=9] [-- --against=<folder of another unpacked product>]`.
import { cpus, loadavg, release } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { unpackProduct } from "../../scripts/product.mjs";
import { quantile } from "../reliability/figures.ts";
import { deedCommand } from "../support/product.ts";
import { type Benchmark, type Figures, Stops } from "./benchmark.ts";
import { foundInView } from "./found-in-view.ts";
import { openPages } from "./open-pages.ts";
import { outcome } from "./outcome.ts";
import { reads } from "./reads.ts";
import { interleave } from "./rounds.ts";
import { start } from "./start.ts";
import { timeToProved } from "./time-to-proved.ts";
import { verification } from "./verification.ts";

const benchmarks = [start, reads, verification, outcome, timeToProved, foundInView, openPages];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, against: { type: "string" } },
});
const known = benchmarks.map(({ name }) => name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(", ")}.\nThere are: ${known.join(", ")}.`);
  process.exit(2);
}

const figure = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));

function rowsOf({ name, figures }: Benchmark, kept: readonly [Figures, Figures][]): string[] {
  return Object.entries(figures).map(([what, { unit, goal }]) => {
    const [ours = 0, theirs = 0] = ([0, 1] as const).map((side) =>
      quantile(
        kept.map((round) => round[side][what] ?? 0),
        0.5,
      ),
    );
    const ratio = ours / theirs;
    const [met, wanted] =
      "least" in goal
        ? [ratio >= goal.least, `≥ ${goal.least}`]
        : "most" in goal
          ? [ratio <= goal.most, `≤ ${goal.most}`]
          : [ours <= goal.product, `≤ ${goal.product} ${unit}`];
    const judged = options.against ? [] : [wanted, met ? "met" : "missed"];
    const cells = [name, what, `${figure(ours)} ${unit}`, `${figure(theirs)} ${unit}`];
    return `| ${[...cells, ratio.toFixed(2), ...judged].join(" | ")} |`;
  });
}

process.once("exit", unpackProduct());
const { against } = options;
const load = loadavg()[0]?.toFixed(2);
const rows: string[] = [];
for (const benchmark of benchmarks) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  const { isLong } = benchmark;
  const rounds = isLong ? 1 : Number(options.rounds);
  const stops = new Stops();
  try {
    const product = await benchmark.startProduct(deedCommand(), stops);
    const beside = await (against
      ? benchmark.startProduct(resolve(against, "bin/deed.mjs"), stops)
      : benchmark.startFloor(stops));
    rows.push(...rowsOf(benchmark, await interleave({ rounds, isLong }, [product, beside])));
    console.error(rows.at(-1));
  } finally {
    await stops.run();
  }
}
const head = against ? ["Other", "Ratio"] : ["Floor", "Ratio", "Goal", ""];
const columns = ["Benchmark", "What", "Product", ...head];
console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`);
console.log(rows.join("\n"));
console.log(
  `\nOn: ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, Linux ${release()}, load ${load}.`,
);
