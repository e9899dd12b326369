import { describe, expect, it } from "vitest";
import { TOKEN } from "../testing/observations.ts";
import {
  type Corruption,
  DIAGNOSIS_CODES,
  type Diagnosis,
  type FailedNameserver,
  type OtherAnswer,
  type Provider,
  type ResolverFault,
} from "../verdict/diagnosis.ts";
import type { Failure, NearMissKind } from "../verdict/observation.ts";
import { awaitedSentence } from "./diagnoses/publication.ts";
import { DIAGNOSES, explain, headlineOf, sentencesFor } from "./diagnoses.ts";
import { EXAMPLE_LOCATION } from "./diagnosis-text.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "./providers.ts";

const PROVIDERS = Object.keys(PANELS) as Provider[];
const place = (provider: Provider): RecordLocation => ({
  ...EXAMPLE_LOCATION,
  domain: "shop.acme.com",
  token: TOKEN,
  provider,
});

type Asks = "host" | "value" | "both" | "beside" | "nothing" | "nameservers";
/** Instructions that edit the record, which would also change the other values of the RRset. */
const EDITS = /\bedit the record\b/;
type Case = [what: string, diagnosis: Diagnosis, asks: Asks];

const claimant = "claimant" as const;
const absent = (
  observed: Extract<Diagnosis, { code: "record_absent" }>["observed"],
): Diagnosis => ({
  code: "record_absent",
  awaits: claimant,
  observed,
});
const near = (kind: NearMissKind): Case => [
  `record_absent near ${kind}`,
  absent({ answer: { type: "nxdomain" }, nearMiss: { kind, name: "near.acme.com" } }),
  ["token_as_host", "mx_target", "spf_type", "ns_target"].includes(kind) ? "both" : "host",
];
const formatted = (...damage: Corruption[]): Case => [
  `value_formatted ${damage}`,
  { code: "value_formatted", awaits: claimant, observed: { value: "x", damage } },
  "value",
];
const servfail = (fault?: ResolverFault, ...codes: number[]): Case => [
  `servfail ${fault?.type ?? codes}`,
  {
    code: "servfail",
    awaits: "provider",
    observed: {
      resolvers: ["cloudflare", "google"],
      extendedErrors: codes.map((code) => ({ code, text: "<b>raw" })),
      ...(fault && { fault }),
    },
  },
  "nothing",
];
const AT_REGISTRY = { zone: "acme.com", secondsRemembered: 86_400 };
const FAULTS: ResolverFault[] = [
  { type: "unreachable" },
  { type: "unsigned", zone: "acme.com" },
  { type: "ds_without_keys", dsKeyTags: [1, 2], ...AT_REGISTRY },
  { type: "ds_matches_no_key", dsKeyTags: [1], keyTags: [2, 3], ...AT_REGISTRY },
  { type: "signatures_expired", zone: "acme.com", expiredAt: "2026-03-12T14:00:00.000Z" },
  { type: "signatures_not_yet_valid", zone: "acme.com", validFrom: "2026-03-12T14:00:00.000Z" },
  { type: "signatures_missing", zone: "acme.com" },
  { type: "signatures_invalid", zone: "acme.com" },
  { type: "denial_missing", zone: "acme.com" },
];
const lame = (...results: Failure[]): Case => [
  `lame_delegation ${results}`,
  {
    code: "lame_delegation",
    awaits: results.length > 0 ? "provider" : "registrar",
    observed: {
      nameservers: results.map((result, index) => ({ host: `ns${index}.dns.test`, result })),
    },
  },
  "nothing",
];
const unpublished = (
  awaits: "claimant" | "provider" | "registrar",
  publishedOn: string[],
  asks: Asks,
): Case => [
  `not_published ${awaits}`,
  {
    code: "not_published",
    awaits,
    observed: { nameservers: ["ns1.dns.test"], publishedOn, serial: 1 },
  },
  asks,
];

