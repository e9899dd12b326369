import { describe, expect, it } from "vitest";
import { DIAGNOSIS_CATALOGUE, EXAMPLE_PLACE, WAIT_CATALOGUE, waitSentence } from "./catalogue.ts";
import {
  type Damage,
  DIAGNOSIS_CODES,
  type Diagnosis,
  type NearMissKind,
  type Provider,
} from "./diagnosis.ts";
import { TOKEN } from "./observation.fixture.ts";
import type { Failure } from "./observation.ts";
import { PANELS, type Place, panelHost, panelValue } from "./panels.ts";
import { explain, pastesFor, sentencesFor } from "./sentences.ts";

const PROVIDERS = Object.keys(PANELS) as Provider[];
const place = (provider: Provider): Place => ({ ...EXAMPLE_PLACE, token: TOKEN, provider });

type Asks = "host" | "value" | "both" | "beside" | "nothing" | "nameservers";
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
  kind === "token_as_host" ? "both" : "host",
];
const formatted = (...damage: Damage[]): Case => [
  `value_formatted ${damage}`,
  { code: "value_formatted", awaits: claimant, observed: { value: "x", damage } },
  "value",
];
const servfail = (...codes: number[]): Case => [
  `servfail ${codes}`,
  {
    code: "servfail",
    awaits: "registrar",
    observed: {
      resolvers: ["cloudflare", "google"],
      extendedErrors: codes.map((code) => ({ code, text: "<b>raw" })),
    },
  },
  "nothing",
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

const CASES: Case[] = [
  ["domain_appended", DIAGNOSIS_CATALOGUE.domain_appended.example, "host"],
  ["record_at_apex", DIAGNOSIS_CATALOGUE.record_at_apex.example, "host"],
  ["record_on_www", DIAGNOSIS_CATALOGUE.record_on_www.example, "host"],
  formatted("quoted"),
  formatted("whitespace"),
  formatted("prefix"),
  formatted("suffix"),
  formatted("case"),
  formatted("truncated"),
  formatted("quoted", "whitespace", "prefix", "suffix", "case", "truncated"),
  ["expired_token", DIAGNOSIS_CATALOGUE.expired_token.example, "value"],
  ["foreign_token", DIAGNOSIS_CATALOGUE.foreign_token.example, "beside"],
  ["no_matching_record", DIAGNOSIS_CATALOGUE.no_matching_record.example, "beside"],
  [
    "no_matching_record wildcard",
    { code: "no_matching_record", awaits: claimant, observed: { values: ["x"], wildcard: true } },
    "both",
  ],
  ["cname_conflict", DIAGNOSIS_CATALOGUE.cname_conflict.example, "both"],
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
  unpublished("claimant", [], "both"),
  unpublished("provider", ["ns2.dns.test"], "nothing"),
  unpublished("provider", [], "nothing"),
  unpublished("registrar", ["new1.dns.test", "new2.dns.test"], "nameservers"),
  ["negative_cache", DIAGNOSIS_CATALOGUE.negative_cache.example, "nothing"],
  servfail(),
  servfail(9),
  servfail(7),
  servfail(8),
  servfail(10),
  servfail(22),
  servfail(23),
  lame(),
  lame("timeout"),
  lame("refused", "not_authoritative"),
  lame("no_address"),
  lame("blocked_address"),
  lame("servfail", "malformed", "timeout"),
];

describe.each(PROVIDERS)("sentences at %s", (provider) => {
  const at = place(provider);
  const panel = PANELS[provider];

  it.each(CASES)("%s", (_, diagnosis, asked) => {
    // A second record beside others, or a line more in the one there is.
    const asks = asked === "beside" ? (panel.groupsValues ? "value" : "both") : asked;
    const { cause, fix, pastes } = explain(diagnosis, at);
    for (const sentence of [cause, fix]) {
      expect(sentence).toMatch(/^[A-Za-z0-9_]/);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|!| {2}|<|\bplease\b/i);
      expect(sentence.length).toBeLessThan(420);
    }
    expect(cause).toMatch(/\.$/);
    // One instruction: one sentence, ending with the value to paste or with its full stop.
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
    if (asks === "host" || asks === "both") expect(fix).toContain(`${panel.host} `);
    if (asks === "value" || asks === "both") expect(fix).toContain(`${panel.value} `);
    if (asks !== "nothing" && asks !== "nameservers") expect(fix).toContain(`In ${panel.title},`);
    expect(sentencesFor(diagnosis, at)).toEqual({ cause, fix });
    expect(pastesFor(diagnosis, at)).toEqual(pastes);
  });
});

describe("sentences", () => {
  it("covers every code", () => {
    expect(new Set(CASES.map(([, { code }]) => code))).toEqual(new Set(DIAGNOSIS_CODES));
  });

  it("tells sub-cases apart in their causes", () => {
    const causes = CASES.map(([, diagnosis]) => sentencesFor(diagnosis, place("godaddy")).cause);
    expect(new Set(causes).size).toBeGreaterThanOrEqual(CASES.length - 2);
  });

  it("asks for what a panel of the zone above wants", () => {
    const { fix } = sentencesFor(DIAGNOSIS_CATALOGUE.domain_appended.example, place("godaddy"));
    expect(fix).toBe(
      "In GoDaddy, edit this TXT record and in Name leave only: _service-challenge.shop",
    );
  });

  it("never repeats the raw text of a resolver", () => {
    const [, diagnosis] = servfail(9);
    expect(JSON.stringify(sentencesFor(diagnosis, place("other")))).not.toContain("raw");
  });
});

describe("the catalogue", () => {
  it("has a heading, a meaning and an example of its own for every code", () => {
    expect(Object.keys(DIAGNOSIS_CATALOGUE).sort()).toEqual([...DIAGNOSIS_CODES].sort());
    for (const [code, { title, meaning, example }] of Object.entries(DIAGNOSIS_CATALOGUE)) {
      expect(example.code).toBe(code);
      expect(title).toMatch(/^[A-Z].*[^.!]$/);
      expect(meaning).toMatch(/^[A-Z`].*\.$/);
      expect(sentencesFor(example, EXAMPLE_PLACE).fix).not.toBe("");
    }
  });

  it("has a sentence for every wait, at any time left", () => {
    for (const reason of ["first_check", "negative_cache", "nameserver_sync", "retry"] as const) {
      expect(WAIT_CATALOGUE[reason].meaning).toMatch(/\.$/);
      expect(waitSentence(reason, 240)).toContain("4 minutes");
      expect(waitSentence(reason, 0)).toContain("a moment");
    }
  });
});
