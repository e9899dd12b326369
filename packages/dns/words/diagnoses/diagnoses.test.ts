import { describe, expect, it } from "vitest";
import type { Provider } from "../../names.ts";
import { observation, TOKEN, values, witnesses } from "../../testing/observations.ts";
import {
  type Awaits,
  DIAGNOSIS_CODES,
  type Diagnosis,
  type DiagnosisCode,
  type FailedNameserver,
  type ObservedByCode,
  type OtherAnswer,
  type ResolverFault,
} from "../../verdict/diagnosis.ts";
import {
  FAILURES,
  type Failure,
  NEAR_MISS_KINDS,
  type NearMissKind,
  PARKED,
  REASONS,
} from "../../verdict/observation.ts";
import { EXAMPLE_LOCATION } from "../diagnosis-text.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "../providers.ts";
import { DIAGNOSES, exampleOf, explain, headlineOf } from "./diagnoses.ts";
import { awaitedSentence, noListSentence } from "./publication.ts";

type Facts<C extends DiagnosisCode> = [
  what: string,
  observed: ObservedByCode[C],
  awaits?: Awaits,
  zone?: string,
];

const at = { zone: "acme.com" };
const ds = { ...at, secondsRemembered: 86_400 };
const expired = { expiredAt: "2026-03-12T14:00:00.000Z" };
const later = { validFrom: "2026-03-12T14:00:00.000Z" };
const FAULTS: ResolverFault[] = [
  { type: "unreachable" },
  { type: "no_udp" },
  { type: "filtered" },
  { type: "unsigned", ...at },
  { type: "ds_without_keys", dsKeyTags: [60485], ...ds },
  { type: "ds_without_keys", dsKeyTags: [1, 2], ...ds, zone: "shop.acme.com", parent: "acme.com" },
  { type: "ds_matches_no_key", dsKeyTags: [7], keyTags: [8, 9], ...ds },
  { type: "ds_matches_no_key", dsKeyTags: [1, 2], keyTags: [3], ...ds, zone: "above.com" },
  { type: "ds_matches_no_key", dsKeyTags: [7], keyTags: [7], ...ds },
  { type: "ds_matches_no_key", dsKeyTags: [7, 8], keyTags: [8, 7, 9], ...ds },
  { type: "signatures_expired", ...at, ...expired },
  { type: "signatures_not_yet_valid", zone: "above.com", ...later },
  { type: "signatures_missing", ...at },
  { type: "signatures_invalid", ...at },
  { type: "keys_unanswered", ...at },
  { type: "denial_missing", ...at },
  { type: "capitals", ...at },
  { type: "denial_missing", zone: "above.com" },
];
const OWN = { resolvers: [], extendedErrors: [] };
const failing = { resolvers: ["north", "east"], extendedErrors: [] };
const fault = (fault: ResolverFault, awaits: Awaits = "provider"): Facts<"servfail"> => [
  `${fault.type} of ${"zone" in fault ? fault.zone : "no zone"}`,
  { ...failing, extendedErrors: [{ code: 9, text: "<b>raw" }], fault },
  awaits,
];
const reasons = (...codes: number[]): Facts<"servfail"> => [
  `no known fault, reasons ${codes}`,
  { ...failing, extendedErrors: codes.map((code) => ({ code, text: "<b>raw" })) },
  "provider",
];

const failed = (...results: Failure[]): FailedNameserver[] =>
  results.map((result, index) => ({ host: `ns${index + 1}.dns.test`, result }));
const lame = (...results: Failure[]): Facts<"lame_delegation"> => [
  results.join(", ") || "no nameservers",
  { nameservers: failed(...results) },
  results.length > 0 ? "provider" : "registrar",
];

const listed = (result: Failure, hosts: string[], more: Partial<FailedNameserver> = {}) => ({
  nameservers: hosts.map((host) => ({ host, result, ...more })),
});
const target = { target: "real.dns.test" };
const GONE = { reason: "unregistered" } as const;
const UNGLUED = { host: "ns1.acme.com", result: "no_address" } as const;

