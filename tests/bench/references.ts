import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seed } from "../reliability/seed.ts";
import { startService } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { CONNECTIONS, ROUND_SECONDS, startLoad } from "./load.ts";
import { OPEN_BUDGETS } from "./proof-site.ts";
import { interleave, median } from "./rounds.ts";

const MANY = 10_000;
const FEW = 100;
const NAME = "acme.com";
const UNIT = "requests/s";
const referenceOf = (claim: number) => `cust_${claim}`;

/** The queries compared: paths on an account with this many references, and what each answer contains. */
const QUERIES: {
  what: string;
  path: (asked: number) => string;
  expects: (asked: number) => string;
}[] = [
  {
    what: "list of one of 10,000 references",
    path: (asked) => `/api/domains?reference=${referenceOf(asked)}`,
    expects: (asked) => `"reference":"${referenceOf(asked)}"`,
  },
  {
    what: "list of a name with 10,000 references",
    path: () => `/api/domains?name=${NAME}&limit=50`,
    expects: () => '"pending":',
  },
  {
    what: "list of all 10,000 references",
    path: () => "/api/domains?limit=50",
    expects: () => '"pending":',
  },
  {
    what: "search in one of 10,000 references",
    path: (asked) => `/api/domains?reference=${referenceOf(asked)}&q=acme`,
    expects: (asked) => `"reference":"${referenceOf(asked)}"`,
  },
  {
    what: "claims of one of 10,000 references",
    path: (asked) => `/api/claims?reference=${referenceOf(asked)}`,
    expects: (asked) => `"reference":"${referenceOf(asked)}"`,
  },
];

export const references: Benchmark = {
  name: "references",
  number: 15,
  work: `lists of an account that has ${NAME} for ${MANY.toLocaleString("en-US")} references`,
  floor: `the same for ${FEW}, same service`,
  needs: [],
  async run({ rounds }) {
    const dataDir = mkdtempSync(join(tmpdir(), "deed-bench-"));
    const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
    try {
      const { cookies } = seed(join(dataDir, "deed.db"), {
        accounts: 2,
        claims: MANY + FEW,
        due: false,
        ownerOf: (claim) => (claim < MANY ? 0 : 1),
        nameOf: (claim) => ({ name: NAME, reference: referenceOf(claim) }),
      });
      const service = await startService({ dataDir, env: OPEN_BUDGETS });
      stops.unshift(() => service.stop({ keep: true }));
      const load = startLoad();
      stops.unshift(load.stop);
      const [many = "", few = ""] = cookies;
      const rows = [];
      let rejected = 0;
      for (const { what, path, expects } of QUERIES) {
        const rate = (cookie: string, asked: number) => () =>
          load.rate({
            origin: service.url,
            targets: [{ path: path(asked), expects: expects(asked) }],
            headers: { cookie },
          });
        const measured = await interleave(rounds, {
          product: rate(many, MANY / 2),
          floor: rate(few, MANY + FEW / 2),
        });
        const { product, floor } = measured;
        rejected += measured.rejected;
        rows.push({
          goal: { what, at: "least" as const, value: 0.85, unit: "" as const },
          value: median(product) / median(floor),
          product,
          floor,
          unit: UNIT,
        });
      }
      return {
        rows,
        commands: [
          `RATE_LIMIT_API=${OPEN_BUDGETS.RATE_LIMIT_API} DNS_RESOLVERS= npm start`,
          `${CONNECTIONS} kept connections, ${ROUND_SECONDS} s a round, every answer checked`,
        ],
        rejected,
      };
    } finally {
      for (const stop of stops) await stop();
    }
  },
};
