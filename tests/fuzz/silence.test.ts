import { describe, expect, it } from "vitest";
import {
  attackOnSilence,
  hasSilent,
  isProved,
  type Nature,
  type Path,
  readPaths,
  toldOfSilence,
  withoutLiars,
} from "./silences.ts";

/** One seed is fixed; SILENCE_SEED gives another one, so that it can be chosen once the code is done. */
const SEEDS = [20_261_127, Number(process.env.SILENCE_SEED ?? 44)];
/** The limits that the page of the rule names. */
const [LONGEST_MS, MOST_PACKETS] = [20_000, 60];

/** A zone with one nameserver, whose name is in another registry's zone that has these servers. */
const named = (natures: Nature[], resolvers: number): Path => ({
  domain: "acme.test",
  levels: [
    {
      name: "acme.test",
      servers: [{ host: "ns1.host.alt", address: "127.102.88.30", nature: "honest" }],
    },
  ],
  far: [
    {
      name: "host.alt",
      servers: natures.map((nature, at) => ({
        host: `dns${at + 1}.host.alt`,
        address: `127.102.88.${40 + at}`,
        nature,
      })),
    },
  ],
  resolvers,
});
const SEEDS_OF_ONE = Array.from({ length: 10 }, (_, at) => at + 1);
const readOften = (path: Path, published: boolean) =>
  readPaths(SEEDS_OF_ONE.map((seed) => ({ path, seed, published })));

// C8.4, C8.10
describe("one lying server of the zone that holds the nameservers' names", () => {
  const OTHERS: [story: string, others: Nature[]][] = [
    ["whose other server is silent to us over UDP", ["mute"]],
    ["whose other servers are silent to us over UDP", ["mute", "mute", "mute"]],
    ["whose other server is silent to us", ["silent"]],
    ["whose other servers are silent to us", ["silent", "silent", "silent"]],
    ["whose other servers are silent, over UDP or altogether", ["silent", "mute", "silent"]],
  ];
  it.each(OTHERS)("proves nothing, %s", async (_, others) => {
    for (const resolvers of [0, 3]) {
      const outcomes = await readOften(named(["lying", ...others], resolvers), false);
      expect(outcomes.filter(isProved)).toEqual([]);
    }
  });

  it.each(OTHERS)("keeps nothing from being proved once it is honest, %s", async (_, others) => {
    const path = withoutLiars(named(["lying", ...others], 3));
    for (const outcome of await readOften(path, true)) {
      expect(isProved(outcome)).toBe(true);
      // Only a server that is silent over TCP too counts as unanswered.
      expect(outcome.reads.length > 1).toBe(others.includes("silent"));
    }
  });

  it("alone in its zone, is the zone", async () => {
    const outcomes = await readOften(named(["lying"], 0), false);
    expect(outcomes.every(isProved)).toBe(true);
  });
});

// C8.3, C8.9, C8.10
it.each(SEEDS)(
  "the attack on silence proves none of 200 zones without an honest witness, by seed %i",
  async (seed) => {
    const report = await attackOnSilence({ zones: 200, seed });
    console.info(toldOfSilence(report));
    const { wrong, unproved, waiting, attacked, honest } = report;
    expect(attacked).toHaveLength(400);
    expect(wrong.map((one) => one.seed)).toEqual([]);
    expect(honest).toHaveLength(200);
    expect(unproved.map((one) => one.seed)).toEqual([]);
    expect(waiting.filter((one) => !hasSilent(one))).toEqual([]);
    expect(report.longestMs).toBeLessThanOrEqual(LONGEST_MS);
    expect(report.mostPackets).toBeLessThanOrEqual(MOST_PACKETS);
  },
);
