import { ISSUER, makeWorld, receiptOf, STATEMENT } from "@deed/receipt/testing/issuer.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect, it } from "vitest";
import { linkIn, type Markup, offerSiteKeys, viewOf } from "./view.ts";

const { anchors, unsigned } = await makeWorld();
const chain = await unsigned("acme.test");
const SITE = STATEMENT.iss;
const LINK = `${SITE}/p/0123456789abcdefghijklmnop`;

async function checked(about: string, keys = [ISSUER.kid]) {
  const file = JSON.stringify({ ...receiptOf(ISSUER, STATEMENT, chain), about });
  const report = await verifyReceipt(file, { keys, anchors });
  return { file: new TextEncoder().encode(file), report };
}

const linkOf = async (about: string, keys?: string[]) => {
  const { file, report } = await checked(about, keys);
  return linkIn(file, report);
};
const wordsOf = (drawn: readonly (string | Markup)[]): string[] =>
  drawn.flatMap((part) => (typeof part === "string" ? part : wordsOf(part.slice(2))));

it("leads to the proof's link that a receipt names, of the site whose key was expected alone", async () => {
  expect(await linkOf(`A signed receipt. Its link: ${LINK}`)).toBe(LINK);
  expect(await linkOf(`A signed receipt. Its link: ${LINK}`, [])).toBeNull();
  expect(await linkOf("A signed receipt.")).toBeNull();
  expect(await linkOf("Its link: https://elsewhere.example/p/0123456789")).toBeNull();
  expect(await linkOf(`Its link: ${SITE}/p/<b>`)).toBeNull();
});

it("says of a bad receipt what its file says, and nothing that follows from its key", async () => {
  const words = wordsOf(viewOf({ ...(await checked("")).report, verdict: "bad" }).slice(0, -1));
  expect(words).toContain("What the file says (do not rely on it):");
  expect(words).not.toContain("Key");
  const good = wordsOf(viewOf((await checked("")).report, { link: LINK }).slice(0, -1));
  expect(good).toContain("Key");
  expect(good.slice(1, 3)).toEqual([
    "It proves that m•••@acme.com controlled acme.test on 15 January 2027 at 08:00:00 UTC, not that they still do.",
    `Open the proof at ${new URL(SITE).host}`,
  ]);
});

it("says of a weaker receipt what it proves, on whose word, and what would be stronger", async () => {
  const { report } = await checked("");
  expect(wordsOf(viewOf({ ...report, verdict: "weaker" })).slice(1, 3)).toEqual([
    expect.stringMatching(/^If you trust deed\.example, it proves that m•••@acme\.com controlled /),
    expect.stringMatching(/DNSSEC.* would be stronger/),
  ]);
});

it("says of what is no receipt that it is none and whom to ask, and offers nothing to unfold", async () => {
  const drawn = viewOf(await verifyReceipt("a picture", { anchors }));
  expect(wordsOf(drawn)).toEqual([
    "This isn’t a Deed receipt.",
    "The file is not JSON.",
    "Ask the person who sent it for the original file, or for the proof’s link.",
  ]);
  expect(drawn.map(([tag]) => tag)).not.toContain("details");
});

it("offers to compare the key before it says that nothing confirms it", async () => {
  const { report } = await checked("", []);
  const offer = offerSiteKeys(report, SITE);
  const { host } = new URL(SITE);
  expect(wordsOf(viewOf(report, { offer })).slice(0, 2)).toEqual([
    `Nothing in it was changed. Compare its key to see whether ${host} signed it.`,
    `Compare with the keys of ${host}`,
  ]);
  expect(offerSiteKeys(report, "https://elsewhere.example")).toBeNull();
  expect(offerSiteKeys({ ...report, verdict: "bad" }, SITE)).toBeNull();
  expect(wordsOf(viewOf(report))[0]).toMatch(/^Not confirmed: /);
});
