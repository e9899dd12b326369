import { expect, it } from "vitest";
import { type ForgeryReport, forgeries, forgeriesOnSockets, toldOf } from "./forgeries.ts";

/** The long run is `npm run fuzz -- forgers`. The seed is fixed, so a failure means the code has changed. */
const SEED = 20_261_122;

function judge(report: ForgeryReport, least: number): void {
  console.info(toldOf(report));
  expect(report.wrong).toEqual([]);
  expect(report.mustNotProve).toBeGreaterThan(least);
  expect(report.found).toBeGreaterThan(least / 2);
}

it("proves no name to who holds some of its servers, by transport, family and time", async () => {
  judge(await forgeries({ claims: 800, seed: SEED }), 120);
});

it("proves no name to who holds some of its servers, on sockets", async () => {
  const port = 31_000 + (process.pid % 900);
  judge(await forgeriesOnSockets({ claims: 200, seed: SEED, port }), 30);
});
