import { expect, it } from "vitest";
import { attackOnSilence, hasSilent, toldOfSilence } from "./silences.ts";

/** One seed is fixed; `npm run fuzz -- silence 200 7` takes another. */
const SEED = 20_261_127;
/** The limits that the page of the rule names. */
const [LONGEST_MS, MOST_PACKETS] = [20_000, 60];

// C8.3, C8.4, C8.9, C8.10
it("the attack on silence proves none of 200 zones without an honest witness", async () => {
  const report = await attackOnSilence({ zones: 200, seed: SEED });
  console.info(toldOfSilence(report));
  const { wrong, unproved, waiting, attacked, honest } = report;
  expect(attacked).toHaveLength(400);
  expect(wrong.map((one) => one.seed)).toEqual([]);
  expect(honest).toHaveLength(200);
  expect(unproved.map((one) => one.seed)).toEqual([]);
  expect(waiting.filter((one) => !hasSilent(one))).toEqual([]);
  expect(report.longestMs).toBeLessThanOrEqual(LONGEST_MS);
  expect(report.mostPackets).toBeLessThanOrEqual(MOST_PACKETS);
});