const ADDED = ["ns1.lab.net.acme.com", "ns2.lab.net.acme.com"];
const APPENDED = { host: "ns3.lab.net.acme.com", result: "no_address" } as const;

const SILENT = failed("timeout", "refused").map((one) => ({ ...one, host: `x${one.host}` }));
const spread = { nameservers: ["ns1.dns.test"], publishedOn: ["old1.dns.test"], serial: 7 };
const GLUE = { host: "ns1.acme.com", registered: "192.0.2.1", own: ["192.0.2.9"] };
const on = (type: "leftover" | "listed" | "unlisted", parent?: string) => ({
  ...spread,
  elsewhere: { type, ...(parent && { parent }) },
});
const views = (answer: OtherAnswer["answer"], nameservers?: string[]): Facts<"not_published"> => {
  const given = { answer, ...(nameservers && { nameservers }) };
  const resolvers = ["cloudflare", "google"].map((name) => ({ name, ...given }));
  const what = `resolvers get ${answer.type}, from ${nameservers}`;
  return [what, { ...spread, nameservers: [], resolvers }, "provider"];
};
/** Two resolvers without the record; those in `by` block it. */
const filtered = (...by: string[]): Facts<"not_published"> => {
  const resolvers = ["cloudflare", "google"].map((name) => ({
    ...{ name, answer: { type: "nxdomain" as const } },
    ...(by.includes(name) && { filtered: true as const }),
  }));
  const what = `resolvers without it, withheld by ${by.join()}`;
  return [what, { ...spread, nameservers: [], resolvers }, "provider"];
};
/** Two servers are silent, and one of them does not belong to the zone. */
const dead = (host: string, parent?: string): ObservedByCode["not_published"] => ({
  ...{ ...spread, nameservers: [host] },
  noAnswer: [{ host, result: "no_address" }, ...SILENT.slice(1)],
  elsewhere: { type: "dead", ...(parent && { parent }) },
});
const delegated = { zone: "acme.com", parent: "up.test", nameservers: ["ns1.dns.test"] };
const unsaved = { ...spread, publishedOn: [] };
const MOMENT = "2026-03-12T14:03:22.000Z";
const ABOVE = { type: "parent", zone: "com.test", name: "x.com.test" } as const;
const NEW = ["new1.test", "new2.test"];
const STUCK = { host: "ns1.dns.test", serial: 9, published: { host: "old1.dns.test", serial: 7 } };
const SILENT_ONE = { nameservers: failed("timeout"), parent: "acme.com" };
const GONE_ONE = { ...listed("no_address", ["ns1.gone.test"], GONE), parent: "acme.com" };
const CHALLENGE = "_service-challenge.shop.acme.com";
const MIXED: FailedNameserver[] = [
  { host: "ns1.dns.test", result: "refused", reason: "no_zone" },
  { host: "ns2.dns.test", result: "timeout", reason: "silent" },
];
const nodata = (...types: string[]) =>
  ({ answer: { type: "nodata", types }, nearMiss: null }) as const;
const near = (kind: NearMissKind, name = "near.acme.com", more = {}) =>
  ({ answer: { type: "nxdomain" }, nearMiss: { kind, name, ...more } }) as const;
const SPF = `v=spf1 mx -all ${TOKEN}`;
const damaged = (
  value: string,
  ...damage: ObservedByCode["value_formatted"]["damage"]
): Facts<"value_formatted"> => [`${JSON.stringify(value)} ${damage}`, { value, damage }];
const DAMAGES = ["quoted", "whitespace", "prefix", "suffix", "case", "truncated"] as const;
const alias = (type: "CNAME" | "DNAME", name: string): Facts<"cname_conflict"> => [
  `${type} at ${name}`,
  { target: "parked.example", record: { type, name } },
];

