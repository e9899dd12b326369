import { expect, it } from "vitest";
import { forgeries, toldOf } from "./forgeries.ts";

/** The long run is `npm run fuzz -- forgers`. The seed is fixed, so a failure means that the code has changed. */
const SEED = 20_261_122;

it("proves no name to who holds some of its servers, by transport, family and time", async () => {
  const report = await forgeries({ claims: 800, seed: SEED });
  console.info(toldOf(report));
  expect(report.wrong).toEqual([]);
  expect(report.mustNotProve).toBeGreaterThan(120);
  expect(report.found).toBeGreaterThan(60);
});
