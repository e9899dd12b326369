import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_PACKETS } from "./resolve/read.ts";
import { FAULT_MATRIX, LATEST_MS, openWorlds, type RowResult, runRow } from "./testing/matrix.ts";
import type { World } from "./testing/world.ts";

/** Reads at a time: all at once would be late on two cores, and a late answer is a fault of its own. */
const AT_A_TIME = 16;

let worlds: World[] = [];
const results: RowResult[] = [];

beforeAll(async () => {
  worlds = await openWorlds(FAULT_MATRIX, 20_000 + (process.pid % 10_000));
  const rows = FAULT_MATRIX.entries();
  const readRows = async () => {
    for (const [index, row] of rows) {
      const world = worlds[index];
      if (world) results[index] = await runRow(row, world, index);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readRows));
});

afterAll(() => {
  for (const world of worlds) world.close();
});

describe("a read of", () => {
  it.each(FAULT_MATRIX.map((row, index) => ({ ...row, index })))("$name", ({ expected, index }) => {
    const result = results[index];
    expect(result).toMatchObject({ actual: expected, isRight: true, falseFound: false });
    expect(result?.tookMs).toBeLessThanOrEqual(LATEST_MS);
    expect(result?.packets).toBeLessThanOrEqual(MAX_PACKETS);
  });
});