const TABLE: { [C in DiagnosisCode]: Facts<C>[] } = {
  domain_appended: [
    ["beside others", { name: "acme.com.acme.com", others: 2 }],
    ["changed", { name: "acme.com.acme.com", value: `"${TOKEN}"` }],
  ],
  record_at_apex: [
    ["beside others", { name: "acme.com", value: TOKEN, others: 2 }],
    ["in an SPF record", { name: "acme.com", value: SPF }],
    ["in an SPF record, beside others", { name: "acme.com", value: `${TOKEN} v=spf1`, others: 2 }],
    ["in another proof", { name: "acme.com", value: `google-site-verification=Zq1 ${TOKEN}` }],
    ["changed", { name: "acme.com", value: `"${TOKEN}"` }],
  ],
  record_on_www: [
    ["beside others", { name: "www.acme.com", value: TOKEN, others: 2 }],
    ["changed", { name: "www.acme.com", value: TOKEN.slice(0, -6) }],
  ],
  value_formatted: [
    ["beside others", { value: `"${TOKEN}"`, damage: ["quoted"], others: 2 }],
    ["in pieces", { value: TOKEN.slice(0, 30), damage: ["truncated"], pieces: 2 }],
    ["in pieces, beside others", { value: "x", damage: ["truncated"], pieces: 2, others: 1 }],
    ...DAMAGES.map((one) => damaged("x", one)),
    damaged("x", ...DAMAGES),
    damaged(TOKEN.replaceAll("_", "\\_"), "quoted"),
    damaged(`“${TOKEN}”`, "quoted"),
    damaged(`\\"${TOKEN}\\"`, "quoted"),
    damaged(`\\u{200b}“${TOKEN}”`, "quoted", "whitespace"),
    damaged(`IN TXT ${TOKEN}`, "whitespace", "prefix"),
    damaged(` TXT ${TOKEN}`, "whitespace", "prefix"),
    damaged(`x=${TOKEN.replace("_", "_ ")}`, "whitespace", "prefix"),
  ],
  expired_token: [
    ["beside others", { value: "x", claimEndedAt: MOMENT, others: 2 }],
    ["of a proof", { value: "x", claimEndedAt: MOMENT, proved: true }],
  ],
  foreign_token: [
    ["of this account", { value: "x", domain: "other.test" }],
    ["of this account, beside others", { value: "x", domain: "other.test", others: 2 }],
  ],
  no_matching_record: [
    ["empty", { values: [""], wildcard: false }],
    ["its own name", { values: [CHALLENGE], wildcard: false }],
    ["by a wildcard", { values: ["x"], wildcard: true }],
    ["by a wildcard at D", { values: ["x"], wildcard: true, wildcardName: "*.shop.acme.com" }],
    ["by a wildcard above D", { values: ["x"], wildcard: true, wildcardName: "*.acme.com" }],
  ],
  cname_conflict: [
    ["of an unknown owner", { target: "parked.example" }],
    ["with the token", { target: `${TOKEN}.acme.com` }],
    alias("CNAME", CHALLENGE),
    alias("CNAME", "*.shop.acme.com"),
    alias("CNAME", "*.acme.com"),
    alias("DNAME", "acme.com"),
  ],
  record_absent: [
    ["no such name", { answer: { type: "nxdomain" }, nearMiss: null }],
    ["no such name, on known servers", { ...nodata("A"), nameservers: NEW }],
    ["in the SPF record of the zone", near("zone_apex", "acme.com", { value: SPF })],
    ...["_service-challenge\\032.acme.com", "@.acme.com", "xn--_x-h12j.shop.acme.com"].map(
      (name): Facts<"record_absent"> => [`misspelled as ${name}`, near("misspelled", name)],
    ),
    ["no type", nodata()],
    ["other types", nodata("A", "MX")],
    ["under a wildcard", { ...nodata("A"), wildcardName: "*.acme.com" }],
    ["perhaps in the zone above", { ...nodata(), delegated }],
    ...PARKED.map(
      (as): Facts<"record_absent"> => [
        `at nameservers that are ${as}`,
        { ...nodata("A"), parked: { as, nameservers: ["ns1.dns.test", "ns2.dns.test"] } },
        "registrar",
      ],
    ),
    ...NEAR_MISS_KINDS.map((kind): Facts<"record_absent"> => [`near ${kind}`, near(kind)]),
    ...NEAR_MISS_KINDS.map(
      (kind): Facts<"record_absent"> => [
        `near ${kind} beside others`,
        near(kind, "near.acme.com", { others: 1 }),
      ],
    ),
  ],
  not_published: [
    ["on former servers", { ...spread, elsewhere: { type: "former" } }],
    ["in the zone above", { ...spread, elsewhere: ABOVE }],
    ["on unlisted servers", on("unlisted")],
    ["on servers the zone above does not list", on("unlisted", "corp.test")],
    ["beside a former provider's servers", on("leftover"), "registrar"],
    ["beside a former provider's in the zone above", on("leftover", "corp.test")],
    ["with stale glue", { ...spread, glue: GLUE }, "registrar"],
    ["on servers the zone does not list", on("listed"), "provider"],
    ["on servers that only the zone above lists", on("listed", "corp.test"), "provider"],
    ["stored before `elsewhere`", { ...spread, publishedOn: NEW }, "registrar"],
    ["lagging", spread, "provider"],
    ["not saved", unsaved],
    ["not saved, serial unchanged", { ...unsaved, unchanged: true, since: MOMENT }],
    ["not saved, perhaps in the zone above", { ...unsaved, delegated }],
    ["not saved, under a wildcard", { ...unsaved, unchanged: true, wildcardName: "*.acme.com" }],
    ["delegations differ", unsaved, "provider"],
    ["some silent", { ...spread, nameservers: [], noAnswer: SILENT }, "provider"],
    ["some silent and none of the zone's", dead("xns1.dns.test"), "registrar"],
    ["some silent and none of the zone's, in a zone above", dead("xns1.dns.test", "corp.test")],
    ["some silent with a domain added", dead("ns3.lab.net.acme.com"), "registrar"],
    ["some lagging, some silent", { ...spread, noAnswer: SILENT }, "provider"],
    ["a copy that is stuck", { ...spread, stuck: STUCK }, "provider"],
    ["a copy with the same serial", { ...spread, stuck: { ...STUCK, serial: 7 } }, "provider"],
    views({ type: "nxdomain" }),
    views({ type: "nodata" }),
    views({ type: "values", values: ["old"] }),
    views({ type: "alias", target: "x.test" }),
    views({ type: "nxdomain" }, ["ns.old.test"]),
    views({ type: "nxdomain" }, []),
    filtered("cloudflare", "google"),
    filtered("google"),
  ],
  negative_cache: [
    ["of an earlier token", { secondsRemaining: 240, held: "earlier_token" }, "resolvers"],
    ["of other values", { secondsRemaining: 3_600, held: "other_values" }, "resolvers"],
    ["stored before `held`", { secondsRemaining: 240 }, "resolvers"],
    ...[1, 2, 4].map(
      (unasked): Facts<"negative_cache"> => [
        `with ${unasked} to ask`,
        { secondsRemaining: 40, held: "nothing", unasked },
        "resolvers",
      ],
    ),
  ],
  servfail: [
    ...FAULTS.map((one) => fault(one)),
    ["by our own validation", { ...OWN, fault: { type: "signatures_missing", ...at } }, "provider"],
    reasons(),
    reasons(0),
    reasons(9),
    reasons(22, 23, 23),
    reasons(6, 6, 22, 999),
  ],
  lame_delegation: [
    lame(),
    ...FAILURES.flatMap((one) => [lame(one), lame(one, one)]),
    lame("refused", "not_authoritative"),
    lame("tcp_refused", "case_changed"),
    lame("is_alias", "no_address"),
    lame("servfail", "malformed", "timeout"),
    lame("tcp_refused", "timeout", "ipv6_only"),
    ["silent, in a zone above", { ...SILENT_ONE, parent: "corp.test" }, "provider"],
    ["an alias of a known target", listed("is_alias", ["ns1.dns.test"], target), "registrar"],
    ["an address", listed("no_address", ["192.0.2.1"]), "registrar"],
    ["no glue", listed("no_address", ["ns1.acme.com", "ns2.acme.com"]), "registrar"],
    ["a domain added", listed("no_address", ADDED), "registrar"],
    ["a domain added to one of two", { nameservers: [...SILENT.slice(1), APPENDED] }, "provider"],
    [
      "refused by a parking service",
      { nameservers: failed("refused"), parked: { as: "parking", nameservers: ["ns1.dns.test"] } },
      "registrar",
    ],
    ["faults of several kinds", { nameservers: [UNGLUED, ...failed("is_alias")] }, "registrar"],
    ...REASONS.flatMap((reason): Facts<"lame_delegation">[] =>
      [["ns1.dns.test"], ["ns1.dns.test", "ns2.dns.test"]].map((hosts) => [
        `${reason} at ${hosts.length}`,
        listed("refused", hosts, { reason }),
        reason === "resolver" || reason === "unregistered" ? "registrar" : "provider",
      ]),
    ),
    ["causes of several kinds", { nameservers: MIXED }, "provider"],
    ["unregistered", listed("no_address", ["ns1.gone.test", "ns2.gone.test"], GONE), "registrar"],
    [
      "stale glue in a zone above",
      { ...SILENT_ONE, glue: { ...GLUE, parent: "acme.com" } },
      "claimant",
      "shop.acme.com",
    ],
    ["one unregistered", { nameservers: [{ ...UNGLUED, ...GONE }, ...SILENT] }, "provider"],
    ["at the challenge name itself", SILENT_ONE, "claimant", CHALLENGE],
    ["unregistered, at the challenge name itself", GONE_ONE, "claimant", CHALLENGE],
  ],
};