const gone = (
  elsewhere: Extract<Diagnosis, { code: "not_published" }>["observed"]["elsewhere"] & object,
  awaits: Diagnosis["awaits"],
): Diagnosis => ({
  code: "not_published",
  awaits,
  observed: {
    nameservers: ["ns1.dns.test"],
    publishedOn: ["old1.dns.test"],
    serial: 1,
    elsewhere,
  },
});
const held = (what: "earlier_token" | "other_values"): Case => [
  `negative_cache ${what}`,
  {
    code: "negative_cache",
    awaits: "resolvers",
    observed: { secondsRemaining: 240, held: what },
  },
  "nothing",
];
const conflict = (type: "CNAME" | "DNAME", name: string): Case => [
  `cname_conflict ${type} ${name}`,
  {
    code: "cname_conflict",
    awaits: claimant,
    observed: { target: "parked.example", record: { type, name } },
  },
  "both",
];

const SILENT: FailedNameserver[] = [
  { host: "ns2.dns.test", result: "timeout" },
  { host: "ns3.dns.test", result: "refused" },
];
const spread = (
  what: string,
  awaits: "claimant" | "provider",
  observed: Partial<Extract<Diagnosis, { code: "not_published" }>["observed"]>,
  asks: Asks = "nothing",
): Case => [
  `not_published ${what}`,
  {
    code: "not_published",
    awaits,
    observed: { nameservers: [], publishedOn: [], serial: 7, ...observed },
  },
  asks,
];
const views = (answer: OtherAnswer["answer"], nameservers?: string[]): Case =>
  spread(`views ${answer.type} ${nameservers}`, "provider", {
    publishedOn: ["ns1.dns.test"],
    resolvers: ["cloudflare", "google"].map((name) => ({
      name,
      answer,
      ...(nameservers && { nameservers }),
    })),
  });

