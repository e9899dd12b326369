import { rows } from "./row.ts";

/** The registry's list is out of date: the zone's own list, which resolvers know, has a server that denies. */
export const LIST_ATTACKS = [
  ...["not1", "not1-lost", "not1-dropsCapitals", "not1-slow", "not1-tcp"].flatMap((not) =>
    rows(
      `the zone also lists ${not} | has1 | own=has1,${not} asks=has1 names=${not} comesTo=denied`,
    ),
  ),
  ...rows(
    `
the zone lists only a server that denies | has1 | own=not1
the zone also lists a name with two addresses, of which one denies | has1 | own=has1,both1
the zone lists 30 names, of which the last denies | has1 | own=has1..29,not1 comesTo=unseen
two of three zones' servers are known to the registry, and the third denies \
| has1..2 | own=has1..2,not1 names=not1
another name of one machine, and a server that denies | vanity1 | own=has1,not1 names=not1`,
    "asks=has1 comesTo=denied",
  ),
  // A resolver reaches a denying server, which the reader does not reach.
  ...rows(
    `
the zone also lists not1-dark, which one resolver reaches | has1 | own=has1,not1-dark
the zone also lists not1-six, which one resolver reaches | has1 | own=has1,not1-six
the zone also lists a name with ten addresses, of which the last denies, and a resolver asks that \
| has1 | own=has1,many1
the zone lists 40 names, of which the last denies, and a resolver asks that \
| has1 | own=has1..30,has32..40,not1`,
    "asks=not1/has1/has1 comesTo=unseen",
  ),
  ...rows(`
a CNAME at the apex hides the list, and one resolver gets a denial \
| has1-alias | asks=not1/has1-alias/has1-alias comesTo=unseen
questions for the list are dropped, and one resolver gets a denial \
| has1-dropsNs | asks=not1/has1-dropsNs/has1-dropsNs comesTo=unseen
a CNAME at the apex hides the list, and one of two servers denies \
| has1-alias not1-lost | asks=has1-alias names=not1-lost comesTo=denied`),
];

export const LIST_HONEST = [
  ...rows(`
vanity names at the registry | vanity1..2 | own=has1..2
vanity names in the zone | has1..2 | own=vanity1..2
one vanity name beside the machine's own | vanity1 has2 | own=has1..2
vanity names for two of three machines | vanity1..3 | own=has1..2
a CNAME at the apex | has1-alias has2-alias | asks=has1-alias
a server in the zone's list only | has1 | own=has1..2
20 names in the zone's list only | has32 | own=has1..20 asks=has32
a server at the registry only | has1..2 | own=has1
different servers, all with the token | has1 | own=has2
a dead server in the zone's list only | has1 | own=has1,dead1 reads=2`),
  ...["has2-lost", "has2-dropsCapitals", "has2-slow", "has2-tcp"].flatMap((has) =>
    rows(`${has} in the zone's list only | has1 | own=has1,${has} asks=has1`),
  ),
];
