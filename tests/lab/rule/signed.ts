import { DAY, HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import { LABEL } from "../case.ts";
import type { Presigned } from "../zones.ts";
import { type Attack, attack, type Honest, type Resolvers, type RowZone } from "./row.ts";

const seconds = (ms: number) => ms / SECOND;
const day = seconds(DAY);
export const NOW: Presigned = { from: -day, until: day };
const TXT = new RegExp(`^${LABEL}\\..*RRSIG\\s+TXT`);
const SERVFAIL = /^absent servfail$/;
const NOT_SECURE = /^(absent servfail|unresolvable)$/;

const FAULTS: [story: string, signed: NonNullable<RowZone["signed"]>][] = [
  ["without any signature", { not: NOW }],
  ["with a wrong signature", { has: { ...NOW, spoiled: TXT }, not: NOW }],
  ["without the record's signature", { has: { ...NOW, without: TXT }, not: NOW }],
  [
    "with signatures that expired two days ago",
    { has: { from: -9 * day, until: -2 * day }, not: NOW },
  ],
  [
    "with signatures of the day after tomorrow",
    { has: { from: 2 * day, until: 9 * day }, not: NOW },
  ],
  ["signed by other keys", { has: NOW, not: NOW, ds: "foreign" }],
  ["unsigned below another's DS record", { ds: "foreign" }],
];
const LATE: Presigned = { from: -9 * day, until: -seconds(MINUTE) * 30 };

/** Below a DS record, the token is on servers that cannot sign it, as on a path that somebody else answers on. */
export const SIGNED_ATTACKS: Attack[] = [
  ...FAULTS.flatMap(([story, signed]) =>
    (["unbound", "none", "gullible", "forged"] as const).map(
      (resolvers): Attack =>
        attack(`a signed zone ${story}; resolvers: ${resolvers}`, ["has1", "has2"], SERVFAIL, {
          tld: "example",
          signed,
          resolvers,
        }),
    ),
  ),
  ...(["unbound", "none", "gullible", "forged"] as const).map(
    (resolvers): Attack =>
      attack(
        `a signed zone whose DS record is taken out on the way; resolvers: ${resolvers}`,
        ["has1", "has2"],
        /^(absent servfail|unresolvable)$/,
        { tld: "example", uplink: "stripped", signed: { not: NOW }, resolvers },
      ),
  ),
  ...(["none", "gullible"] as const).flatMap((resolvers): Attack[] => [
    attack(
      `a signed zone whose servers drop questions for its keys; resolvers: ${resolvers}`,
      ["has1-dropsKeys", "has2-dropsKeys"],
      NOT_SECURE,
      { tld: "example", signed: { not: NOW }, resolvers, asks: ["has1"] },
    ),
    attack(
      `a zone signed by its owner, whose servers drop questions for its keys; resolvers: ${resolvers}`,
      ["has1-dropsKeys", "has2-dropsKeys"],
      NOT_SECURE,
      { tld: "example", signed: { has: NOW, not: NOW }, resolvers, asks: ["has1"] },
    ),
    attack(
      `a signed zone with signatures that expired half an hour ago; resolvers: ${resolvers}`,
      ["has1", "has2"],
      NOT_SECURE,
      { tld: "example", signed: { has: LATE, not: NOW }, resolvers },
    ),
    {
      title: `a signed zone, unsigned on one of two servers; resolvers: ${resolvers}`,
      tld: "example",
      servers: ["has1", "not1-lost"],
      signed: { not: NOW },
      resolvers,
      asks: ["has1"],
      // Where the other is late, its silence leaves the fault of the one.
      comesTo: /^absent (nameserver_sync|not_published|servfail)$/,
      names: "not1-lost",
    },
  ]),
];

const secure = (
  title: string,
  row: Partial<Honest> = {},
  resolvers: Resolvers = "unbound",
): Honest => ({
  title,
  tld: "example",
  servers: ["has1", "has2"],
  signed: { has: NOW },
  resolvers,
  ...row,
});

export const SIGNED_HONEST: Honest[] = [
  secure("a signed zone"),
  secure("a signed zone, without resolvers", {}, "none"),
  ...(["relayedTls", "relayedHttps"] as const).map((resolvers) =>
    secure(`a signed zone; resolvers: ${resolvers}`, {}, resolvers),
  ),
  secure("a signed zone, one of two servers dead", {
    servers: ["has1", "dead1"],
    count: [2, 1, 1],
  }),
  secure(
    "a signed zone, one of two servers dead, without resolvers",
    { servers: ["has1", "dead1"], count: [2, 1, 1] },
    "none",
  ),
  secure("a signed zone, one of two servers mute", {
    servers: ["has1", "has2-mute"],
    asks: ["has1"],
    count: [2, 1, 1],
  }),
  secure("a signed zone, one server with IPv6 only", {
    servers: ["has1", "has2-six"],
    count: [2, 1, 1],
  }),
  secure("a signed zone whose UDP answers are lost", {
    servers: ["has1-lost", "has2-lost"],
    asks: ["has1"],
  }),
  secure("a signed zone, whose servers drop our questions for its keys", {
    servers: ["has1-dropsKeys", "has2-dropsKeys"],
    asks: ["has1"],
  }),
  secure("a signed zone, one of two servers drops questions for its keys", {
    servers: ["has1", "has2-dropsKeys"],
  }),
  secure("a signed zone with signatures that expired half an hour ago", {
    signed: { has: { from: -9 * day, until: -seconds(HOUR) / 2 } },
  }),
  secure("an unsigned zone below a signed registry", { signed: undefined }),
  secure(
    "an unsigned zone below a signed registry, without resolvers",
    { signed: undefined },
    "none",
  ),
];