type Case = { what: string; diagnosis: Diagnosis; zone: string };
const CASES: Case[] = DIAGNOSIS_CODES.flatMap((code) => [
  { what: `${code}: the example`, diagnosis: exampleOf(code), zone: "acme.com" },
  ...TABLE[code].map(([what, observed, awaits = "claimant", zone = "acme.com"]) => ({
    what: `${code}: ${what}`,
    diagnosis: { code, awaits, observed } as Diagnosis,
    zone,
  })),
]);
const place = (provider: Provider, zone: string): RecordLocation => ({
  ...EXAMPLE_LOCATION,
  domain: "shop.acme.com",
  token: TOKEN,
  zone,
  provider,
});

/** A provider's fix, without the fields to fill in. */
function fixAt({ diagnosis, zone }: Case, provider: Provider): string {
  const { fix, pastes } = explain(diagnosis, place(provider, zone));
  return `[${pastes.map(({ field }) => field).join(", ")}] ${fix}`;
}

describe("C7.1, C7.3, C7.15: what is said of a diagnosis", () => {
  it("is what was read in review", async () => {
    const text = CASES.map((one) => {
      const { diagnosis, zone, what } = one;
      const { cause } = explain(diagnosis, place("godaddy", zone));
      const fixes = [fixAt(one, "godaddy"), fixAt(one, "route53")];
      const said = [
        headlineOf(diagnosis),
        cause,
        ...fixes.slice(0, fixes[0]?.startsWith("[]") ? 1 : 2),
      ];
      return `${what}\n${said.map((line) => `  ${line}\n`).join("")}`;
    });
    await expect(text.join("\n")).toMatchFileSnapshot("diagnoses.test.txt");
  });

  it.each(DIAGNOSIS_CODES)("has a heading and a meaning for %s", (code) => {
    const { title, meaning } = DIAGNOSES[code];
    expect(title).toMatch(/^[A-Z].*[^.!]$/);
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
  });
});

