import { processorTimeOf } from "../reliability/metrics.ts";
import { Client, keyOf, roomy } from "../support/deed.ts";
import type { Benchmark, Figures, Round, Stops } from "./benchmark.ts";
import { startLoad } from "./load.ts";
import { seededFolder, startAt } from "./world.ts";

const ACCOUNTS = 1_000;
const CLAIMS = 30_000;
const LEAST = {
  "a claim": 0.55,
  "a domain": 0.55,
  "by name": 0.55,
  "25 domains": 0.35,
  "proofs, each another": 0.5,
  "a domain's page": 0.05,
  "the page of 25 domains": 0.05,
  "proof pages, each another": 0.1,
};

/** The floor: answers of the started product that need no database. */
let floor: Round;

async function startProduct(command: string, stops: Stops): Promise<Round> {
  const rows = { accounts: ACCOUNTS, claims: CLAIMS, due: false };
  const { dataDir, slugs, cookies, claims } = await seededFolder(command, rows);
  const service = await startAt(command, dataDir, { ...roomy(), LOG_LEVEL: "error" });
  stops.add(() => service.stop());
  const client = new Client(service.url);
  client.cookie = cookies[0] ?? "";
  const authorization = `Bearer ${(await keyOf(client)).key}`;
  const own = claims.filter((_, at) => at % ACCOUNTS === 0);
  const load = startLoad(stops);
  /** Answers per second of the product's processor time. */
  const rate = async (headers: Record<string, string>, targets: [path: string, part: string][]) => {
    const before = processorTimeOf(service.child.pid);
    const answered = await load({ origin: service.url, headers, targets });
    return (1_000 * answered) / (processorTimeOf(service.child.pid) - before);
  };
  const live = () => rate({}, [["/api/health/live", "ok"]]);
  floor = async () => {
    const figure = await live();
    return Object.fromEntries(Object.keys(LEAST).map((what) => [what, figure]));
  };
  const [key, cookie] = [{ authorization }, { cookie: client.cookie }];
  const newest = claims.at(-ACCOUNTS)?.name ?? "";
  return async () =>
    ({
      "a claim": await rate(
        key,
        own.map(({ id }) => [`/api/claims/${id}`, id]),
      ),
      "a domain": await rate(
        key,
        own.map(({ domainId: id }) => [`/api/domains/${id}`, id]),
      ),
      "by name": await rate(
        key,
        own.map(({ name, id }) => [`/api/domains/by-name/${name}`, id]),
      ),
      "25 domains": await rate(key, [["/api/domains", newest]]),
      "proofs, each another": await rate(
        {},
        slugs.map((slug) => [`/api/proofs/${slug}`, slug]),
      ),
      "a domain's page": await rate(
        cookie,
        own.map(({ domainId: id }) => [`/domains/${id}`, id]),
      ),
      "the page of 25 domains": await rate(cookie, [["/domains", newest]]),
      "proof pages, each another": await rate(
        {},
        slugs.map((slug) => [`/p/${slug}`, slug]),
      ),
    }) satisfies Figures;
}

/** In processor time, so that other work on the machine does not matter. The floor is `GET /api/health/live`. */
export const reads: Benchmark = {
  name: "reads",
  figures: Object.fromEntries(
    Object.entries(LEAST).map(([what, least]) => [
      what,
      { unit: "a processor second", goal: { least } },
    ]),
  ),
  startProduct,
  startFloor: () => floor,
};
