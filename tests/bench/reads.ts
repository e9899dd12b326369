import { processorTimeOf } from "../reliability/metrics.ts";
import type { Seeded } from "../reliability/seed.ts";
import { Client, keyOf, roomy } from "../support/deed.ts";
import { startService } from "../support/service.ts";
import type { Benchmark, Figures, Round, Stops } from "./benchmark.ts";
import { load } from "./load.ts";
import { seededFolder } from "./world.ts";

const ACCOUNTS = 1_000;
const CLAIMS = 30_000;

type Targets = [path: string, part: string][];
type Known = { own: Seeded["claims"]; slugs: string[]; newest: string };
/** What is read, the least ratio to the floor, by whom, and each path with a part of its answer. */
const READS: [what: string, least: number, by: string, targets: (known: Known) => Targets][] = [
  ["a claim", 0.55, "key", ({ own }) => own.map(({ id }) => [`/api/claims/${id}`, id])],
  ["a domain", 0.55, "key", ({ own }) => own.map((one) => at(`/api/domains/`, one.domainId))],
  ["by name", 0.55, "key", ({ own }) => own.map(({ domain, id }) => [BY_NAME + domain, id])],
  ["25 domains", 0.35, "key", ({ newest }) => [["/api/domains", newest]]],
  ["proofs, each another", 0.5, "", ({ slugs }) => slugs.map((slug) => at("/api/proofs/", slug))],
  ["a domain's page", 0.05, "cookie", ({ own }) => own.map((one) => at("/domains/", one.domainId))],
  ["the page of 25 domains", 0.05, "cookie", ({ newest }) => [["/domains", newest]]],
  ["proof pages, each another", 0.1, "", ({ slugs }) => slugs.map((slug) => at("/p/", slug))],
];
const BY_NAME = "/api/domains/by-name/";
const at = (folder: string, id: string): Targets[number] => [folder + id, id];

/** The floor: answers of the started product that need no database. */
let floor: Round;

async function startProduct(command: string, stops: Stops): Promise<Round> {
  const rows = { accounts: ACCOUNTS, claims: CLAIMS, due: false };
  const { dataDir, slugs, cookies, claims } = await seededFolder(command, rows);
  const service = await startService({
    ...{ command, dataDir },
    env: { ...roomy(), LOG_LEVEL: "error" },
  });
  stops.add(() => service.stop());
  const client = new Client(service.url);
  client.cookie = cookies[0] ?? "";
  const headers: Record<string, Record<string, string>> = {
    key: new Client("", (await keyOf(client)).key).identity,
    cookie: client.identity,
  };
  const own = claims.filter((_, index) => index % ACCOUNTS === 0);
  const known = { own, slugs, newest: claims.at(-ACCOUNTS)?.domain ?? "" };
  /** Answers per second of the product's processor time. */
  const rate = async (by: string, targets: Targets) => {
    const before = processorTimeOf(service.child.pid);
    const answered = await load({ origin: service.url, headers: headers[by] ?? {}, targets });
    return (1_000 * answered) / (processorTimeOf(service.child.pid) - before);
  };
  floor = async () => {
    const figure = await rate("", [["/api/health/live", "ok"]]);
    return Object.fromEntries(READS.map(([what]) => [what, figure]));
  };
  return async () => {
    const figures: Figures = {};
    for (const [what, , by, targets] of READS) figures[what] = await rate(by, targets(known));
    return figures;
  };
}

/** In processor time, so that other work on the machine does not matter. The floor is `GET /api/health/live`. */
export const reads: Benchmark = {
  name: "reads",
  figures: Object.fromEntries(
    READS.map(([what, least]) => [what, { unit: "a processor second", goal: { least } }]),
  ),
  startProduct,
  startFloor: () => floor,
};
