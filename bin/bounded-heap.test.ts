import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Replaces 30 MB of objects again and again, and prints the largest size in MB that V8 gave each generation meanwhile. */
const CHURN = `
  import { setImmediate } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";
  import { boundHeap } from ${JSON.stringify(join(import.meta.dirname, "bounded-heap.ts"))};
  boundHeap();
  const sizes = { new_space: 0, old_space: 0 };
  let kept = [];
  for (let round = 0; round < 80; round++) {
    const next = [];
    for (let i = 0; i < 200_000; i++) {
      next.push({ at: i, of: [i] });
      if (i % 10_000 === 0) await setImmediate();
    }
    kept = next;
    for (const { space_name, space_size } of getHeapSpaceStatistics())
      if (space_name in sizes) sizes[space_name] = Math.max(sizes[space_name], space_size / 1024 / 1024);
  }
  console.log(JSON.stringify(sizes));
`;

it("keeps garbage to a fraction of what V8 lets it take", { timeout: 120_000 }, () => {
  const node = ["--import", "tsx", "--input-type=module", "--eval", CHURN];
  const sizes = JSON.parse(execFileSync(process.execPath, node, { encoding: "utf8" }));
  expect(sizes.new_space).toBeLessThan(100);
  expect(sizes.old_space).toBeLessThan(90);
});
