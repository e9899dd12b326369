import { expect, it } from "vitest";
import { forgeries, toldOf } from "./forgeries.ts";

/** The long run is `npm run fuzz -- forgers`. The seed is fixed, so a failure means the code has changed. */
const SEED = 20_261_122;

it("proves no name to who holds some of its servers, in 800 zones and attacks", async () => {
  const report = await forgeries({ reads: 800, seed: SEED, port: 31_000 + (process.pid % 900) });
  expect(report.wrong, toldOf(report)).toEqual([]);
  expect(report.mustNotProve).toBeGreaterThan(100);
  expect(report.found).toBeGreaterThan(100);
  console.info(toldOf(report));
});