const CASES: Case[] = [
  ["domain_appended", DIAGNOSES.domain_appended.example, "host"],
  ["record_at_apex", DIAGNOSES.record_at_apex.example, "host"],
  ["record_on_www", DIAGNOSES.record_on_www.example, "host"],
  formatted("quoted"),
  formatted("whitespace"),
  formatted("prefix"),
  formatted("suffix"),
  formatted("case"),
  formatted("truncated"),
  formatted("quoted", "whitespace", "prefix", "suffix", "case", "truncated"),
  [
    "value_formatted in pieces",
    {
      code: "value_formatted",
      awaits: claimant,
      observed: { value: TOKEN.slice(0, 30), damage: ["truncated"], pieces: 2, others: 1 },
    },
    "both",
  ],
  ["expired_token", DIAGNOSES.expired_token.example, "value"],
  ["foreign_token", DIAGNOSES.foreign_token.example, "beside"],
  ["no_matching_record", DIAGNOSES.no_matching_record.example, "beside"],
  [
    "no_matching_record wildcard",
    { code: "no_matching_record", awaits: claimant, observed: { values: ["x"], wildcard: true } },
    "both",
  ],
  [
    "foreign_token of this account",
    {
      code: "foreign_token",
      awaits: claimant,
      observed: { value: "x", domain: "other.test" },
    },
    "value",
  ],
  [
    "cname_conflict, not told whose",
    { code: "cname_conflict", awaits: claimant, observed: { target: "parked.example" } },
    "both",
  ],
  [
    "cname_conflict with the token",
    { code: "cname_conflict", awaits: claimant, observed: { target: `${TOKEN}.acme.com` } },
    "both",
  ],
  conflict("CNAME", "*.shop.acme.com"),
  conflict("CNAME", "*.acme.com"),
  conflict("DNAME", "acme.com"),
  ["cname_conflict", DIAGNOSES.cname_conflict.example, "both"],
  ["record_absent", absent({ answer: { type: "nxdomain" }, nearMiss: null }), "both"],
  [
    "record_absent nodata",
    absent({ answer: { type: "nodata", types: [] }, nearMiss: null }),
    "both",
  ],
  [
    "record_absent other types",
    absent({ answer: { type: "nodata", types: ["A", "MX"] }, nearMiss: null }),
    "both",
  ],
  near("no_underscore"),
  near("misspelled"),
  near("host_doubled"),
  near("parent"),
  near("token_as_host"),
  near("quoted_host"),
  near("domain_repeated"),
  near("zone_apex"),
  near("between"),
  near("mx_target"),
  near("spf_type"),
  near("ns_target"),
  [
    "record_absent under a wildcard",
    absent({
      answer: { type: "nodata", types: ["A"] },
      nearMiss: null,
      wildcardName: "*.acme.com",
    }),
    "both",
  ],
  ["not_published former", gone({ type: "former" }, claimant), "both"],
  [
    "not_published parent",
    gone({ type: "parent", zone: "com.test", name: "x.com.test" }, claimant),
    "both",
  ],
  ...[{}, { parent: "corp.test" }].map(
    (by): Case => [
      `not_published listed ${Object.values(by)}`,
      gone({ type: "listed", ...by }, "provider"),
      "nameservers",
    ],
  ),
  held("earlier_token"),
  held("other_values"),
  unpublished("claimant", [], "both"),
  unpublished("provider", ["ns2.dns.test"], "nothing"),
  unpublished("provider", [], "nothing"),
  spread("unchanged", "claimant", { nameservers: ["ns1.dns.test"], unchanged: true }, "both"),
  spread("only silent", "provider", { publishedOn: ["ns1.dns.test"], noAnswer: SILENT }),
  spread("behind and silent", "provider", {
    nameservers: ["ns4.dns.test"],
    publishedOn: ["ns1.dns.test"],
    noAnswer: SILENT,
  }),
  views({ type: "nxdomain" }),
  views({ type: "nodata" }),
  views({ type: "values", values: ["old"] }),
  views({ type: "alias", target: "x.test" }),
  views({ type: "nxdomain" }, ["ns.old.test"]),
  views({ type: "nxdomain" }, []),
  unpublished("registrar", ["new1.dns.test", "new2.dns.test"], "nameservers"),
  ["negative_cache", DIAGNOSES.negative_cache.example, "nothing"],
  servfail(),
  servfail(undefined, 0),
  servfail(undefined, 9),
  servfail(undefined, 22, 23, 23),
  ...FAULTS.map((fault) => servfail(fault, 9)),
  lame(),
  lame("timeout"),
  lame("refused", "not_authoritative"),
  lame("no_address"),
  lame("blocked_address"),
  lame("servfail", "malformed", "timeout"),
  lame("tcp_refused"),
  lame("tcp_refused", "tcp_refused"),
  lame("case_changed"),
  lame("too_large"),
  lame("is_alias"),
  lame("is_alias", "no_address"),
  lame("ipv6_only"),
  lame("tcp_refused", "timeout", "ipv6_only"),
];

describe.each(PROVIDERS)("sentences at %s", (provider) => {
  const at = place(provider);
  const panel = PANELS[provider];

  it.each(CASES)("%s", (_, diagnosis, asked) => {
    // Either a second record or another line in the existing one.
    const beside = panel.groupsValues ? "value" : "both";
    // If one record holds many values, a new one is added instead of moving it.
    const moved = panel.groupsValues ? "both" : "host";
    const asks = asked === "beside" ? beside : asked === "host" ? moved : asked;
    const { cause, fix, pastes } = explain(diagnosis, at);
    for (const sentence of [cause, fix]) {
      expect(sentence).toMatch(/^[A-Za-z0-9_]/);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|!| {2}|<|\bplease\b/i);
      expect(sentence.length).toBeLessThan(420);
    }
    expect(cause).toMatch(/\.$/);
    // One instruction: a single sentence that ends with the value to paste or with a full stop.
    expect(fix).not.toMatch(/[.;] [A-Z]/);
    const last = pastes.at(-1);
    expect(
      last
        ? fix.endsWith(
            `: ${pastes.length > 1 && asks === "nameservers" ? pastes.map(({ value }) => value).join(", ") : last.value}`,
          )
        : fix.endsWith("."),
    ).toBe(true);

    const host = { field: panel.host, value: panelHost(at) };
    const value = { field: panel.value, value: panelValue(at) };
    const expected = { host: [host], value: [value], both: [host, value], nothing: [] };
    if (asks === "nameservers")
      expect(pastes.every(({ value: name }) => fix.includes(name))).toBe(true);
    else expect(pastes).toEqual(expected[asks]);
    for (const paste of pastes) expect(fix).toContain(paste.value);
    if (asks === "host" || asks === "both") expect(fix).toContain(panel.host);
    if (asks === "value" || asks === "both") expect(fix).toContain(panel.value);
    if (asks !== "nothing" && asks !== "nameservers") expect(fix).toContain(`In ${panel.title},`);
    expect(sentencesFor(diagnosis, at)).toEqual({ cause, fix });
  });
});