/** Instructions to edit the record, which would also change the other values of the RRset. */
const EDITS = /\bedit the record\b/;

/** Counts a panel's title, a field or a difference as one word, and what to paste at the end as none. */
function mostWords(text: string, titles: readonly string[]): number {
  const plain = [...titles, /\[(?:wrong|missing): [^\]]*\]/g, /: \S+$/g].reduce<string>(
    (left, one) => left.replaceAll(one, "x"),
    text,
  );
  return Math.max(...plain.split(/[.:;] /).map((sentence) => sentence.split(/\s+/).length));
}

describe.each(Object.keys(PANELS) as Provider[])("sentences at %s", (provider) => {
  const panel = PANELS[provider];

  it.each(CASES)("$what", ({ diagnosis, zone }) => {
    const where = place(provider, zone);
    const { cause, fix, pastes } = explain(diagnosis, where);
    for (const sentence of [cause, fix]) {
      expect(sentence).toMatch(/^[A-Za-z0-9_]/);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|!| {2}|<|\bplease\b/i);
      expect(sentence.length).toBeLessThan(420);
    }
    const titles = [panel.title, panel.host, panel.value];
    if (!["servfail", "lame_delegation"].includes(diagnosis.code))
      for (const text of [cause, fix])
        expect(mostWords(text, titles), text).toBeLessThanOrEqual(25);
    expect(headlineOf(diagnosis)).toMatch(/^\S+( \S+){2,7}$/);
    expect(cause).toMatch(/\.$/);
    // One instruction: a single sentence that ends with the value to paste or with a full stop.
    expect(fix).not.toMatch(/[.;] [A-Z]/);
    const isOfServers = pastes.some(({ field }) => field === "Nameserver");
    const end = isOfServers ? pastes.map(({ value }) => value).join(", ") : pastes.at(-1)?.value;
    expect(fix.endsWith(end === undefined ? "." : `: ${end}`)).toBe(true);
    if (!isOfServers) {
      const fields = [
        { field: panel.host, value: panelHost(where) },
        { field: panel.value, value: panelValue(where) },
      ];
      for (const paste of pastes) {
        expect(fields).toContainEqual(paste);
        expect(fix).toContain(paste.field);
        expect(fix).toContain(paste.value);
        expect(fix).toContain(`In ${panel.title},`);
      }
    }
    const { observed } = diagnosis;
    const others = "nearMiss" in observed ? observed.nearMiss : observed;
    const isBeside = others !== null && "others" in others;
    if (panel.groupsValues ?? isBeside) expect(fix).not.toMatch(EDITS);
  });
});

