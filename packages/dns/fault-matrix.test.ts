import { beforeAll, describe, expect, it } from "vitest";
import { FAULT_MATRIX, LATEST_MS, type RowResult, runRow } from "./testing/matrix.ts";
import { PORT } from "./testing/world.ts";

/**
 * Patience, and how many rows are read at the same time: with all at once, answers would be late on two cores, and a late
 * answer is a fault. First a short one, because many servers are silent; on a busy machine a server may be too late for it,
 * so a row that failed is read again with more.
 */
const PASSES = [
  [0.3, 16],
  [1, 1],
  [4, 1],
] as const;

const results: RowResult[] = [];

beforeAll(async () => {
  for (const [patience, atATime] of PASSES) {
    const rows = FAULT_MATRIX.entries();
    const readRows = async () => {
      for (const [index, row] of rows)
        if (!results[index]?.isRight && !results[index]?.falseFound)
          results[index] = await runRow(row, index, PORT, patience);
    };
    await Promise.all(Array.from({ length: atATime }, readRows));
  }
});

describe("a read of", () => {
  it.each(FAULT_MATRIX.map((row, index) => ({ ...row, index })))("$name", ({ expected, index }) => {
    const result = results[index];
    expect(result).toMatchObject({ actual: expected, isRight: true, falseFound: false });
    expect(result?.tookMs).toBeLessThanOrEqual(LATEST_MS);
    expect(result?.packets).toBeLessThanOrEqual(result?.maxPackets ?? 0);
  });
});
