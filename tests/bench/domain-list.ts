import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seed } from "../reliability/seed.ts";
import { startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { CONNECTIONS, type Load, ROUND_SECONDS, startLoad } from "./load.ts";
import { OPEN_BUDGETS } from "./proof-site.ts";
import { interleave, median } from "./rounds.ts";

const LARGE = 100_000;
const SMALL = 100;
const LIMIT = 50;
const PATH = `/api/domains?limit=${LIMIT}`;
const UNIT = "requests/s";
const GROWTH_ROUNDS = 5;

/** Throws unless the page is full and its counts are the account's: `size` open claims and one proved name. */
async function checkList(origin: string, cookie: string, size: number): Promise<void> {
  const { domains, counts } = await (await fetch(origin + PATH, { headers: { cookie } })).json();
  if (domains.length !== LIMIT || counts.pending !== size || counts.proved !== 1)
    throw new Error(`a page of ${domains.length} counts ${JSON.stringify(counts)}`);
}

type Lists = { load: Load; large: () => Promise<number>; small: () => Promise<number> };

/** Runs `work` on a service with one account of `size` open claims and one of a hundred. */
async function withAccounts<T>(size: number, work: (lists: Lists) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "deed-bench-"));
  const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const { cookies } = seed(join(dataDir, "deed.db"), {
      accounts: 2,
      claims: size + SMALL,
      due: false,
      ownerOf: (claim) => (claim < size ? 0 : 1),
    });
    const service = await startService({ dataDir, env: OPEN_BUDGETS });
    stops.unshift(() => service.stop({ keep: true }));
    const [large = "", small = ""] = cookies;
    await checkList(service.url, large, size);
    await checkList(service.url, small, SMALL);
    const load = startLoad();
    stops.unshift(load.stop);
    const list = (cookie: string, pending: number) => () =>
      load.rate({
        origin: service.url,
        targets: [{ path: PATH, expects: `"pending":${pending},"proved":1,` }],
        headers: { cookie },
      });
    return await work({ load, large: list(large, size), small: list(small, SMALL) });
  } finally {
    for (const stop of stops) await stop();
  }
}

export const domainList: Benchmark = {
  name: "domain-list",
  number: 3,
  work: `GET ${PATH} on an account of ${LARGE.toLocaleString("en-US")} names`,
  floor: `the same on an account of ${SMALL}, same service`,
  needs: [],
  async run({ rounds }) {
    const { product, floor, rejected } = await withAccounts(LARGE, ({ large, small }) =>
      interleave(rounds, { product: large, floor: small }),
    );
    return {
      rows: [
        {
          goal: { what: "list of a large account", at: "least", value: 0.85, unit: "" },
          value: median(product) / median(floor),
          product,
          floor,
          unit: UNIT,
        },
      ],
      commands: [
        `RATE_LIMIT_API=${OPEN_BUDGETS.RATE_LIMIT_API} DNS_RESOLVERS= npm start`,
        `${CONNECTIONS} kept connections, ${ROUND_SECONDS} s a round, every answer's status and counts checked`,
      ],
      rejected,
    };
  },
  async grow() {
    const points = [];
    for (const size of [1_000, 10_000, LARGE]) {
      const { product, floor } = await withAccounts(size, ({ large, small }) =>
        interleave(GROWTH_ROUNDS, { product: large, floor: small }),
      );
      points.push({ size, product: median(product), floor: median(floor) });
    }
    return {
      title: "The list of an account's names, 50 a page",
      axis: "names on the account",
      unit: UNIT,
      points,
      note: `The floor is an account of ${SMALL} names on the same service.`,
    };
  },
};
