import { expect, it } from "vitest";
import { latencyText } from "./history-fold.tsx";

it.each([
  [null, ""],
  [{ min: 140, median: 140, max: 140 }, "140 ms"],
  [{ min: 140, median: 320, max: 12_400 }, "320 ms, 140 to 12,400"],
])("says how long reads took: %j is %s", (latency, text) => {
  expect(latencyText(latency)).toBe(text);
});
