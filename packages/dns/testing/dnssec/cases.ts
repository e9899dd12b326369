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

const a = (name: string, change: Partial<Case> = {}): Case => ({ ...base, name, ...change });
/** One whose judgement is that. */
const judged = (name: string, expected: Expected, change: Partial<Case>): Case =>
  a(name, { ...change, expected });

const signers = ["bind", "knot"] as const;
const denials = ["nsec", "nsec3", "opt-out"] as const;

const signed = signers.flatMap((signer) =>
  [8, 10, 13, 14, 15, 16].flatMap((algorithm) =>
    denials.map((denial) => a(`${signer}-${algorithm}-${denial}`, { signer, algorithm, denial })),
  ),
);

const wildcards = signers.flatMap((signer) =>
  denials.map((denial) =>
    judged(`wildcard-${signer}-${denial}`, denial === "opt-out" ? "insecure opt_out" : "secure", {
      signer,
      denial,
      records: ["* TXT %", "other A 192.0.2.1"],
      asked: `${LABEL}.deep`,
    }),
  ),
);

/** `deep` has no records and a name below it, so the wildcard does not stand for what is under it. */
const emptyNames = (["nsec", "nsec3"] as const).map((denial) =>
  a(`empty-${denial}`, {
    denial,
    records: ["* TXT %", "x.deep A 192.0.2.1", "sub NS ns.test."],
    asked: `${LABEL}.other`,
    also: [`${LABEL}.deep`, `${LABEL}.sub`],
  }),
);

const rollovers = [
  a("two-ksk-both-ds", { keys: [ksk(13), ksk(13), zsk(13)] }),
  a("two-ksk-old-ds", { keys: [ksk(13), ksk(13, [], true), zsk(13)] }),
  a("two-ksk-new-ds", { keys: [ksk(13, [], true), ksk(13), zsk(13)] }),
  judged("ds-of-idle-ksk", "bogus signatures_missing", {
    keys: [ksk(13, [], true), ksk(13, LATER), zsk(13)],
  }),
  a("zsk-prepublished", { keys: [ksk(13), zsk(13), zsk(13, LATER)] }),
  a("zsk-retired", { keys: [ksk(13), zsk(13), zsk(13, FORMER)] }),
  a("two-zsk-signing", { keys: [ksk(13), zsk(13), zsk(13)] }),
  a("algorithm-rollover", { keys: [ksk(8), zsk(8), ksk(13), zsk(13)] }),
  a("algorithm-rollover-old-ds", { keys: [ksk(8), zsk(8), ksk(13, [], true), zsk(13)] }),
  a("one-key", { keys: [ksk(15), zsk(15)], algorithm: 15 }),
  judged("ksk-revoked", "bogus ds_matches_no_key", {
    keys: [ksk(13, ["-R", "now-1d"]), ksk(13, [], true), zsk(13)],
  }),
];

const STRANGER = () => [`60485 13 2 ${"d4b7d520".repeat(8)}`];
const eachDs = (change: (line: string) => string) => (lines: string[]) => lines.map(change);
const faults = [
  judged("expired", "bogus signatures_expired", { days: [-40, -10] }),
  judged("not-yet-valid", "bogus signatures_not_yet_valid", { days: [10, 40] }),
  judged("wrong-digest", "bogus ds_matches_no_key", {
    ds: eachDs((line) => line.replace(/.$/, (last) => (last === "0" ? "1" : "0"))),
  }),
  judged("ds-of-a-stranger", "bogus ds_matches_no_key", { ds: STRANGER }),
  judged("ds-without-keys", "bogus ds_without_keys", { signer: null, ds: STRANGER }),
  judged("record-unsigned", "bogus signatures_missing", { without: /RRSIG\s+TXT/ }),
  judged("keys-unsigned", "bogus signatures_missing", { without: /RRSIG\s+DNSKEY/ }),
  judged("record-forged", "bogus signatures_invalid", {
    records: [`${LABEL} TXT %`],
    without: /^$/,
  }),
];

const withoutDs = { ds: () => [] };
const delegations = [
  ...(
    [
      ["test", "insecure unsigned"],
      ["hash", "insecure unsigned"],
      ["gaps", "insecure opt_out"],
      ["slow", "insecure iterations"],
    ] as const
  ).flatMap(([parent, expected]) => [
    a("child", { parent }),
    judged("signed-without-ds", expected, { parent, ...withoutDs }),
    judged("unsigned", expected, { parent, signer: null, ...withoutDs }),
  ]),
  a("child", { parent: "co.test" }),
  judged("unsigned", "insecure unsigned", { parent: "co.test", signer: null, ...withoutDs }),
  a("deep.below", { records: [`${LABEL} TXT %`] }),
  a("apex", { records: ["@ TXT %"], asked: "@" }),
  a("many-strings", { records: [`${LABEL} TXT "other" "strings"`, `${LABEL} TXT %`] }),
  a("sha-384", { digest: "SHA-384" }),
  judged("sha-1-alone", "insecure ds_unsupported", {
    digest: "SHA-1",
    differs: "delv and unbound still take SHA-1 (RFC 8624 section 3.3); we refuse it",
  }),
  a("sha-1-wrong-beside", {
    ds: (lines) => [...lines, lines[0]?.replace(/ 2 .*/, ` 1 ${"00".repeat(20)}`) ?? ""],
  }),
  judged("unknown-algorithm", "insecure ds_unsupported", {
    ds: eachDs((line) => line.replace(/ 13 /, " 200 ")),
  }),
  judged("unknown-digest", "insecure ds_unsupported", {
    ds: eachDs((line) => line.replace(/ 2 /, " 77 ")),
  }),
  a("many-iterations", { signer: "knot", denial: "nsec3", iterations: 500 }),
  judged("many-iterations-wildcard", "insecure iterations", {
    signer: "knot",
    denial: "nsec3",
    iterations: 500,
    records: ["* TXT %"],
  }),
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
