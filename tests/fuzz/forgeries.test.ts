import { expect, it } from "vitest";
import { type ForgeryReport, forgeries, forgeriesOnSockets, toldOf } from "./forgeries.ts";
import type { Objection } from "./objections.ts";

/** The long run is `npm run fuzz -- forgers`. The seed is fixed, so a failure means the code has changed. */
const SEED = 20_261_122;

/** What the rule of proof leaves open: one address of a nameserver speaks for it, and so does one transport. */
const OPEN: readonly Objection[] = ["one address of a nameserver", "one transport of a nameserver"];

function judge(report: ForgeryReport, least: number): void {
  console.info(toldOf(report));
  expect(report.wrong.filter(({ denied }) => !OPEN.includes(denied))).toEqual([]);
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
