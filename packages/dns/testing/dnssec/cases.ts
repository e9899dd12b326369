/** What a case's verdict must be, and the type of its reason. */
export type Expected =
  | "secure"
  | `insecure ${"unsigned" | "opt_out" | "ds_unsupported" | "iterations"}`
  | `bogus ${string}`;

type Denial = "nsec" | "nsec3" | "opt-out";

/** A key of a zone: BIND's options besides the algorithm, "KSK" for one with a DS record. */
type ZoneKey = { role: "KSK" | "ZSK"; algorithm: number; options?: string[]; withoutDs?: boolean };

/** A zone below `parent` with a TXT record at `asked`, how it is signed, and what is judged. */
export type Case = {
  name: string;
  parent: string;
  signer: "bind" | "knot" | null;
  algorithm: number;
  expected: Expected;
  denial?: Denial;
  iterations?: number;
  /** BIND's keys, instead of one KSK and one ZSK of the algorithm. */
  keys?: ZoneKey[];
  /** Zone file lines instead of the TXT record at the challenge name. */
  records?: string[];
  /** The name asked, relative to the zone. */
  asked?: string;
  /** More names asked for TXT, relative to the zone: their denials come with the messages. */
  also?: string[];
  /** Days from now in which BIND's signatures are valid. */
  days?: [from: number, until: number];
  /** Changes the DS records for the parent. */
  ds?: (lines: string[]) => string[];
  /** Digest of the DS records: BIND's name of it. */
  digest?: string;
  /** Leaves these lines out of the signed zone. */
  without?: RegExp;
  /** Why a yardstick differs, if one does. */
  differs?: string;
};

/** The zones above the cases', below the root or each other; those below first. */
export const TLDS = [
  { name: "co.test", denial: "nsec3", signer: "knot", algorithm: 15 },
  { name: "test", denial: "nsec", signer: "knot", algorithm: 13 },
  { name: "hash", denial: "nsec3", signer: "knot", algorithm: 13, iterations: 3 },
  { name: "gaps", denial: "opt-out", signer: "bind", algorithm: 8 },
  { name: "slow", denial: "nsec3", signer: "knot", algorithm: 13, iterations: 500 },
] as const;

export const LABEL = "_service-challenge";
const base = { parent: "test", signer: "bind", algorithm: 13, expected: "secure" } as const;
const ksk = (algorithm: number, options: string[] = [], withoutDs = false): ZoneKey => ({
  role: "KSK",
  algorithm,
  options,
  withoutDs,
});
const zsk = (algorithm: number, options: string[] = []): ZoneKey => ({
  role: "ZSK",
  algorithm,
  options,
});
const LATER = ["-P", "now-1d", "-A", "now+300d"];
const FORMER = ["-P", "now-90d", "-A", "now-90d", "-I", "now-1d", "-D", "now+90d"];

const signed: Case[] = (["bind", "knot"] as const).flatMap((signer) =>
  [8, 10, 13, 14, 15, 16].flatMap((algorithm) =>
    (["nsec", "nsec3", "opt-out"] as const).map((denial) => ({
      ...base,
      name: `${signer}-${algorithm}-${denial}`,
      signer,
      algorithm,
      denial,
    })),
  ),
);

const wildcards: Case[] = (["bind", "knot"] as const).flatMap((signer) =>
  (["nsec", "nsec3", "opt-out"] as const).map((denial) => ({
    ...base,
    name: `wildcard-${signer}-${denial}`,
    signer,
    denial,
    records: ["* TXT %", "other A 192.0.2.1"],
    asked: `${LABEL}.deep`,
    expected: denial === "opt-out" ? ("insecure opt_out" as const) : ("secure" as const),
  })),
);

/** `deep` has no records and a name below it, so the wildcard does not stand for what is under it. */
const emptyNames: Case[] = (["nsec", "nsec3"] as const).map((denial) => ({
  ...base,
  name: `empty-${denial}`,
  denial,
  records: ["* TXT %", "x.deep A 192.0.2.1", "sub NS ns.test."],
  asked: `${LABEL}.other`,
  also: [`${LABEL}.deep`, `${LABEL}.sub`],
}));

const rollovers: Case[] = [
  { ...base, name: "two-ksk-both-ds", keys: [ksk(13), ksk(13), zsk(13)] },
  { ...base, name: "two-ksk-old-ds", keys: [ksk(13), ksk(13, [], true), zsk(13)] },
  { ...base, name: "two-ksk-new-ds", keys: [ksk(13, [], true), ksk(13), zsk(13)] },
  {
    ...base,
    name: "ds-of-idle-ksk",
    keys: [ksk(13, [], true), ksk(13, LATER), zsk(13)],
    expected: "bogus signatures_missing",
  },
  { ...base, name: "zsk-prepublished", keys: [ksk(13), zsk(13), zsk(13, LATER)] },
  { ...base, name: "zsk-retired", keys: [ksk(13), zsk(13), zsk(13, FORMER)] },
  { ...base, name: "two-zsk-signing", keys: [ksk(13), zsk(13), zsk(13)] },
  { ...base, name: "algorithm-rollover", keys: [ksk(8), zsk(8), ksk(13), zsk(13)] },
  {
    ...base,
    name: "algorithm-rollover-old-ds",
    keys: [ksk(8), zsk(8), ksk(13, [], true), zsk(13)],
  },
  { ...base, name: "one-key", keys: [ksk(15), zsk(15)], algorithm: 15 },
  {
    ...base,
    name: "ksk-revoked",
    keys: [ksk(13, ["-R", "now-1d"]), ksk(13, [], true), zsk(13)],
    expected: "bogus ds_matches_no_key",
  },
];

