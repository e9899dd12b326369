import { type Benchmark, type Side, Stops } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { startLoad } from "./load.ts";
import { seededFolder, startAt } from "./world.ts";

const SLUGS = 5_000;
const OPEN = "100000000/1";
/** Raises the rate limits, because one client sends all the load. */
const BUDGETS = { RATE_LIMIT_PROOFS: OPEN, RATE_LIMIT_PAGES: OPEN, RATE_LIMIT_API: OPEN };

/** Asks for many proofs in turn, and for one over and over, as JSON and as pages. */
function sideOf(url: string, slugs: readonly string[], stops: Stops): Side {
  const load = startLoad();
  stops.add(load.stop);
  const rate = (folder: string, asked: readonly string[]) =>
    load.rate(
      url,
      asked.map((slug) => ({ path: `${folder}/${slug}`, expects: slug })),
    );
  const [hot = ""] = slugs;
  return {
    round: async () => ({
      "proofs as JSON": await rate("/api/proofs", slugs),
      "proof pages": await rate("/p", slugs),
      "one proof as JSON": await rate("/api/proofs", [hot]),
      "one proof's page": await rate("/p", [hot]),
    }),
    stop: stops.run,
    asked: { url, slugs },
  };
}

const unit = "a second";

export const proofs: Benchmark = {
  name: "proofs",
  floor: "bare node:http that sends the same bytes",
  figures: {
    "proofs as JSON": { unit, goal: { least: 0.05 } },
    "proof pages": { unit, goal: { least: 0.02 } },
    "one proof as JSON": { unit, goal: { least: 0.5 } },
    "one proof's page": { unit, goal: { least: 0.5 } },
  },
  async startProduct(command) {
    const stops = new Stops();
    const rows = { accounts: SLUGS, claims: 0, due: false };
    const { dataDir, slugs } = await seededFolder(command, rows);
    const service = await startAt(command, dataDir, BUDGETS);
    stops.add(() => service.stop());
    return sideOf(service.url, slugs, stops);
  },
  async startFloor({ asked }) {
    const stops = new Stops();
    const { url = "", slugs = [] } = asked ?? {};
    const floor = await startFloor("same-bytes.mjs", `/p/${slugs[0]}`, { COPY_OF: url });
    stops.add(floor.stop);
    return sideOf(floor.url, slugs, stops);
  },
};
