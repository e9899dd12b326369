import { type Attack, attack, type Honest, honest, hosts, PARTIAL, UNSEEN } from "./row.ts";

const upTo20 = Array.from({ length: 20 }, (_, index) => index + 1);
const half = (count: number) => Math.floor(count / 2);

/** Names with the token sort before those without. */
export const SPLIT_ATTACKS: Attack[] = [
  attack("the only server", ["not1"], /^absent record_absent$/),
  ...upTo20.slice(1).flatMap((count): Attack[] => [
    attack(`the last of ${count}`, [...hosts("has#", count - 1), "not1"], PARTIAL, {
      names: "not1",
    }),
    attack(
      `half of ${count}, whose UDP answers are lost`,
      [...hosts("has#", count - half(count)), ...hosts("not#-lost", half(count))],
      PARTIAL,
      { names: "not1-lost" },
    ),
  ]),
  ...["not#", "not#-lost", "not#-slow"].map(
    (kind): Attack =>
      attack(
        `seven of 20 (${kind}), behind thirteen that lie`,
        [...hosts("has#", 13), ...hosts(kind, 7)],
        PARTIAL,
        { names: kind.replace("#", "1") },
      ),
  ),
  attack("the last of 32", [...hosts("has#", 30), "has32", "not1"], PARTIAL, { names: "not1" }),
  attack(
    "seven of 20 that answer only resolvers, behind thirteen that lie",
    [...hosts("has#", 13), ...hosts("not#-dark", 7)],
    UNSEEN,
    { asks: [["not1"], ["has1"], ["has1"]] },
  ),
  attack(
    "the last of 40, but one resolver of three",
    [...hosts("has#", 30), ...hosts("has#", 8, 32), ...hosts("not#", 2)],
    UNSEEN,
    { asks: [["has1"], ["not1"], ["has1"]] },
  ),
];

export const SPLIT_HONEST: Honest[] = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 16, 18, 20, 30].map(
    (count): Honest => honest(`${count} servers`, hosts("has#", count)),
  ),
  honest("32 servers", [...hosts("has#", 30), ...hosts("has#", 2, 32)]),
  ...[2, 3, 4, 6, 8, 13, 20].map((count): Honest => {
    const dead = half(count);
    return honest(
      `${count} servers, ${dead} of them dead`,
      [...hosts("has#", count - dead), ...hosts("dead#", dead)],
      { count: [count, count - dead, count - dead], reads: 2 },
    );
  }),
  ...(["mute", "failsAll", "refusesAll"] as const).map(
    (manner): Honest =>
      honest(`two servers, of which one is ${manner}`, ["has1", `not1-${manner}`], {
        asks: ["has1"],
        count: [2, 1, 1],
        reads: 2,
      }),
  ),
];
