import type { Benchmark, Row } from "./benchmark.ts";
import { CONNECTIONS, ROUND_SECONDS, type Target } from "./load.ts";
import { PROOF_COMMANDS, type ProofSite, SLUGS, withProofs } from "./proof-site.ts";
import { interleave, median } from "./rounds.ts";

/** Chromium's Accept-Encoding. */
const BROWSER = "gzip, deflate, br, zstd";
/** How much the sizes of the two pages may differ, as a share. */
const TOLERANCE = 0.02;
const UNIT = "requests/s";

async function sizeOf(origin: string, slug: string): Promise<number> {
  const response = await fetch(`${origin}/p/${slug}`, {
    headers: { "Accept-Encoding": "identity" },
  });
  return Buffer.byteLength(await response.text());
}

async function compareSizes({ product, floor, slugs }: ProofSite): Promise<string> {
  const slug = slugs[0] ?? "";
  const [ours, theirs] = [await sizeOf(product.url, slug), await sizeOf(floor.url, slug)];
  if (Math.abs(ours / theirs - 1) > TOLERANCE)
    throw new Error(`the pages differ in size: ${ours} and ${theirs} bytes`);
  return `pages of ${ours} and ${theirs} bytes`;
}

export const proofPage: Benchmark = {
  name: "proof-page",
  number: 2,
  work: `GET /p/<slug>, ${SLUGS.toLocaleString("en-US")} slugs`,
  floor: "a page of the same size on remix-serve with as many routes, rendered to a string",
  needs: [],
  run: ({ rounds }) =>
    withProofs(SLUGS, async (site) => {
      const note = await compareSizes(site);
      const targets: Target[] = site.slugs.map((slug) => ({ path: `/p/${slug}`, expects: slug }));
      const ask = (origin: string, accepted: string, encoding: string | null) => () =>
        site.load.rate({ origin, targets, headers: { "Accept-Encoding": accepted }, encoding });
      const plain = ask(site.product.url, "identity", null);
      const page = await interleave(rounds, {
        product: plain,
        floor: ask(site.floor.url, "identity", null),
      });
      const compressed = await interleave(rounds, {
        product: ask(site.product.url, BROWSER, "br"),
        floor: plain,
      });
      const row = (what: string, least: number, from: typeof page): Row => ({
        goal: { what, at: "least", value: least, unit: "" },
        value: median(from.product) / median(from.floor),
        product: from.product,
        floor: from.floor,
        unit: UNIT,
      });
      return {
        rows: [
          { ...row("proof page", 0.85, page), note },
          {
            ...row("proof page as a browser asks for it", 0.75, compressed),
            note: `Accept-Encoding: ${BROWSER}; its floor is the product's own identity`,
          },
        ],
        commands: [
          ...PROOF_COMMANDS,
          `${CONNECTIONS} kept connections, ${ROUND_SECONDS} s a round, every answer's status, slug and encoding checked`,
        ],
        rejected: page.rejected + compressed.rejected,
      };
    }),
};