describe("a record set with other values", () => {
  const shared: Diagnosis[] = [
    DIAGNOSES.domain_appended.example,
    DIAGNOSES.record_at_apex.example,
    DIAGNOSES.record_on_www.example,
    DIAGNOSES.value_formatted.example,
    DIAGNOSES.expired_token.example,
    { ...DIAGNOSES.foreign_token.example, observed: { value: TOKEN, domain: "b.test" } },
  ].map((one) => ({ ...one, observed: { ...one.observed, others: 2 } }) as Diagnosis);
  const near = (["misspelled", "zone_apex", "between", "quoted_host"] as const).map((kind) =>
    absent({ answer: { type: "nxdomain" }, nearMiss: { kind, name: "near.acme.com", others: 1 } }),
  );
  const beside: Diagnosis[] = [
    DIAGNOSES.foreign_token.example,
    DIAGNOSES.no_matching_record.example,
  ];

  it.each(
    (["route53", "google-domains", "other"] as const).flatMap((provider) =>
      [...shared, ...near, ...beside].map((one) => [provider, one.code, one] as const),
    ),
  )("%s never asks to edit the record: %s", (provider, _code, diagnosis) => {
    expect(sentencesFor(diagnosis, place(provider)).fix).not.toMatch(EDITS);
  });

  it("asks for a second record on a panel with one value per record", () => {
    for (const diagnosis of [...shared, ...near])
      expect(sentencesFor(diagnosis, place("godaddy")).fix).toMatch(EDITS);
  });

  it("never asks for a second record on Route 53, which has one set per name", () => {
    for (const [, diagnosis] of CASES)
      expect(sentencesFor(diagnosis, place("route53")).fix).not.toMatch(EDITS);
  });
});

describe("the delegating party", () => {
  const unlisted = (parent?: string) =>
    sentencesFor(
      gone({ type: "unlisted", ...(parent && { parent }) }, parent ? "claimant" : "registrar"),
      place("other"),
    );

  it("is the registrar under a registry", () => {
    const { cause, fix } = unlisted();
    expect(cause).toContain("Only the nameservers that the registry lists count.");
    expect(fix).toBe(
      "At the registrar of acme.com, add to the domain's nameservers: old1.dns.test",
    );
  });

  it("is the parent zone's panel elsewhere, by name", () => {
    const { cause, fix } = unlisted("corp.test");
    expect(cause).toContain("Only the nameservers that the zone corp.test lists count.");
    expect(fix).toBe(
      "In the DNS panel of the zone corp.test, add to the NS records of acme.com: old1.dns.test",
    );
    const lame = sentencesFor(
      {
        code: "lame_delegation",
        awaits: "provider",
        observed: {
          nameservers: [{ host: "ns1.dns.test", result: "timeout" }],
          parent: "corp.test",
        },
      },
      place("other"),
    );
    expect(lame.cause).toContain(
      "None of the nameservers that the zone corp.test lists for acme.com",
    );
  });
});

describe("damage around a value", () => {
  it.each<[value: string, damage: Corruption[], said: string]>([
    [TOKEN.replaceAll("_", "\\_"), ["quoted"], "has backslashes."],
    [`“${TOKEN}”`, ["quoted"], "has quotation marks."],
    [`\\"${TOKEN}\\"`, ["quoted"], "has quotation marks or escape characters."],
    [
      `\\u{200b}“${TOKEN}”`,
      ["quoted", "whitespace"],
      "has quotation marks and spaces or line breaks.",
    ],
    [`IN TXT ${TOKEN}`, ["whitespace", "prefix"], "has extra text at the start."],
    [
      ` TXT ${TOKEN}`,
      ["whitespace", "prefix"],
      "has spaces or line breaks and extra text at the start.",
    ],
    [
      `x=${TOKEN.replace("_", "_ ")}`,
      ["whitespace", "prefix"],
      "has spaces or line breaks and extra text at the start.",
    ],
  ])("%j %s", (value, damage, said) => {
    const observed = { value, damage };
    const diagnosis: Diagnosis = { code: "value_formatted", awaits: claimant, observed };
    expect(sentencesFor(diagnosis, place("other")).cause).toContain(said);
  });
});

