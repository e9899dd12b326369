import { describe, expect, it } from "vitest";
import { chainOf, messagesOf, questionOf, vector } from "../testing/dnssec/vectors.ts";
import { decodeChain, LIMITS, parseName, type RrSet, TYPE } from "./records.ts";
import { judge, validate } from "./validate.ts";

const ZONE = "knot-13-nsec.test";
const owner = parseName(ZONE) ?? "";
const isKeys = (set: RrSet) => set.type === TYPE.DNSKEY && set.owner === owner;

/** The zone's chain with a changed key set. */
async function attacked(change: (set: RrSet) => Partial<RrSet>) {
  const { chain, question } = await chainOf(ZONE);
  const sets = decodeChain(chain) ?? [];
  return judge(
    sets.map((set) => (isKeys(set) ? { ...set, ...change(set) } : set)),
    question,
  );
}

describe("the cost of a judgement", () => {
  it("is bounded for more keys than any zone has", async () => {
    const judgement = attacked(({ records: [rdata = new Uint8Array()] }) => ({
      records: Array.from({ length: LIMITS.keys + 1 }, (_, at) => Uint8Array.of(...rdata, at)),
    }));
    expect(await judgement).toMatchObject({
      verdict: "indeterminate",
      reason: { type: "limit", limit: "keys" },
    });
  });

  it("is bounded for many versions of every RRset", async () => {
    const many = messagesOf(vector(ZONE)).flatMap((message) =>
      Array.from({ length: 30 }, (_, index) => {
        const copy = Uint8Array.from(message);
        copy[copy.length - 20 - index] = index;
        return copy;
      }),
    );
    const { cost } = await validate(many, questionOf(vector(ZONE)));
    expect(cost.verifications).toBeLessThanOrEqual(LIMITS.cost.verifications);
  });

  it("is bounded for a long name among many NSEC3 records", async () => {
    const { chain, question } = await chainOf(ZONE);
    const sets = decodeChain(chain) ?? [];
    const hashed = decodeChain((await chainOf("unsigned.hash")).chain) ?? [];
    const spans = hashed.filter(({ type }) => type === TYPE.NSEC3);
    const deep = `${"a.".repeat(100)}test`;
    const moved = spans.flatMap((set) =>
      Array.from({ length: 200 }, (_, index) => {
        const label = String.fromCharCode(0x62 + (index % 20)).repeat(32);
        const rdata = Uint8Array.from(set.records[0] ?? []);
        rdata[3] = 50;
        rdata[6] = index;
        return { ...set, owner: parseName(`${label}.test`) ?? "", records: [rdata] };
      }),
    );
    const kept = sets.filter(({ owner: at }) => at === "" || at === parseName("test"));
    const { verdict, cost } = await judge([...kept, ...moved], { ...question, name: deep });
    expect(verdict).toBe("indeterminate");
    expect(cost.rounds).toBeLessThanOrEqual(LIMITS.cost.rounds);
  });

  it("is nothing for octets that are no messages", async () => {
    const pointer = Uint8Array.of(0, 0, 0x80, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 16, 0, 1);
    const garbage = [new Uint8Array(), new Uint8Array(11), pointer, new Uint8Array(70_000)];
    expect(await validate(garbage, questionOf(vector(ZONE)))).toMatchObject({
      verdict: "indeterminate",
      reason: { type: "not_read", zone: ".", records: "DNSKEY" },
      cost: { verifications: 0, digests: 0, rounds: 0 },
    });
  });
});
