import { rows } from "./row.ts";

/** Servers that look silent to a careless reader, or that answer only resolvers. */

const SEEN = [
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

const UNREACHED = [
  ["dark", "that never answers us"],
  ["refuses", "that refuses us"],
  ["fails", "that fails for us"],
  ["garbles", "whose answers to us are garbled"],
  ["disowns", "that answers us without authority"],
  ["dropsEdns", "that drops our EDNS"],
  ["six", "with IPv6 only"],
];

export const SILENT_ATTACKS = [
  ...SEEN.flatMap(([manner, story]) =>
    rows(
      `
one of two, ${story} | has1 not1-${manner}
one of two, ${story}, without resolvers | has1 not1-${manner} | resolvers=none
two of four, ${story} | has1..2 not1..2-${manner}`,
      `names=not1-${manner} comesTo=partial`,
    ),
  ),
  ...rows(`
one of two, that never answers us, and one resolver of three gets no answer \
| has1 not1-dark | asks=dead1/has1/has1 comesTo=unseen`),
  ...UNREACHED.flatMap(([manner, story]) =>
    rows(
      `
one of two, ${story}, but one resolver of three | has1 not1-${manner} | asks=not1/has1/has1
one of two, ${story}, but two resolvers of three | has1 not1-${manner} | asks=has1/not1/not1
one of two, ${story}, without resolvers | has1 not1-${manner} | resolvers=none
two of four, ${story}, but one resolver of three | has1..2 not1..2-${manner} | asks=has1/has1/not1`,
      "comesTo=unseen",
    ),
  ),
];

/** The same servers with the token. unbound gives up on a server without UDP answers. */
export const SILENT_CONTROLS = [
  ...SEEN.flatMap(([manner, story]) =>
    rows(`
one of two, ${story}, has the token | has1 has2-${manner}
one alone, ${story}, has the token | has2-${manner} | asks=has2`),
  ),
  ...UNREACHED.flatMap(([manner, story]) =>
    rows(`one of two, ${story}, has the token | has1 has2-${manner} | count=2,1,1 reads=2`),
  ),
  ...rows("one of two without TCP | has1 has2-udp"),
];
