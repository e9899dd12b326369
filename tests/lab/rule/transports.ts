import { type Attack, hosts, PARTIAL } from "./row.ts";

const WAYS = [
  ["hasOverUdp", "the token over UDP, and a denial over TCP", PARTIAL],
  // A denial over UDP is a denial: nobody asks again over TCP.
  ["hasOverTcp", "a denial over UDP, and the token over TCP", /^absent record_absent$/],
] as const;

/** Servers whose UDP and TCP disagree. */
export const TRANSPORT_ATTACKS: Attack[] = WAYS.flatMap(([manner, story, comesTo]): Attack[] => [
  { title: `one server: ${story}`, servers: [`not1-${manner}`], asks: ["has1"], comesTo },
  {
    title: `one server, without resolvers: ${story}`,
    servers: [`not1-${manner}`],
    resolvers: "none",
    comesTo,
  },
  {
    title: `two servers, past the zone's refresh: ${story}`,
    servers: hosts(`not#-${manner}`, 2),
    asks: ["has1"],
    refresh: 60,
    comesTo,
  },
  {
    title: `two servers, one dead: ${story}`,
    servers: [`not1-${manner}`, "dead1"],
    asks: ["has1"],
    comesTo,
  },
]);
