/**
 * Runs the fault matrix of the DNS reader repeatedly and prints the result of every row. `npx tsx
 * scripts/fault-matrix.ts --runs 100 --at-once 10`. Exits with code 1 on any failure.
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { FAULT_MATRIX, LATEST_MS, type RowResult, runRow } from "@deed/dns/testing/matrix.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1" },
    "at-once": { type: "string", default: "10" },
    port: { type: "string", default: "30053" },
  },
});
const SPREAD_MS = 1_500;
const runs = Number(values.runs);
const atOnce = Number(values["at-once"]);

async function main(): Promise<number> {
  const results: RowResult[][] = FAULT_MATRIX.map(() => []);
  for (let done = 0; done < runs; done += atOnce) {
    const batch = Math.min(atOnce, runs - done);
    await Promise.all(
      FAULT_MATRIX.flatMap((row, index) =>
        Array.from({ length: batch }, async (_, place) => {
          // Servers and reader share this thread. Reads start at intervals, or they would measure its load.
          await setTimeout(place * SPREAD_MS + index * 10);
          const net = index + place * FAULT_MATRIX.length;
          results[index]?.push(await runRow(row, net, Number(values.port)));
        }),
      ),
    );
  }
  return report(results);
}

function report(results: RowResult[][]): number {
  console.log("| row | came to | right | worst ms | packets, worst |");
  console.log("| --- | --- | --- | --- | --- |");
  FAULT_MATRIX.forEach((row, index) => {
    const all = results[index] ?? [];
    const came = [...new Set(all.map((one) => one.actual))].join(" / ");
    const right = `${all.filter((one) => one.isRight).length}/${all.length}`;
    console.log(
      `| ${row.name} | ${came} | ${right} | ${worst(all.map((one) => one.tookMs))} | ${worst(all.map((one) => one.packets))} |`,
    );
  });
  const all = results.flat();
  const count = (is: (one: RowResult) => boolean) => all.filter(is).length;
  const misclassified = count((one) => !one.isRight);
  const falseFound = count((one) => one.falseFound);
  const late = count((one) => one.tookMs > LATEST_MS);
  const packets = all.map((one) => one.packets).sort((a, b) => a - b);
  const overBudget = count((one) => one.packets > one.maxPackets);
  console.log(`\nrows ${FAULT_MATRIX.length}, runs ${runs}, reads ${all.length}`);
  console.log(`misclassified ${misclassified}`);
  console.log(`false found ${falseFound}`);
  console.log(`past the deadline (${LATEST_MS} ms) ${late}`);
  console.log(`worst duration ${worst(all.map((one) => one.tookMs))} ms`);
  console.log(
    `packets a read: median ${packets[Math.floor(packets.length / 2)]}, worst ${packets.at(-1)}`,
  );
  const complete = all.length === FAULT_MATRIX.length * runs;
  return complete && misclassified + falseFound + late + overBudget === 0 ? 0 : 1;
}

const worst = (numbers: number[]) => numbers.reduce((most, one) => Math.max(most, one), 0);

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
