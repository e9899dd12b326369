import { type Attack, attack, hosts, PARTIAL } from "./row.ts";

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
