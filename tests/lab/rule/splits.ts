import { type Attack, type Honest, hosts, PARTIAL, UNSEEN } from "./row.ts";

const upTo20 = Array.from({ length: 20 }, (_, index) => index + 1);
const half = (count: number) => Math.floor(count / 2);

/** Names with the token sort before those without. */
export const SPLIT_ATTACKS: Attack[] = [
  { title: "the only server", servers: ["not1"], comesTo: /^absent record_absent$/ },
  ...upTo20.slice(1).flatMap((count): Attack[] => [
    {
      title: `the last of ${count}`,
      servers: [...hosts("has#", count - 1), "not1"],
      comesTo: PARTIAL,
      names: "not1",
    },
    {
      title: `half of ${count}, whose UDP answers are lost`,
      servers: [...hosts("has#", count - half(count)), ...hosts("not#-lost", half(count))],
      comesTo: PARTIAL,
      names: "not1-lost",
    },
  ]),
  ...["not#", "not#-lost", "not#-slow"].map(
    (kind): Attack => ({
      title: `seven of 20 (${kind}), behind thirteen that lie`,
      servers: [...hosts("has#", 13), ...hosts(kind, 7)],
      comesTo: PARTIAL,
      names: kind.replace("#", "1"),
    }),
  ),
  {
    title: "the last of 32",
    servers: [...hosts("has#", 30), "has32", "not1"],
    comesTo: PARTIAL,
    names: "not1",
  },
  {
    title: "seven of 20 that answer only resolvers, behind thirteen that lie",
    servers: [...hosts("has#", 13), ...hosts("not#-dark", 7)],
    asks: [["not1"], ["has1"], ["has1"]],
    comesTo: UNSEEN,
  },
  {
    title: "the last of 40, but one resolver of three",
    servers: [...hosts("has#", 30), ...hosts("has#", 8, 32), ...hosts("not#", 2)],
    asks: [["has1"], ["not1"], ["has1"]],
    comesTo: UNSEEN,
  },
];

export const SPLIT_HONEST: Honest[] = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 16, 18, 20, 30].map(
    (count): Honest => ({ title: `${count} servers`, servers: hosts("has#", count) }),
  ),
  { title: "32 servers", servers: [...hosts("has#", 30), ...hosts("has#", 2, 32)] },
  ...[2, 3, 4, 6, 8, 13, 20].map((count): Honest => {
    const dead = half(count);
    return {
      title: `${count} servers, ${dead} of them dead`,
      servers: [...hosts("has#", count - dead), ...hosts("dead#", dead)],
      count: [count, count - dead, count - dead],
      reads: 2,
    };
  }),
  ...(["mute", "failsAll", "refusesAll"] as const).map(
    (manner): Honest => ({
      title: `two servers, of which one is ${manner}`,
      servers: ["has1", `not1-${manner}`],
      asks: ["has1"],
      count: [2, 1, 1],
      reads: 2,
    }),
  ),
];
