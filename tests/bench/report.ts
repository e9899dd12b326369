import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Benchmark, isMet, type Result, type Row } from "./benchmark.ts";
import { type Machine, machineLine } from "./machine.ts";
import { median, spread } from "./rounds.ts";

const FOLDER = ".cache/bench";
export const DOCUMENT = "docs/performance.md";

export type Report = Result & { name: string; at: string; machine: Machine };

const figure = (value: number): string =>
  Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString("en-US")
    : String(Number(value.toPrecision(3)));

const withUnit = (value: number, unit: string): string =>
  unit === "" ? value.toFixed(2) : `${figure(value)} ${unit}`;

const goalText = ({ goal }: Row): string => {
  const sign = goal.at === "least" ? "≥" : "≤";
  return `${sign} ${goal.value}${goal.unit ? ` ${goal.unit}` : ""}`;
};

const side = (values: number[] | undefined, unit: string): string =>
  values?.length ? `${figure(median(values))} ${unit}`.trim() : "–";

/** The full result of one benchmark as readable text. */
export function reportText(benchmark: Benchmark, result: Result, machine: Machine): string {
  const lines = result.rows.flatMap((row) => [
    `  ${row.goal.what}: ${withUnit(row.value, row.goal.unit)}, goal ${goalText(row)}: ${isMet(row) ? "met" : "MISSED"}`,
    ...(["product", "floor"] as const).flatMap((name) => {
      const values = row[name];
      return values?.length
        ? [
            `    ${name} ${side(values, row.unit ?? "")}, spread ${(100 * spread(values)).toFixed(1)} %`,
          ]
        : [];
    }),
    ...(row.note ? [`    ${row.note}`] : []),
  ]);
  return [
    `${benchmark.number} ${benchmark.name}: ${benchmark.work}; floor: ${benchmark.floor}`,
    ...lines,
    `  rejected rounds: ${result.rejected}`,
    ...result.commands.map((command) => `  $ ${command}`),
    `  machine: ${machineLine(machine)}`,
  ].join("\n");
}

const fileOf = (name: string) => `${FOLDER}/${name}.json`;
const fileBefore = (name: string) => `${FOLDER}/${name}.before.json`;

/** Saves a result as JSON, and keeps the previous one beside it. */
export function keep(report: Report): void {
  mkdirSync(FOLDER, { recursive: true });
  const file = fileOf(report.name);
  if (existsSync(file)) renameSync(file, fileBefore(report.name));
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

const read = (file: string): Report | null =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;

const HEAD =
  "| # | What | Product | Floor | Goal | Measured | Run before | |\n|---|---|---|---|---|---|---|---|";

function tableRows(benchmark: Benchmark): string[] | null {
  const now = read(fileOf(benchmark.name));
  const before = read(fileBefore(benchmark.name));
  return (
    now?.rows.map((row) => {
      const earlier = before?.rows.find(({ goal }) => goal.what === row.goal.what);
      const unit = row.unit ?? "";
      const cells = [
        String(benchmark.number),
        row.goal.what,
        side(row.product, unit),
        side(row.floor, unit),
        goalText(row),
        withUnit(row.value, row.goal.unit),
        earlier ? withUnit(earlier.value, row.goal.unit) : "–",
        isMet(row) ? "met" : "missed",
      ];
      return `| ${cells.join(" | ")} |`;
    }) ?? null
  );
}

/** The table of goals, from the last two saved results of each benchmark. */
export const goalsTable = (benchmarks: readonly Benchmark[]): string =>
  [HEAD, ...benchmarks.flatMap((benchmark) => tableRows(benchmark) ?? [])].join("\n");

/** Replaces the text between `<!-- marker -->` and `<!-- /marker -->` in the document. */
export function writeBetween(marker: string, body: string): void {
  const [from, to] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const text = readFileSync(DOCUMENT, "utf8");
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`${DOCUMENT} has no part ${from} … ${to}`);
  writeFileSync(DOCUMENT, `${text.slice(0, start + from.length)}\n${body}\n${text.slice(end)}`);
}

/** Writes the table of goals into the document. Benchmarks without a saved result keep their old lines. */
export function writeGoals(benchmarks: readonly Benchmark[], machine: Machine): void {
  const standing = readFileSync(DOCUMENT, "utf8").split("\n");
  const lines = benchmarks.flatMap(
    (benchmark) =>
      tableRows(benchmark) ?? standing.filter((l) => l.startsWith(`| ${benchmark.number} |`)),
  );
  writeBetween("goals", `\n${[HEAD, ...lines].join("\n")}\n\nOn: ${machineLine(machine)}.\n`);
}
