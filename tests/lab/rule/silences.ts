import type { MannerName } from "./manners.ts";
import { type Attack, attack, type Honest, honest, hosts, PARTIAL, UNSEEN } from "./row.ts";

/** Servers that a careless reader takes for silent, or that answer resolvers only. */

const SEEN: [manner: MannerName, story: string][] = [
  ["lost", "whose UDP answers are lost"],
  ["tcp", "that answers only over TCP"],
  ["slips", "that limits its answers over UDP"],
  ["truncates", "that has everybody come over TCP"],
  ["seldom", "whose every other UDP answer is lost"],
  ["dropsCapitals", "that drops capital letters"],
  ["refusesCapitals", "that refuses capital letters"],
  ["misreadsCapitals", "that cannot parse capital letters"],
  ["lowers", "that answers in small letters"],
  ["slow", "that takes 3 s"],
  ["slowTcp", "that answers only over TCP, in 3 s"],
  ["noisy", "whose UDP answers drown in noise"],
  ["withoutEdns", "that does not know EDNS"],
];

const UNREACHED: [manner: MannerName, story: string][] = [
  ["dark", "that never answers us"],
  ["refuses", "that refuses us"],
  ["fails", "that fails for us"],
  ["garbles", "whose answers to us are garbled"],
  ["disowns", "that answers us without authority"],
  ["dropsEdns", "that drops our EDNS"],
  ["six", "with IPv6 only"],
];

export const SILENT_ATTACKS: Attack[] = [
  ...SEEN.flatMap(([manner, story]): Attack[] => {
    const not = `not1-${manner}`;
    const denied = { comesTo: PARTIAL, names: not };
    return [
      { title: `one of two, ${story}`, servers: ["has1", not], ...denied },
      {
        title: `one of two, ${story}, without resolvers`,
        servers: ["has1", not],
        resolvers: "none",
        ...denied,
      },
      {
        title: `two of four, ${story}`,
        servers: ["has1", "has2", ...hosts(`not#-${manner}`, 2)],
        ...denied,
      },
    ];
  }),
  attack(
    "one of two, that never answers us, and one resolver of three gets no answer",
    ["has1", "not1-dark"],
    UNSEEN,
    { asks: [["dead1"], ["has1"], ["has1"]] },
  ),
  ...UNREACHED.flatMap(([manner, story]): Attack[] => {
    const not = `not1-${manner}`;
    const servers = ["has1", not];
    const asking = (...denied: number[]) =>
      [0, 1, 2].map((index) => (denied.includes(index) ? ["not1"] : ["has1"]));
    return [
      attack(`one of two, ${story}, but one resolver of three`, servers, UNSEEN, {
        asks: asking(0),
      }),
      attack(`one of two, ${story}, but two resolvers of three`, servers, UNSEEN, {
        asks: asking(1, 2),
      }),
      attack(`one of two, ${story}, without resolvers`, servers, UNSEEN, { resolvers: "none" }),
      attack(
        `two of four, ${story}, but one resolver of three`,
        ["has1", "has2", not, `not2-${manner}`],
        UNSEEN,
        { asks: asking(2) },
      ),
    ];
  }),
];

/** The same servers with the token. */
export const SILENT_CONTROLS: Honest[] = [
  ...SEEN.flatMap(([manner, story]): Honest[] => [
    honest(`one of two, ${story}, has the token`, ["has1", `has2-${manner}`]),
    {
      title: `one alone, ${story}, has the token`,
      servers: [`has2-${manner}`],
      // unbound gives up on a server that answers nothing over UDP.
      asks: ["has2"],
    },
  ]),
  ...UNREACHED.map(
    ([manner, story]): Honest =>
      honest(`one of two, ${story}, has the token`, ["has1", `has2-${manner}`], {
        count: [2, 1, 1],
        reads: 2,
      }),
  ),
  honest("one of two without TCP", ["has1", "has2-udp"]),
];