describe("an alias that is not at the name itself", () => {
  const conflict = (record: { type: "CNAME" | "DNAME"; name: string }): Diagnosis => ({
    code: "cname_conflict",
    awaits: claimant,
    observed: { target: "parked.example", record },
  });
  const said = (record: { type: "CNAME" | "DNAME"; name: string }) =>
    sentencesFor(conflict(record), place("godaddy"));

  it("is kept if it is a wildcard, with the record added beside it", () => {
    const { cause, fix } = said({ type: "CNAME", name: "*.shop.acme.com" });
    expect(cause).toContain("The wildcard *.shop.acme.com answers");
    expect(fix).toContain("keep *.shop.acme.com as it is and add a TXT record");
  });

  it("does not stop the domain from resolving", () => {
    const { fix } = said({ type: "CNAME", name: "*.acme.com" });
    expect(fix).toContain("first give shop.acme.com the same records as *.acme.com");
    expect(fix).not.toContain("replace");
  });

  it("that is a DNAME must go before a record below it counts", () => {
    const { cause, fix } = said({ type: "DNAME", name: "acme.com" });
    expect(cause).toContain("A DNAME record at acme.com");
    expect(cause).toContain("There can be no TXT record");
    expect(fix).toContain("remove the DNAME record at acme.com, then add a TXT record");
    expect(fix).not.toContain("replace");
  });

  it("is not called a record of the name if that is unknown", () => {
    const { record: _, ...observed } = DIAGNOSES.cname_conflict.example.observed;
    const unknown: Diagnosis = { code: "cname_conflict", awaits: claimant, observed };
    expect(sentencesFor(unknown, place("godaddy")).fix).not.toContain("replace");
  });
});

describe("a record in the wrong zone", () => {
  it.each<[string, Diagnosis, string]>([
    [
      "former",
      gone({ type: "former" }, claimant),
      "The record is on old1.dns.test, but acme.com has moved to ns1.dns.test.",
    ],
    [
      "parent",
      gone({ type: "parent", zone: "com.test", name: "x.com.test" }, claimant),
      "The record is at x.com.test in the zone com.test on old1.dns.test, but ns1.dns.test serves acme.com",
    ],
    [
      "unlisted",
      gone({ type: "unlisted" }, "registrar"),
      "The record is on old1.dns.test, but ns1.dns.test serves acme.com",
    ],
  ])("%s: both places are named", (_, diagnosis, words) => {
    expect(sentencesFor(diagnosis, place("vercel")).cause).toContain(words);
  });

  it("mentions the parent zone as a possible place", () => {
    const delegated = { zone: "acme.com", parent: "up.test", nameservers: ["ns1.dns.test"] };
    const first = absent({ answer: { type: "nxdomain" }, nearMiss: null, delegated });
    const later: Diagnosis = {
      code: "not_published",
      awaits: claimant,
      observed: { nameservers: ["ns1.dns.test"], publishedOn: [], serial: 1, delegated },
    };
    for (const diagnosis of [first, later])
      expect(sentencesFor(diagnosis, place("vercel")).cause).toMatch(
        /ns1\.dns\.test serves acme\.com as a separate zone, so a record in the zone up\.test does not count\.$/,
      );
  });
});

