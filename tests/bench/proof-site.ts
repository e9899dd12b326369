import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seed } from "../reliability/seed.ts";
import { type Service, startService } from "../support/service.ts";
import { startRemixFloor } from "./floors/remix.ts";
import type { Floor } from "./floors/server.ts";
import { type Load, startLoad } from "./load.ts";

export const SLUGS = 10_000;
const OPEN = "100000000/1";
/** Raises the rate limits, because one client sends all the load. */
export const OPEN_BUDGETS = {
  RATE_LIMIT_PROOFS: OPEN,
  RATE_LIMIT_PAGES: OPEN,
  RATE_LIMIT_API: OPEN,
};

export type ProofSite = { product: Service; floor: Floor; load: Load; slugs: string[] };

/** Runs `work` with the product and the Remix floor on one database of `slugCount` published proofs. */
export async function withProofs<T>(
  slugCount: number,
  work: (site: ProofSite) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "deed-bench-"));
  const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const database = join(dataDir, "deed.db");
    const { slugs } = seed(database, { accounts: slugCount, claims: 0, due: false });
    const product = await startService({ dataDir, env: OPEN_BUDGETS });
    stops.unshift(() => product.stop({ keep: true }));
    const floor = await startRemixFloor(database, slugs[0] ?? "", product.url);
    stops.unshift(floor.stop);
    const load = startLoad();
    stops.unshift(load.stop);
    return await work({ product, floor, load, slugs });
  } finally {
    for (const stop of stops) await stop();
  }
}

/** The commands that start the two servers by hand. */
export const PROOF_COMMANDS = [
  `${Object.entries(OPEN_BUDGETS)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")} DNS_RESOLVERS= npm start`,
  "npx remix build tests/bench/floors/remix-app; npx remix-serve .cache/bench/remix-app/build/index.js",
];
