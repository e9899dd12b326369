import { FOREIGN, LABEL, longRecords, record, TOKEN } from "../case.ts";
import {
  type Attack,
  attack,
  type Honest,
  held,
  honest,
  hosts,
  ONE_OF_TWO,
  PARTIAL,
  UNSEEN,
} from "./row.ts";

const upTo20 = Array.from({ length: 20 }, (_, index) => index + 1);
const half = (count: number) => Math.floor(count / 2);

/** Names with the token sort before those without. */
export const SPLIT_ATTACKS: Attack[] = [
  attack("the only server", ["not1"], /^absent record_absent$/),
  ...upTo20.slice(1).flatMap((count) => [
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
  ...["not#", "not#-lost", "not#-slow"].map((kind) =>
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
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 16, 18, 20, 30].map((count) =>
    honest(`${count} servers`, hosts("has#", count)),
  ),
  honest("32 servers", [...hosts("has#", 30), ...hosts("has#", 2, 32)]),
  ...[2, 3, 4, 6, 8, 13, 20].map((count) => {
    const dead = half(count);
    const alive = count - dead;
    return honest(
      `${count} servers, ${dead} of them dead`,
      [...hosts("has#", alive), ...hosts("dead#", dead)],
      { count: [count, alive, alive], reads: 2 },
    );
  }),
  ...(["mute", "failsAll", "refusesAll"] as const).map((manner) =>
    honest(`two servers, of which one is ${manner}`, ["has1", `not1-${manner}`], {
      asks: ["has1"],
      ...ONE_OF_TWO,
    }),
  ),
];

const WAYS = [
  ["hasOverUdp", "the token over UDP, and a denial over TCP", PARTIAL],
  // A denial over UDP is a denial: nobody asks again over TCP.
  ["hasOverTcp", "a denial over UDP, and the token over TCP", /^absent record_absent$/],
] as const;

/** Servers whose UDP and TCP disagree. */
export const TRANSPORT_ATTACKS: Attack[] = WAYS.flatMap(([manner, story, comesTo]): Attack[] => [
  attack(`one server: ${story}`, [`not1-${manner}`], comesTo, { asks: ["has1"] }),
  attack(`one server, without resolvers: ${story}`, [`not1-${manner}`], comesTo, {
    resolvers: "none",
  }),
  attack(`two servers, past the zone's refresh: ${story}`, hosts(`not#-${manner}`, 2), comesTo, {
    asks: ["has1"],
    refresh: 60,
  }),
  attack(`two servers, one dead: ${story}`, [`not1-${manner}`, "dead1"], comesTo, {
    asks: ["has1"],
  }),
]);

const holding = (title: string, ...has: string[]): Honest =>
  honest(title, ["has1", "has2"], { on: { has } });
/** Records in unusual forms. */
export const ODDITIES: Honest[] = [
  holding(
    "a record of several strings",
    `${LABEL} TXT "${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}"`,
  ),
  holding("several records", held, record("v=spf1 -all"), record(FOREIGN)),
  holding("a wildcard", record(TOKEN, "*")),
  holding("an answer too long for a datagram", held, ...longRecords(8)),
  honest("servers without EDNS, and a long answer", ["has1-withoutEdns"], {
    on: { has: [held, ...longRecords(4)] },
  }),
];
