import { expect, it } from "vitest";
import { fuzz, told } from "./run.ts";

/** The long run is `npm run fuzz`. The seed is fixed here, so a failure means the code has changed. */
const SEED = 20_260_312;

it("answers 500 generated requests as its description says, without a 5xx, writing nothing it refuses", async () => {
  const report = await fuzz({ requests: 500, seed: SEED });
  expect(
    report.findings.map(({ fault }) => fault),
    told(report),
  ).toEqual([]);
  expect([...report.statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(500);
  const [reached, all] = [[...report.answered.values()], report.answered.size];
  expect(reached.filter((statuses) => statuses.size > 0)).toHaveLength(all);
  console.info(told(report));
});
