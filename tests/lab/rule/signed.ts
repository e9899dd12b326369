import { rows } from "./row.ts";

const FAULTS = [
  ["without any signature", "signed=not:now"],
  ["with a wrong signature", "signed=has:spoiled,not:now"],
  ["without the record's signature", "signed=has:without,not:now"],
  ["with signatures that expired two days ago", "signed=has:expired,not:now"],
  ["with signatures of the day after tomorrow", "signed=has:early,not:now"],
  ["signed by other keys", "signed=has:now,not:now ds=foreign"],
];

/** Below a DS record, the token is on servers that cannot sign it, as if somebody else answered on the path. */
export const SIGNED_ATTACKS = [
  ...["unbound", "none", "gullible", "forged"].flatMap((resolvers) =>
    rows(
      `
${FAULTS.map(([story, signed]) => `a signed zone ${story}; resolvers: ${resolvers} | has1..2 | ${signed}`).join("\n")}
a signed zone unsigned below another's DS record; resolvers: ${resolvers} | has1..2 | ds=foreign
a signed zone whose DS record is taken out on the way; resolvers: ${resolvers} \
| has1..2 | uplink=stripped signed=not:now comesTo=not_secure`,
      `tld=example resolvers=${resolvers} comesTo=servfail`,
    ),
  ),
  // If the second server is late, only the first one's fault is left.
  ...["none", "gullible"].flatMap((resolvers) =>
    rows(
      `
a signed zone whose servers drop questions for its keys; resolvers: ${resolvers} \
| has1..2-dropsKeys | signed=not:now asks=has1
a zone signed by its owner, whose servers drop questions for its keys; resolvers: ${resolvers} \
| has1..2-dropsKeys | signed=has:now,not:now asks=has1
a signed zone with signatures that expired half an hour ago; resolvers: ${resolvers} \
| has1..2 | signed=has:late,not:now
a signed zone, unsigned on one of two servers; resolvers: ${resolvers} \
| has1 not1-lost | signed=not:now asks=has1 names=not1-lost comesTo=partial_or_servfail`,
      `tld=example resolvers=${resolvers} comesTo=not_secure`,
    ),
  ),
];

export const SIGNED_HONEST = [
  ...rows(
    `
a signed zone | has1..2
a signed zone, without resolvers | has1..2 | resolvers=none
a signed zone; resolvers: tls | has1..2 | resolvers=tls
a signed zone; resolvers: https | has1..2 | resolvers=https
a signed zone, one of two servers dead | has1 dead1 | count=2,1,1
a signed zone, one of two servers dead, without resolvers | has1 dead1 | count=2,1,1 resolvers=none
a signed zone, one of two servers mute | has1 has2-mute | asks=has1 count=2,1,1
a signed zone, one server with IPv6 only | has1 has2-six | count=2,1,1
a signed zone whose UDP answers are lost | has1..2-lost | asks=has1
a signed zone, whose servers drop our questions for its keys | has1..2-dropsKeys | asks=has1
a signed zone, one of two servers drops questions for its keys | has1 has2-dropsKeys
a signed zone with signatures that expired half an hour ago | has1..2 | signed=has:late`,
    "tld=example signed=has:now",
  ),
  ...rows(
    `
an unsigned zone below a signed registry | has1..2
an unsigned zone below a signed registry, without resolvers | has1..2 | resolvers=none`,
    "tld=example",
  ),
];
