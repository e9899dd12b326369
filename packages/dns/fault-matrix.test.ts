import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_PACKETS } from "./resolve/read.ts";
import { FAULT_MATRIX, LATEST_MS, openWorlds, type RowResult, runRow } from "./testing/matrix.ts";
import type { World } from "./testing/world.ts";

/** Reads at the same time: with all at once, answers would be late on two cores, and a late answer is a fault. */
const AT_A_TIME = 16;
/** Short, because many servers are silent. */
const PATIENCE = 0.3;
const NET_OF_SECOND_READ = 900;
const PORT = 20_000 + (process.pid % 10_000);

let worlds: World[] = [];
const results: RowResult[] = [];

beforeAll(async () => {
  worlds = await openWorlds(FAULT_MATRIX, PORT, PATIENCE);
  const rows = FAULT_MATRIX.entries();
  const readRows = async () => {
    for (const [index, row] of rows) {
      const world = worlds[index];
      if (world) results[index] = await runRow(row, world, index);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readRows));
  // On a busy machine a server may be too late for this short patience: a row that failed is read again with more.
  for (const [index, row] of FAULT_MATRIX.entries())
    for (const patience of [1, 4]) {
      if (results[index]?.isRight || results[index]?.falseFound) break;
      const [world] = await openWorlds([row], PORT, patience, NET_OF_SECOND_READ);
      if (!world) continue;
      results[index] = await runRow(row, world, NET_OF_SECOND_READ);
      world.close();
    }
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
