import { type Attack, attack, type Honest, honest, hosts, UNSEEN } from "./row.ts";

const DENIED = /^absent (nameserver_sync|not_published|negative_cache)$/;
const ONE_DENIED = [["not1"], ["has1"], ["has1"]];

/** The registry's list is out of date: the zone's own, which resolvers know, has a server that denies. */
export const LIST_ATTACKS: Attack[] = [
  ...["not1", "not1-lost", "not1-dropsCapitals", "not1-slow", "not1-tcp"].map(
    (not): Attack =>
      attack(`the zone also lists ${not}`, ["has1"], DENIED, {
        own: ["has1", not],
        asks: ["has1"],
        names: not,
      }),
  ),
  ...["not1-dark", "not1-six"].map(
    (not): Attack =>
      attack(`the zone also lists ${not}, which one resolver reaches`, ["has1"], UNSEEN, {
        own: ["has1", not],
        asks: ONE_DENIED,
      }),
  ),
  attack("the zone lists only a server that denies", ["has1"], DENIED, {
    own: ["not1"],
    asks: ["has1"],
  }),
  attack("the zone also lists a name with two addresses, of which one denies", ["has1"], DENIED, {
    own: ["has1", "both1"],
    asks: ["has1"],
  }),
  attack(
    "the zone also lists a name with ten addresses, of which the last denies, and a resolver asks that",
    ["has1"],
    UNSEEN,
    { own: ["has1", "many1"], asks: ONE_DENIED },
  ),
  attack(
    "the zone lists 40 names, of which the last denies, and a resolver asks that",
    ["has1"],
    UNSEEN,
    { own: [...hosts("has#", 30), ...hosts("has#", 9, 32), "not1"], asks: ONE_DENIED },
  ),
  attack("the zone lists 30 names, of which the last denies", ["has1"], UNSEEN, {
    own: [...hosts("has#", 29), "not1"],
    asks: ["has1"],
  }),
  attack(
    "two of three zones' servers are known to the registry, and the third denies",
    ["has1", "has2"],
    DENIED,
    { own: ["has1", "has2", "not1"], asks: ["has1"], names: "not1" },
  ),
  attack("another name of one machine, and a server that denies", ["vanity1"], DENIED, {
    own: ["has1", "not1"],
    asks: ["has1"],
    names: "not1",
  }),
  attack(
    "a CNAME at the apex hides the list, and one resolver gets a denial",
    ["has1-alias"],
    UNSEEN,
    { asks: [["not1"], ["has1-alias"], ["has1-alias"]] },
  ),
  attack(
    "questions for the list are dropped, and one resolver gets a denial",
    ["has1-dropsNs"],
    UNSEEN,
    { asks: [["not1"], ["has1-dropsNs"], ["has1-dropsNs"]] },
  ),
  attack(
    "a CNAME at the apex hides the list, and one of two servers denies",
    ["has1-alias", "not1-lost"],
    DENIED,
    { asks: ["has1-alias"], names: "not1-lost" },
  ),
];

export const LIST_HONEST: Honest[] = [
  honest("vanity names at the registry", ["vanity1", "vanity2"], { own: ["has1", "has2"] }),
  honest("vanity names in the zone", ["has1", "has2"], { own: ["vanity1", "vanity2"] }),
  honest("one vanity name beside the machine's own", ["vanity1", "has2"], {
    own: ["has1", "has2"],
  }),
  honest("vanity names for two of three machines", ["vanity1", "vanity2", "vanity3"], {
    own: ["has1", "has2"],
  }),
  honest("a CNAME at the apex", ["has1-alias", "has2-alias"], { asks: ["has1-alias"] }),
  honest("a server in the zone's list only", ["has1"], { own: ["has1", "has2"] }),
  ...["has2-lost", "has2-dropsCapitals", "has2-slow", "has2-tcp"].map(
    (has): Honest =>
      honest(`${has} in the zone's list only`, ["has1"], { own: ["has1", has], asks: ["has1"] }),
  ),
  honest("20 names in the zone's list only", ["has32"], {
    own: hosts("has#", 20),
    asks: ["has32"],
  }),
  honest("a server at the registry only", ["has1", "has2"], { own: ["has1"] }),
  honest("different servers, all with the token", ["has1"], { own: ["has2"] }),
  honest("a dead server in the zone's list only", ["has1"], { own: ["has1", "dead1"], reads: 2 }),
];