const faults: Case[] = [
  { ...base, name: "expired", days: [-40, -10], expected: "bogus signatures_expired" },
  { ...base, name: "not-yet-valid", days: [10, 40], expected: "bogus signatures_not_yet_valid" },
  {
    ...base,
    name: "wrong-digest",
    ds: (lines) => lines.map((line) => line.replace(/.$/, (last) => (last === "0" ? "1" : "0"))),
    expected: "bogus ds_matches_no_key",
  },
  {
    ...base,
    name: "ds-of-a-stranger",
    ds: () => [`60485 13 2 ${"d4b7d520".repeat(8)}`],
    expected: "bogus ds_matches_no_key",
  },
  {
    ...base,
    name: "ds-without-keys",
    signer: null,
    ds: () => [`60485 13 2 ${"d4b7d520".repeat(8)}`],
    expected: "bogus ds_without_keys",
  },
  {
    ...base,
    name: "record-unsigned",
    without: /RRSIG\s+TXT/,
    expected: "bogus signatures_missing",
  },
  {
    ...base,
    name: "keys-unsigned",
    without: /RRSIG\s+DNSKEY/,
    expected: "bogus signatures_missing",
  },
  {
    ...base,
    name: "record-forged",
    records: [`${LABEL} TXT %`],
    without: /^$/,
    expected: "bogus signatures_invalid",
  },
];

const delegations: Case[] = [
  ...(["test", "hash", "gaps", "slow"] as const).flatMap((parent): Case[] => [
    { ...base, name: `child`, parent },
    {
      ...base,
      name: `signed-without-ds`,
      parent,
      ds: () => [],
      expected:
        parent === "gaps"
          ? "insecure opt_out"
          : parent === "slow"
            ? "insecure iterations"
            : "insecure unsigned",
    },
    {
      ...base,
      name: `unsigned`,
      parent,
      signer: null,
      ds: () => [],
      expected:
        parent === "gaps"
          ? "insecure opt_out"
          : parent === "slow"
            ? "insecure iterations"
            : "insecure unsigned",
    },
  ]),
  { ...base, name: "child", parent: "co.test" },
  {
    ...base,
    name: "unsigned",
    parent: "co.test",
    signer: null,
    ds: () => [],
    expected: "insecure unsigned",
  },
  { ...base, name: "deep.below", records: [`${LABEL} TXT %`] },
  { ...base, name: "apex", records: ["@ TXT %"], asked: "@" },
  { ...base, name: "many-strings", records: [`${LABEL} TXT "other" "strings"`, `${LABEL} TXT %`] },
  { ...base, name: "sha-384", digest: "SHA-384" },
  {
    ...base,
    name: "sha-1-alone",
    digest: "SHA-1",
    expected: "insecure ds_unsupported",
    differs: "delv and unbound still take SHA-1 (RFC 8624 section 3.3); we refuse it",
  },
  {
    ...base,
    name: "sha-1-wrong-beside",
    ds: (lines) => [...lines, lines[0]?.replace(/ 2 .*/, ` 1 ${"00".repeat(20)}`) ?? ""],
  },
  {
    ...base,
    name: "unknown-algorithm",
    ds: (lines) => lines.map((line) => line.replace(/ 13 /, " 200 ")),
    expected: "insecure ds_unsupported",
  },
  {
    ...base,
    name: "unknown-digest",
    ds: (lines) => lines.map((line) => line.replace(/ 2 /, " 77 ")),
    expected: "insecure ds_unsupported",
  },
  {
    ...base,
    name: "many-iterations",
    signer: "knot",
    denial: "nsec3",
    iterations: 500,
  },
  {
    ...base,
    name: "many-iterations-wildcard",
    signer: "knot",
    denial: "nsec3",
    iterations: 500,
    records: ["* TXT %"],
    expected: "insecure iterations",
  },
];

export const CASES: Case[] = [
  ...signed,
  ...wildcards,
  ...emptyNames,
  ...rollovers,
  ...faults,
  ...delegations,
];
/** The zones from the root down to a case's. */
export const zonesOf = (one: Case): string[] => [
  ".",
  ...(one.parent.endsWith(".test") ? ["test"] : []),
  one.parent,
  zoneOf(one),
];
export const zoneOf = ({ name, parent }: Case) => `${name}.${parent}`;
export const askedOf = (one: Case) =>
  one.asked === "@" ? zoneOf(one) : `${one.asked ?? LABEL}.${zoneOf(one)}`;
export const tokenOf = (one: Case) => `token-of-${zoneOf(one)}`;
