import type { MannerName } from "./manners.ts";
import {
  type Attack,
  attack,
  type Honest,
  honest,
  hosts,
  ONE_OF_TWO,
  PARTIAL,
  UNSEEN,
} from "./row.ts";

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
  ...SEEN.flatMap(([manner, story]) => {
    const not = `not1-${manner}`;
    const denied = (title: string, servers: string[], more: Partial<Attack> = {}) =>
      attack(title, servers, PARTIAL, { names: not, ...more });
    return [
      denied(`one of two, ${story}`, ["has1", not]),
      denied(`one of two, ${story}, without resolvers`, ["has1", not], { resolvers: "none" }),
      denied(`two of four, ${story}`, ["has1", "has2", ...hosts(`not#-${manner}`, 2)]),
    ];
  }),
  attack(
    "one of two, that never answers us, and one resolver of three gets no answer",
    ["has1", "not1-dark"],
    UNSEEN,
    { asks: [["dead1"], ["has1"], ["has1"]] },
  ),
  ...UNREACHED.flatMap(([manner, story]) => {
    const servers = ["has1", `not1-${manner}`];
    const asking = (...asked: string[]) => ({ asks: asked.map((host) => [host]) });
    return [
      attack(
        `one of two, ${story}, but one resolver of three`,
        servers,
        UNSEEN,
        asking("not1", "has1", "has1"),
      ),
      attack(
        `one of two, ${story}, but two resolvers of three`,
        servers,
        UNSEEN,
        asking("has1", "not1", "not1"),
      ),
      attack(`one of two, ${story}, without resolvers`, servers, UNSEEN, { resolvers: "none" }),
      attack(
        `two of four, ${story}, but one resolver of three`,
        ["has1", "has2", ...hosts(`not#-${manner}`, 2)],
        UNSEEN,
        asking("has1", "has1", "not1"),
      ),
    ];
  }),
];

/** The same servers with the token. unbound gives up on a server that answers nothing over UDP. */
export const SILENT_CONTROLS: Honest[] = [
  ...SEEN.flatMap(([manner, story]) => [
    honest(`one of two, ${story}, has the token`, ["has1", `has2-${manner}`]),
    honest(`one alone, ${story}, has the token`, [`has2-${manner}`], { asks: ["has2"] }),
  ]),
  ...UNREACHED.map(([manner, story]) =>
    honest(`one of two, ${story}, has the token`, ["has1", `has2-${manner}`], ONE_OF_TWO),
  ),
  honest("one of two without TCP", ["has1", "has2-udp"]),
];
