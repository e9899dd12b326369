import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withTimeLimit } from "./time.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Work that looks at its signal only now and then; resolves to whether the signal came in time. */
const looking = async (late: AbortSignal) => {
  for (let looks = 0; looks < 20 && !late.aborted; looks++) {
    await sleep(20);
    collectGarbage();
  }
  return late.aborted;
};

it("tells work that its time is up, whatever was collected meanwhile", async () => {
  expect(await withTimeLimit(100, undefined, looking)).toBe(true);
});

it("tells work that the caller left, before or during it", async () => {
  const leaving = new AbortController();
  const told = withTimeLimit(60_000, leaving.signal, looking);
  leaving.abort();
  expect(await told).toBe(true);
  expect(await withTimeLimit(60_000, leaving.signal, async (late) => late.aborted)).toBe(true);
});
