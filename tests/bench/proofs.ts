import type { Benchmark, Round, Stops } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { startLoad } from "./load.ts";
import { seededFolder, startAt } from "./world.ts";

const SLUGS = 5_000;
const OPEN = "100000000/1";
/** Raises the rate limits, because one client sends all the load. */
const BUDGETS = { RATE_LIMIT_PROOFS: OPEN, RATE_LIMIT_PAGES: OPEN, RATE_LIMIT_API: OPEN };

/** What the floor copies. */
let product = { url: "", slugs: [""] };

/** Asks for many proofs in turn, and for one over and over, as JSON and as pages. */
function roundOf(origin: string, stops: Stops): Round {
  const rate = startLoad(stops);
  const { slugs } = product;
  const ask = (folder: string, some: readonly string[]) =>
    rate({ origin, targets: some.map((slug) => ({ path: `${folder}/${slug}`, expects: slug })) });
  return async () => ({
    "proofs as JSON": await ask("/api/proofs", slugs),
    "proof pages": await ask("/p", slugs),
    "one proof as JSON": await ask("/api/proofs", slugs.slice(0, 1)),
    "one proof's page": await ask("/p", slugs.slice(0, 1)),
  });
}

const unit = "a second";

/** The floor is a bare node:http that sends the same bytes. */
export const proofs: Benchmark = {
  name: "proofs",
  figures: {
    "proofs as JSON": { unit, goal: { least: 0.05 } },
    "proof pages": { unit, goal: { least: 0.02 } },
    "one proof as JSON": { unit, goal: { least: 0.5 } },
    "one proof's page": { unit, goal: { least: 0.5 } },
  },
  async startProduct(command, stops) {
    const rows = { accounts: SLUGS, claims: 0, due: false };
    const { dataDir, slugs } = await seededFolder(command, rows);
    const service = await startAt(command, dataDir, BUDGETS);
    stops.add(() => service.stop());
    product = { url: service.url, slugs };
    return roundOf(service.url, stops);
  },
  async startFloor(stops) {
    const { url, slugs } = product;
    const floor = await startFloor("same-bytes.mjs", `/p/${slugs[0]}`, stops, { COPY_OF: url });
    return roundOf(floor.url, stops);
  },
};
