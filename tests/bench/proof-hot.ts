import type { Benchmark, Row } from "./benchmark.ts";
import { startFloor } from "./floors/server.ts";
import { CONNECTIONS, ROUND_SECONDS } from "./load.ts";
import { OPEN_BUDGETS, withProofs } from "./proof-site.ts";
import { interleave, median } from "./rounds.ts";

const BROWSER = "gzip, deflate, br, zstd";
const COPY = "tests/bench/floors/same-bytes.mjs";

export const proofHot: Benchmark = {
  name: "proof-hot",
  number: 12,
  work: "one public proof, over and over, as JSON and as a browser asks for its page",
  floor: "bare node:http that sends the same bytes",
  needs: [],
  run: ({ rounds }) =>
    withProofs(1, async ({ product, load, slugs: [slug = ""] }) => {
      let rejected = 0;
      const measure = async (
        what: string,
        path: string,
        accepted: string,
        encoding: string | null,
      ) => {
        const copied = { COPY_OF: `${product.url}${path}`, ACCEPT_ENCODING: accepted };
        const floor = await startFloor([COPY], path, copied);
        const ask = (origin: string) => () =>
          load.rate({
            origin,
            targets: [{ path, expects: slug }],
            headers: { "Accept-Encoding": accepted },
            encoding,
          });
        const sides = await interleave(rounds, {
          product: ask(product.url),
          floor: ask(floor.url),
        });
        await floor.stop();
        rejected += sides.rejected;
        const row: Row = {
          goal: { what, at: "least", value: 0.5, unit: "" },
          value: median(sides.product) / median(sides.floor),
          product: sides.product,
          floor: sides.floor,
          unit: "requests/s",
        };
        return row;
      };
      const rows = [
        await measure("public proof, hot, as JSON", `/api/proofs/${slug}`, "identity", null),
        await measure("public proof, hot, as a page", `/p/${slug}`, BROWSER, "br"),
      ];
      return {
        rows,
        commands: [
          `RATE_LIMIT_PROOFS=${OPEN_BUDGETS.RATE_LIMIT_PROOFS} DNS_RESOLVERS= npm start`,
          `COPY_OF=<the proof's address> ACCEPT_ENCODING="${BROWSER}" node ${COPY}`,
          `${CONNECTIONS} kept connections, ${ROUND_SECONDS} s a round, every answer's status, slug and encoding checked`,
        ],
        rejected,
      };
    }),
};
