import { type Attack, type Honest, hosts, UNSEEN } from "./row.ts";

const DENIED = /^absent (nameserver_sync|not_published|negative_cache)$/;
const ONE_DENIED = [["not1"], ["has1"], ["has1"]];

/** The registry's list is out of date: the zone's own, which resolvers know, has a server that denies. */
export const LIST_ATTACKS: Attack[] = [
  ...["not1", "not1-lost", "not1-dropsCapitals", "not1-slow", "not1-tcp"].map(
    (not): Attack => ({
      title: `the zone also lists ${not}`,
      servers: ["has1"],
      own: ["has1", not],
      asks: ["has1"],
      comesTo: DENIED,
      names: not,
    }),
  ),
  ...["not1-dark", "not1-six"].map(
    (not): Attack => ({
      title: `the zone also lists ${not}, which one resolver reaches`,
      servers: ["has1"],
      own: ["has1", not],
      asks: ONE_DENIED,
      comesTo: UNSEEN,
    }),
  ),
  {
    title: "the zone lists only a server that denies",
    servers: ["has1"],
    own: ["not1"],
    asks: ["has1"],
    comesTo: DENIED,
  },
  {
    title: "the zone also lists a name with two addresses, of which one denies",
    servers: ["has1"],
    own: ["has1", "both1"],
    asks: ["has1"],
    comesTo: DENIED,
  },
  {
    title:
      "the zone also lists a name with ten addresses, of which the last denies, and a resolver asks that",
    servers: ["has1"],
    own: ["has1", "many1"],
    asks: ONE_DENIED,
    comesTo: UNSEEN,
  },
  {
    title: "the zone lists 40 names, of which the last denies, and a resolver asks that",
    servers: ["has1"],
    own: [...hosts("has#", 30), ...hosts("has#", 9, 32), "not1"],
    asks: ONE_DENIED,
    comesTo: UNSEEN,
  },
  {
    title: "the zone lists 30 names, of which the last denies",
    servers: ["has1"],
    own: [...hosts("has#", 29), "not1"],
    asks: ["has1"],
    comesTo: UNSEEN,
  },
  {
    title: "two of three zones' servers are known to the registry, and the third denies",
    servers: ["has1", "has2"],
    own: ["has1", "has2", "not1"],
    asks: ["has1"],
    comesTo: DENIED,
    names: "not1",
  },
  {
    title: "another name of one machine, and a server that denies",
    servers: ["vanity1"],
    own: ["has1", "not1"],
    asks: ["has1"],
    comesTo: DENIED,
    names: "not1",
  },
  {
    title: "a CNAME at the apex hides the list, and one resolver gets a denial",
    servers: ["has1-alias"],
    asks: [["not1"], ["has1-alias"], ["has1-alias"]],
    comesTo: UNSEEN,
  },
  {
    title: "questions for the list are dropped, and one resolver gets a denial",
    servers: ["has1-dropsNs"],
    asks: [["not1"], ["has1-dropsNs"], ["has1-dropsNs"]],
    comesTo: UNSEEN,
  },
  {
    title: "a CNAME at the apex hides the list, and one of two servers denies",
    servers: ["has1-alias", "not1-lost"],
    asks: ["has1-alias"],
    comesTo: DENIED,
    names: "not1-lost",
  },
];

export const LIST_HONEST: Honest[] = [
  { title: "vanity names at the registry", servers: ["vanity1", "vanity2"], own: ["has1", "has2"] },
  { title: "vanity names in the zone", servers: ["has1", "has2"], own: ["vanity1", "vanity2"] },
  {
    title: "one vanity name beside the machine's own",
    servers: ["vanity1", "has2"],
    own: ["has1", "has2"],
  },
  {
    title: "vanity names for two of three machines",
    servers: ["vanity1", "vanity2", "vanity3"],
    own: ["has1", "has2"],
  },
  { title: "a CNAME at the apex", servers: ["has1-alias", "has2-alias"], asks: ["has1-alias"] },
  { title: "a server in the zone's list only", servers: ["has1"], own: ["has1", "has2"] },
  ...["has2-lost", "has2-dropsCapitals", "has2-slow", "has2-tcp"].map(
    (has): Honest => ({
      title: `${has} in the zone's list only`,
      servers: ["has1"],
      own: ["has1", has],
      asks: ["has1"],
    }),
  ),
  {
    title: "20 names in the zone's list only",
    servers: ["has32"],
    own: hosts("has#", 20),
    asks: ["has32"],
  },
  { title: "a server at the registry only", servers: ["has1", "has2"], own: ["has1"] },
  { title: "different servers, all with the token", servers: ["has1"], own: ["has2"] },
  {
    title: "a dead server in the zone's list only",
    servers: ["has1"],
    own: ["has1", "dead1"],
    reads: 2,
  },
];
