import { expect, it } from "vitest";
import { coverage } from "./coverage.ts";

it("leaves no sentence of the contract without a test", () => {
  const without = [...coverage()].filter(([, files]) => files.length === 0).map(([id]) => id);
  expect(without).toEqual([]);
  expect(coverage().size).toBeGreaterThan(100);
});
