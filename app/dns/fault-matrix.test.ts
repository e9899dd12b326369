import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_PACKETS } from "./resolve/read.ts";
import { FAULT_MATRIX, LATEST_MS, openWorlds, type RowResult, runRow } from "./testing/matrix.ts";
import type { World } from "./testing/world.ts";

let worlds: World[] = [];
let results: RowResult[] = [];

beforeAll(async () => {
  worlds = await openWorlds(FAULT_MATRIX, 20_000 + (process.pid % 10_000));
  const reading = FAULT_MATRIX.flatMap((row, index) => {
    const world = worlds[index];
    return world ? [runRow(row, world, index)] : [];
  });
  results = await Promise.all(reading);
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
