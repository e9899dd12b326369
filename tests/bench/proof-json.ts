import type { Benchmark } from "./benchmark.ts";
import { CONNECTIONS, ROUND_SECONDS, type Target } from "./load.ts";
import { PROOF_COMMANDS, type ProofSite, SLUGS, withProofs } from "./proof-site.ts";
import { interleave, median } from "./rounds.ts";

const UNIT = "requests/s";
const GROWTH_ROUNDS = 5;

/** Throws unless both sides answer the first twenty slugs with the same JSON, byte for byte. */
async function compareAnswers({ product, floor, slugs }: ProofSite): Promise<void> {
  for (const slug of slugs.slice(0, 20)) {
    const [ours, theirs] = await Promise.all(
      [product.url, floor.url].map(async (origin) =>
        (await fetch(`${origin}/api/proofs/${slug}`)).text(),
      ),
    );
    if (ours !== theirs) throw new Error(`the floor answers ${theirs}, the product ${ours}`);
  }
}

async function rates(site: ProofSite, rounds: number) {
  await compareAnswers(site);
  const targets: Target[] = site.slugs.map((slug) => ({
    path: `/api/proofs/${slug}`,
    expects: `"slug":"${slug}"`,
  }));
  return interleave(rounds, {
    product: () => site.load.rate({ origin: site.product.url, targets }),
    floor: () => site.load.rate({ origin: site.floor.url, targets }),
  });
}

export const proofJson: Benchmark = {
  name: "proof-json",
  number: 1,
  work: `GET /api/proofs/<slug>, ${SLUGS.toLocaleString("en-US")} slugs`,
  floor: "the same read and the same JSON on remix-serve with as many routes",
  needs: [],
  async run({ rounds }) {
    const { product, floor, rejected } = await withProofs(SLUGS, (site) => rates(site, rounds));
    return {
      rows: [
        {
          goal: { what: "proof as JSON", at: "least", value: 1.5, unit: "" },
          value: median(product) / median(floor),
          product,
          floor,
          unit: UNIT,
        },
      ],
      commands: [
        ...PROOF_COMMANDS,
        `${CONNECTIONS} kept connections, ${ROUND_SECONDS} s a round, every answer's status and slug checked`,
      ],
      rejected,
    };
  },
  async grow() {
    const points = [];
    for (const size of [100, 1_000, 10_000, 100_000]) {
      const { product, floor } = await withProofs(size, (site) => rates(site, GROWTH_ROUNDS));
      points.push({ size, product: median(product), floor: median(floor) });
    }
    return { title: "A proof as JSON", axis: "published proofs", unit: UNIT, points };
  },
};
