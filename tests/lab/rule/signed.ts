import { DAY, HOUR, SECOND } from "#app/core/time.ts";
import { LABEL } from "../case.ts";
import type { Presigned } from "../zones.ts";
import { type Attack, attack, type Honest, type Resolvers, type RowZone } from "./row.ts";

/** Seconds. */
const day = DAY / SECOND;
export const NOW: Presigned = { from: -day / 2, until: day };
/** Expired half an hour ago. */
const LATE: Presigned = { from: -9 * day, until: -HOUR / SECOND / 2 };
const TXT = new RegExp(`^${LABEL}\\..*RRSIG\\s+TXT`);
const NOT_SECURE = /^(absent servfail|unresolvable)$/;
const PAIR = ["has1", "has2"];
const DROPPING = ["has1-dropsKeys", "has2-dropsKeys"];

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

/** Below a DS record, the token is on servers that cannot sign it, as on a path that somebody else answers on. */
export const SIGNED_ATTACKS: Attack[] = [
  ...(["unbound", "none", "gullible", "forged"] as const).flatMap((resolvers) => [
    ...FAULTS.map(([story, signed]) =>
      attack(`a signed zone ${story}; resolvers: ${resolvers}`, PAIR, /^absent servfail$/, {
        tld: "example",
        signed,
        resolvers,
      }),
    ),
    attack(
      `a signed zone whose DS record is taken out on the way; resolvers: ${resolvers}`,
      PAIR,
      NOT_SECURE,
      { tld: "example", uplink: "stripped", signed: { not: NOW }, resolvers },
    ),
  ]),
  ...(["none", "gullible"] as const).flatMap((resolvers) => {
    const common = { tld: "example", resolvers } as const;
    return [
      attack(
        `a signed zone whose servers drop questions for its keys; resolvers: ${resolvers}`,
        DROPPING,
        NOT_SECURE,
        { ...common, signed: { not: NOW }, asks: ["has1"] },
      ),
      attack(
        `a zone signed by its owner, whose servers drop questions for its keys; resolvers: ${resolvers}`,
        DROPPING,
        NOT_SECURE,
        { ...common, signed: { has: NOW, not: NOW }, asks: ["has1"] },
      ),
      attack(
        `a signed zone with signatures that expired half an hour ago; resolvers: ${resolvers}`,
        PAIR,
        NOT_SECURE,
        { ...common, signed: { has: LATE, not: NOW } },
      ),
      attack(
        `a signed zone, unsigned on one of two servers; resolvers: ${resolvers}`,
        ["has1", "not1-lost"],
        // Where the other is late, its silence leaves the fault of the one.
        /^absent (nameserver_sync|not_published|servfail)$/,
        { ...common, signed: { not: NOW }, asks: ["has1"], names: "not1-lost" },
      ),
    ];
  }),
];

const secure = (
  title: string,
  servers = PAIR,
  row: Partial<Honest> = {},
  resolvers: Resolvers = "unbound",
): Honest => ({ title, tld: "example", servers, signed: { has: NOW }, resolvers, ...row });
const asksOne = { asks: ["has1"] };
const OF_TWO: Partial<Honest> = { count: [2, 1, 1] };
const unsigned = { signed: undefined };

export const SIGNED_HONEST: Honest[] = [
  secure("a signed zone"),
  secure("a signed zone, without resolvers", PAIR, {}, "none"),
  ...(["tls", "https"] as const).map((resolvers) =>
    secure(`a signed zone; resolvers: ${resolvers}`, PAIR, {}, resolvers),
  ),
  secure("a signed zone, one of two servers dead", ["has1", "dead1"], OF_TWO),
  secure(
    "a signed zone, one of two servers dead, without resolvers",
    ["has1", "dead1"],
    OF_TWO,
    "none",
  ),
  secure("a signed zone, one of two servers mute", ["has1", "has2-mute"], {
    ...asksOne,
    ...OF_TWO,
  }),
  secure("a signed zone, one server with IPv6 only", ["has1", "has2-six"], OF_TWO),
  secure("a signed zone whose UDP answers are lost", ["has1-lost", "has2-lost"], asksOne),
  secure("a signed zone, whose servers drop our questions for its keys", DROPPING, asksOne),
  secure("a signed zone, one of two servers drops questions for its keys", [
    "has1",
    "has2-dropsKeys",
  ]),
  secure("a signed zone with signatures that expired half an hour ago", PAIR, {
    signed: { has: LATE },
  }),
  secure("an unsigned zone below a signed registry", PAIR, unsigned),
  secure("an unsigned zone below a signed registry, without resolvers", PAIR, unsigned, "none"),
];
