import { type Attack, attack, type Honest, honest, hosts, UNSEEN } from "./row.ts";

const DENIED = /^absent (nameserver_sync|not_published|negative_cache)$/;
const hasOne = { asks: ["has1"] };
const ONE_DENIED = { asks: [["not1"], ["has1"], ["has1"]] };

/** The zone's own list, of which the registry has only has1. */
const listing = (title: string, own: string[], more: Partial<Attack> = {}) =>
  attack(title, ["has1"], DENIED, { own, ...hasOne, ...more });
/** A resolver reaches one that denies, which the reader does not. */
const seenByOne = (title: string, own: string[]) =>
  attack(title, ["has1"], UNSEEN, { own, ...ONE_DENIED });

/** The registry's list is out of date: the zone's own, which resolvers know, has a server that denies. */
export const LIST_ATTACKS: Attack[] = [
  ...["not1", "not1-lost", "not1-dropsCapitals", "not1-slow", "not1-tcp"].map((not) =>
    listing(`the zone also lists ${not}`, ["has1", not], { names: not }),
  ),
  ...["not1-dark", "not1-six"].map((not) =>
    seenByOne(`the zone also lists ${not}, which one resolver reaches`, ["has1", not]),
  ),
  listing("the zone lists only a server that denies", ["not1"]),
  listing("the zone also lists a name with two addresses, of which one denies", ["has1", "both1"]),
  seenByOne(
    "the zone also lists a name with ten addresses, of which the last denies, and a resolver asks that",
    ["has1", "many1"],
  ),
  seenByOne("the zone lists 40 names, of which the last denies, and a resolver asks that", [
    ...hosts("has#", 30),
    ...hosts("has#", 9, 32),
    "not1",
  ]),
  listing("the zone lists 30 names, of which the last denies", [...hosts("has#", 29), "not1"], {
    comesTo: UNSEEN,
  }),
  listing(
    "two of three zones' servers are known to the registry, and the third denies",
    ["has1", "has2", "not1"],
    { servers: ["has1", "has2"], names: "not1" },
  ),
  listing("another name of one machine, and a server that denies", ["has1", "not1"], {
    servers: ["vanity1"],
    names: "not1",
  }),
  ...[
    ["has1-alias", "a CNAME at the apex hides the list"],
    ["has1-dropsNs", "questions for the list are dropped"],
  ].map(([has = "", story]) =>
    attack(`${story}, and one resolver gets a denial`, [has], UNSEEN, {
      asks: [["not1"], [has], [has]],
    }),
  ),
  attack(
    "a CNAME at the apex hides the list, and one of two servers denies",
    ["has1-alias", "not1-lost"],
    DENIED,
    { asks: ["has1-alias"], names: "not1-lost" },
  ),
];

const PAIR = ["has1", "has2"];
export const LIST_HONEST: Honest[] = [
  honest("vanity names at the registry", ["vanity1", "vanity2"], { own: PAIR }),
  honest("vanity names in the zone", PAIR, { own: ["vanity1", "vanity2"] }),
  honest("one vanity name beside the machine's own", ["vanity1", "has2"], { own: PAIR }),
  honest("vanity names for two of three machines", hosts("vanity#", 3), { own: PAIR }),
  honest("a CNAME at the apex", ["has1-alias", "has2-alias"], { asks: ["has1-alias"] }),
  honest("a server in the zone's list only", ["has1"], { own: PAIR }),
  ...["has2-lost", "has2-dropsCapitals", "has2-slow", "has2-tcp"].map((has) =>
    honest(`${has} in the zone's list only`, ["has1"], { own: ["has1", has], ...hasOne }),
  ),
  honest("20 names in the zone's list only", ["has32"], {
    own: hosts("has#", 20),
    asks: ["has32"],
  }),
  honest("a server at the registry only", PAIR, { own: ["has1"] }),
  honest("different servers, all with the token", ["has1"], { own: ["has2"] }),
  honest("a dead server in the zone's list only", ["has1"], { own: ["has1", "dead1"], reads: 2 }),
];
