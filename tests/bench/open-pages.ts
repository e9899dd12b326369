import { setTimeout as sleep } from "node:timers/promises";
import { processorTimeOf } from "../reliability/metrics.ts";
import { signIn } from "../support/deed.ts";
import { followEvents } from "../support/stream.ts";
import type { Benchmark } from "./benchmark.ts";
import { openPage, startWaited } from "./waiting.ts";

const ACCOUNTS = 50;
/** An account may have this many streams. */
const PAGES = 20;
/** After the first reads, which search at all names. */
const SETTLED_MS = 75_000;
const MEASURED_MS = 60_000;
const CORES = 2;
const SHARE = `processor time of ${ACCOUNTS * PAGES} open pages, of ${CORES} cores`;

/** Pages in view, of claims with a missing record, each with its own stream. The floor is both cores. */
export const openPages: Benchmark = {
  name: "open-pages",
  isLong: true,
  figures: { [SHARE]: { unit: "%", goal: { most: 0.25 } } },
  async startProduct(command, stops) {
    const waited = await startWaited(command, stops);
    const { service } = waited;
    return async () => {
      for (let account = 0; account < ACCOUNTS; account++) {
        const client = await signIn(service, `pages${account}@example.org`);
        for (let page = 0; page < PAGES; page++) {
          const { leave } = await openPage(waited, client, `page${account}-${page}.example`);
          const stream = await followEvents(service.url, client.identity);
          stops.add(leave);
          stops.add(() => stream.leave());
        }
      }
      await sleep(SETTLED_MS);
      const [from, before] = [performance.now(), processorTimeOf(service.child.pid)];
      await sleep(MEASURED_MS);
      const spent = processorTimeOf(service.child.pid) - before;
      return { [SHARE]: (100 * spent) / (performance.now() - from) / CORES };
    };
  },
  startFloor: () => async () => ({ [SHARE]: 100 }),
};
