import { describe, expect, it } from "vitest";
import { Chance } from "../../../tests/fuzz/chance.ts";
import { sized } from "../../../tests/support/size.ts";
import { encodeSets as chained, named as name } from "../testing/dnssec/signer.ts";
import { ANCHORS, chainOf, messagesOf, questionOf, vector } from "../testing/dnssec/vectors.ts";
import { concat, decodeChain, type RrSet, TYPE } from "./records.ts";
import { judge, validate, verifyChain } from "./validate.ts";

const ZONE = "knot-13-nsec.test";
const MUTATIONS = sized(200, 1_000);

const setsOf = async (zone: string) => decodeChain((await chainOf(zone)).chain) ?? [];
const recordsOf = (chain: Uint8Array) =>
  decodeChain(chain)?.map(({ owner, type, records }) => ({ owner, type, records }));
const moved = (sets: RrSet[], owner: string) =>
  sets.map((set) => (set.type === TYPE.TXT ? { ...set, owner: name(owner) } : set));

describe("a forged chain", () => {
  it.each([
    [ZONE, MUTATIONS, 18],
    ...["wildcard-bind-nsec3.test", "unsigned.test", "unsigned.gaps", "unsigned.slow"].map(
      (zone): [string, number, number] => [zone, sized(30, 100), 5155],
    ),
  ])("is refused for any bit of what proves %s: %i of them", async (zone, count, seed) => {
    const { chain, question } = await chainOf(zone);
    const chance = new Chance(seed);
    for (let at = 0; at < count; at += 1) {
      const { verdict } = await verifyChain(chance.flipped(chain), question);
      expect([at, verdict]).not.toEqual([at, expect.stringMatching(/^(in)?secure$/)]);
    }
  });

  it("never comes from a message with a changed bit: other records are never secure", async () => {
    const { chain, question } = await chainOf(ZONE);
    const messages = messagesOf(vector(ZONE));
    const chance = new Chance(4035);
    for (let count = 0; count < MUTATIONS; count += 1) {
      const changed = chance.below(messages.length);
      const mutated = messages.map((message, index) =>
        index === changed ? chance.flipped(message) : message,
      );
      const { verdict, chain: found } = await validate(mutated, question);
      // Another valid signature may replace the changed one.
      if (verdict === "secure") expect(recordsOf(found)).toEqual(recordsOf(chain));
      else expect(verdict).not.toBe("insecure");
    }
  });

  it("is refused for another name, value, or time, and for other anchors", async () => {
    const { chain, question } = await chainOf(ZONE);
    const { period } = await verifyChain(chain, question);
    const judged = async (change: object) => {
      const validation = await verifyChain(chain, { ...question, ...change });
      return validation.verdict === "secure" ? "secure" : validation.reason.type;
    };
    const [first] = ANCHORS;
    const foreign = { ...first, digest: Uint8Array.from(first?.digest ?? []).reverse() };
    for (const [change, said] of [
      [{}, "secure"],
      [{ at: period?.from }, "secure"],
      [{ at: period?.until }, "secure"],
      [{ at: (period?.from ?? 0) - 1 }, "signatures_not_yet_valid"],
      [{ at: (period?.until ?? 0) + 1 }, "signatures_expired"],
      [{ at: question.at + 2 ** 32 }, "not_a_question"],
      [{ value: `${question.value}x` }, "value_absent"],
      [{ value: `\ufeff${question.value}` }, "value_absent"],
      [{ name: `www.${ZONE}` }, "not_read"],
      [{ name: vector("knot-13-nsec3.test").name }, "not_read"],
      [{ anchors: [] }, "no_anchor"],
      [{ anchors: [foreign] }, "ds_matches_no_key"],
      [{ anchors: [foreign, ...ANCHORS] }, "secure"],
    ] as const)
      expect([change, await judged(change)]).toEqual([change, said]);
    for (const anchor of ANCHORS) {
      const one = await validate(messagesOf(vector(ZONE)), { ...question, anchors: [anchor] });
      expect(one.verdict).toBe("secure");
    }
  });

  it("is refused with less, with more, in another order, and far too long", async () => {
    const { chain, question } = await chainOf(ZONE);
    const sets = decodeChain(chain) ?? [];
    const stranger = (await setsOf("knot-14-nsec.test")).slice(-1);
    const forms = [
      ...sets.map((_, index) => chained(sets.toSpliced(index, 1))),
      ...sets.map((_, index) => chain.slice(0, Math.floor((chain.length * index) / sets.length))),
      chained([...sets, ...stranger]),
      chained([...sets].reverse()),
      chained([...sets, ...sets]),
      concat(chain, Uint8Array.of(0)),
      new Uint8Array(50_000_000),
      concat(chain, new Uint8Array(50_000_000)),
      new Uint8Array(),
    ];
    expect(chained(sets)).toEqual(chain);
    for (const form of forms) {
      const { verdict } = await verifyChain(form, question);
      expect(["bogus", "indeterminate"]).toContain(verdict);
    }
  });

  it("is refused for a wildcard's record without its denial, or at a name that exists", async () => {
    for (const kind of ["bind-nsec", "bind-nsec3", "knot-nsec", "knot-nsec3"]) {
      const zone = `wildcard-${kind}.test`;
      const sets = await setsOf(zone);
      const question = questionOf(vector(zone));
      expect((await judge(sets, question)).verdict).toBe("secure");
      const bare = sets.filter(({ type }) => type !== TYPE.NSEC && type !== TYPE.NSEC3);
      expect(await judge(bare, question)).toMatchObject({ reason: { type: "denial_missing" } });
      for (const owner of [`other.${zone}`, `_service-challenge.other.${zone}`]) {
        const judged = await judge(moved(sets, owner), { ...question, name: owner });
        expect(judged).toMatchObject({ reason: { type: "denial_missing" } });
      }
    }
  });

  it("is refused if it uses a delegation's denial for another name, or from the child", async () => {
    const unsigned = await setsOf("unsigned.test");
    for (const zone of ["child.test", "deep.below.test", "knot-15-nsec3.test"]) {
      const signed = await setsOf(zone);
      const stripped = signed.map((set) =>
        set.type === TYPE.TXT ? { ...set, signatures: [] } : set,
      );
      const { verdict } = await judge([...unsigned, ...stripped], questionOf(vector(zone)));
      expect(verdict).toBe("bogus");
      const cut = stripped.filter(({ type, owner }) => type !== TYPE.DS || owner === name("test"));
      const judged = await judge([...unsigned, ...cut], questionOf(vector(zone)));
      expect(judged.verdict).not.toBe("insecure");
    }
  });
});
