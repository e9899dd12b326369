import { FOREIGN, LABEL, longRecords, record, TOKEN } from "../case.ts";
import { rows } from "./row.ts";

const from2To20 = Array.from({ length: 19 }, (_, at) => at + 2);
const half = (count: number) => Math.floor(count / 2);

/** Names with the token sort before those without. */
export const SPLIT_ATTACKS = [
  ...rows("the only server | not1 | comesTo=record_absent"),
  ...from2To20.flatMap((count) =>
    rows(
      `
the last of ${count} | has1..${count - 1} not1 | names=not1
half of ${count}, whose UDP answers are lost \
| has1..${count - half(count)} not1..${half(count)}-lost | names=not1-lost`,
      "comesTo=partial",
    ),
  ),
  ...rows(
    `
seven of 20 (not#), behind thirteen that lie | has1..13 not1..7 | names=not1
seven of 20 (not#-lost), behind thirteen that lie | has1..13 not1..7-lost | names=not1-lost
seven of 20 (not#-slow), behind thirteen that lie | has1..13 not1..7-slow | names=not1-slow
the last of 32 | has1..30 has32 not1 | names=not1`,
    "comesTo=partial",
  ),
  ...rows(`
seven of 20 that answer only resolvers, behind thirteen that lie \
| has1..13 not1..7-dark | asks=not1/has1/has1 comesTo=unseen
the last of 40, but one resolver of three \
| has1..30 has32..39 not1..2 | asks=has1/not1/has1 comesTo=unseen`),
];

export const SPLIT_HONEST = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 16, 18, 20, 30].flatMap((count) =>
    rows(`${count} servers | has1..${count}`),
  ),
  ...rows("32 servers | has1..30 has32..33"),
  ...[2, 3, 4, 6, 8, 13, 20].flatMap((count) => {
    const alive = count - half(count);
    return rows(`
${count} servers, ${half(count)} of them dead | has1..${alive} dead1..${half(count)} \
| count=${count},${alive},${alive} reads=2`);
  }),
  ...["mute", "failsAll", "refusesAll"].flatMap((manner) =>
    rows(`
two servers, of which one is ${manner} | has1 not1-${manner} | asks=has1 count=2,1,1 reads=2`),
  ),
];

const WAYS = [
  ["hasOverUdp", "the token over UDP, and a denial over TCP", "partial"],
  // A denial over UDP counts: nobody asks again over TCP.
  ["hasOverTcp", "a denial over UDP, and the token over TCP", "record_absent"],
];

/** Servers with different answers over UDP and TCP. */
export const TRANSPORT_ATTACKS = WAYS.flatMap(([manner, story, comesTo]) =>
  rows(
    `
one server: ${story} | not1-${manner} | asks=has1
one server, without resolvers: ${story} | not1-${manner} | resolvers=none
two servers, past the zone's refresh: ${story} | not1..2-${manner} | asks=has1 refresh=60
two servers, one dead: ${story} | not1-${manner} dead1 | asks=has1`,
    `comesTo=${comesTo}`,
  ),
);

const has = (...records: string[]) => records.map((one) => `has: ${one}`).join("\n");
/** Records in unusual forms. */
export const ODDITIES = rows(`
a record of several strings | has1..2
has: ${LABEL} TXT "${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}"
several records | has1..2
${has(record(TOKEN), record("v=spf1 -all"), record(FOREIGN))}
a wildcard | has1..2
has: * TXT
an answer too long for a datagram | has1..2
${has(record(TOKEN), ...longRecords(8))}
servers without EDNS, and a long answer | has1-withoutEdns
${has(record(TOKEN), ...longRecords(4))}`);