// C7.1, C7.3
describe("sentences", () => {
  it("covers every code", () => {
    expect(new Set(CASES.map(([, { code }]) => code))).toEqual(new Set(DIAGNOSIS_CODES));
  });

  it("has distinct causes for sub-cases", () => {
    const causes = CASES.map(([, diagnosis]) => sentencesFor(diagnosis, place("godaddy")).cause);
    expect(new Set(causes).size).toBeGreaterThanOrEqual(CASES.length - 2);
  });

  it("uses the vocabulary of the parent zone's panel", () => {
    const { fix } = sentencesFor(DIAGNOSES.domain_appended.example, place("godaddy"));
    expect(fix).toBe(
      "In GoDaddy, edit the record and leave only this in Name: _service-challenge.shop",
    );
  });

  it("never repeats the raw text of a resolver", () => {
    const [, diagnosis] = servfail(undefined, 9);
    expect(JSON.stringify(sentencesFor(diagnosis, place("other")))).not.toContain("raw");
  });
});

describe("a partly published record", () => {
  const cause = (...[, diagnosis]: Case) => sentencesFor(diagnosis, place("other")).cause;
  const fix = (...[, diagnosis]: Case) => sentencesFor(diagnosis, place("other")).fix;
  const publishedOn = ["ns1.dns.test"];

  it("distinguishes silent nameservers from lagging ones", () => {
    const silent = spread("", "provider", { publishedOn, noAnswer: SILENT });
    expect(cause(...silent)).toBe(
      "The record is on ns1.dns.test, but fewer than half of the nameservers of acme.com answer: ns2.dns.test does not answer and ns3.dns.test refuses to answer.",
    );
    expect(fix(...silent)).toBe(
      "Ask your DNS provider to make ns2.dns.test and ns3.dns.test answer for acme.com.",
    );
  });

  it("names only those that lag", () => {
    const mixed = spread("", "provider", {
      publishedOn,
      nameservers: ["ns4.dns.test"],
      noAnswer: SILENT.slice(0, 1),
    });
    expect(cause(...mixed)).toMatch(
      / ns4\.dns\.test still does not have it, and ns2\.dns\.test does not answer\. They should agree by now\.$/,
    );
    expect(fix(...mixed)).toBe("Ask your DNS provider why the record is missing on ns4.dns.test.");
  });

  it("reports an unchanged serial only if it moves with changes", () => {
    const unsaved = (unchanged?: true) =>
      cause(...spread("", "claimant", { ...(unchanged && { unchanged }) }));
    expect(unsaved(true)).toMatch(/^The zone acme\.com has not changed .*serial is still 7/);
    expect(unsaved()).not.toMatch(/chang|serial|7/);
  });

  it("names the resolvers, their answers and the servers they ask", () => {
    expect(cause(...views({ type: "nxdomain" }))).toContain(
      "(cloudflare and google: no such name)",
    );
    expect(cause(...views({ type: "values", values: ["a"] }, ["ns.old.test"]))).toMatch(
      /: they ask ns\.old\.test\.$/,
    );
  });

  it("names the nameservers that a wait is for", () => {
    const awaited = (nameservers: string[], noAnswer?: FailedNameserver[]) =>
      awaitedSentence({
        nameservers,
        publishedOn,
        ...(noAnswer && { noAnswer }),
      });
    expect(awaited([], SILENT.slice(0, 1))).toBe(
      "The record is on ns1.dns.test, but ns2.dns.test does not answer.",
    );
    expect(awaited([], SILENT)).toContain("but fewer than half of the nameservers answer:");
    expect(awaited(["ns2.dns.test", "ns3.dns.test"])).toContain(
      ", but ns2.dns.test and ns3.dns.test still do not have it.",
    );
  });
});

describe("the catalogue", () => {
  it("has a distinct heading, meaning and example for every code", () => {
    expect(Object.keys(DIAGNOSES).sort()).toEqual([...DIAGNOSIS_CODES].sort());
    for (const [code, { title, meaning, example }] of Object.entries(DIAGNOSES)) {
      expect(example.code).toBe(code);
      expect(title).toMatch(/^[A-Z].*[^.!]$/);
      expect(headlineOf(example)).toMatch(/^\S+( \S+){2,7}$/);
      expect(meaning).toMatch(/^[A-Z`].*\.$/);
      expect(sentencesFor(example, EXAMPLE_LOCATION).fix).not.toBe("");
    }
  });
});