it("a record set with other values is left alone for another claim's value or text, whatever the panel does", () => {
  for (const code of ["foreign_token", "no_matching_record"] as const)
    for (const provider of Object.keys(PANELS) as Provider[])
      expect(explain(exampleOf(code), place(provider, "acme.com")).fix).not.toMatch(EDITS);
});

const publishedOn = ["ns1.dns.test"];
it.each([
  [{ nameservers: [], noAnswer: SILENT.slice(0, 1) }, "but xns1.dns.test does not answer."],
  [{ nameservers: [], noAnswer: SILENT }, "but fewer than half of the nameservers answer: "],
  [{ nameservers: [] }, "but a nameserver of a zone that it depends on does not answer."],
  [{ nameservers: ["a.test", "b.test"] }, "but a.test and b.test still do not have it."],
])("a wait for nameservers names those it is for: %j", (waited, words) => {
  expect(awaitedSentence({ publishedOn, ...waited })).toContain(
    `The record is on ns1.dns.test, ${words}`,
  );
});

describe("resolvers without a common list of nameservers", () => {
  const listing = (...lists: (string[] | null)[]) =>
    observation({
      witnesses: witnesses(...lists.map(() => values(TOKEN))).map((one, index) => ({
        ...one,
        nameservers: lists[index] ?? null,
      })),
    });
  const HOSTS = ["ns1.dns.test", "ns2.dns.test"];

  it.each([
    ["no answer to queries for the zone’s nameservers", listing(null, null, HOSTS)],
    ["hidden, for example by a CNAME", listing([], [], [])],
    ["do not agree", listing(HOSTS, ["ns3.dns.test"], [])],
    [undefined, listing(HOSTS, HOSTS, null)],
    [undefined, observation({ witnesses: [] })],
    [undefined, observation({ witnesses: null })],
  ])("are said to: %s", (words, seen) => {
    expect(noListSentence(seen) ?? undefined).toEqual(words && expect.stringContaining(words));
  });
});
