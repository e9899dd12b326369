import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Replaces 30 MB of objects again and again, and prints the largest size in MB of each of V8's generations. */
const CHURN = `
  import { setImmediate } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";
  import { limitHeap } from ${JSON.stringify(join(import.meta.dirname, "serve.ts"))};
  if (process.env.BOUNDED) limitHeap();
  const sizes = { new_space: 0, old_space: 0 };
  let kept = [];
  for (let round = 0; round < 30; round++) {
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

/** The sizes in a process that runs next to the other one, so that load delays both collectors. */
async function churn(env: { BOUNDED?: string }): Promise<{ new_space: number; old_space: number }> {
  const args = ["--import", "tsx", "--input-type=module", "--eval", CHURN];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

it("keeps garbage to a fraction of what V8 lets it take", async () => {
  const [bounded, free] = await Promise.all([churn({ BOUNDED: "yes" }), churn({})]);
  expect(bounded.new_space).toBeLessThan(0.8 * free.new_space);
  expect(bounded.old_space).toBeLessThan(0.9 * free.old_space);
});
