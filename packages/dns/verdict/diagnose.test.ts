import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { arbitraryHistory, arbitraryObservation } from "../testing/arbitrary-observation.ts";
import {
  AT,
  absence,
  alias,
  by,
  HISTORY,
  misplaced,
  NODATA,
  NXDOMAIN,
  OTHER,
  observation,
  SERIAL,
  SOA,
  server,
  servers,
  TOKEN,
  values,
  witness,
  witnesses,
  ZONE,
} from "../testing/observations.ts";
import { decide, diagnose } from "../testing/verdicts.ts";
import {
  type Awaits,
  DIAGNOSIS_CODES,
  type DiagnosisCode,
  type ObservedByCode,
} from "./diagnosis.ts";
import type { History } from "./history.ts";
import { NEAR_MISS_KINDS, type Observation } from "./observation.ts";

const second = { ...HISTORY, firstSerial: SERIAL, serialSince: AT };
const ended: History = { ...HISTORY, endedTokens: [{ token: OTHER, endedAt: AT }] };
const both = (answer: Parameters<typeof absence>[0][number], change?: Partial<Observation>) =>
  absence([answer, answer], change);

const hit = (...given: Parameters<typeof misplaced>) =>
  both(NXDOMAIN, { misplaced: [misplaced(...given)] });
const REASON = { code: 9, text: "no SEP matching the DS found" };
const LACKING = server("new2.dns.test", NXDOMAIN);
const LEFT = [server("old1.dns.test", values(TOKEN)), server("old2.dns.test", "refused")];
const NAMESERVERS = ["ns1.dns.test", "ns2.dns.test"];
const EXPIRED = "2026-03-12T14:00:00.000Z";
const served = { nameservers: NAMESERVERS };
const nothing = { answer: { type: "nxdomain" }, nearMiss: null } as const;
const unsaved: ObservedByCode["not_published"] = {
  nameservers: NAMESERVERS,
  publishedOn: [],
  serial: SERIAL,
  unchanged: true,
  since: new Date(AT).toISOString(),
};
const nodata = (...types: string[]) =>
  ({ answer: { type: "nodata", types }, nearMiss: null }) as const;
const NEW = server("new1.dns.test", values(TOKEN));
const elsewhere = (host: string, type: "former" | "unlisted") => ({
  nameservers: NAMESERVERS,
  publishedOn: [host],
  serial: SERIAL,
  elsewhere: { type },
});
const UNLISTED = elsewhere("new1.dns.test", "unlisted");
const FORMER = elsewhere("old1.dns.test", "former");

/** Observed facts and a read that leads to them, by code. */
type Case<C extends DiagnosisCode> = [observed: ObservedByCode[C], Observation, History?];
const AWAITED: { [C in DiagnosisCode]?: Awaits } = {
  negative_cache: "resolvers",
  servfail: "provider",
  lame_delegation: "registrar",
};
const QUOTED = `"${TOKEN}"`;
const PIECE = TOKEN.slice(0, 40);
const QUOTED_OTHER = `"${OTHER}"`;
const STRANGE = OTHER.replace("0011", "ffff");
const mine = (token: string) => (token === OTHER ? "other.test" : null);
const HAS = values(TOKEN);
const REJECTING = witness("a", "servfail");
const COLOURED = {
  ...REJECTING,
  name: "b",
  extendedErrors: [REASON, { code: 7, text: "\u001b[31mexpired" }],
};
const UNDELEGATED = { type: "none", parent: "com", rcode: "NXDOMAIN" } as const;
const TEN = Array.from({ length: 9 }, (_, index) => `${index}`);
const CASES: { [C in DiagnosisCode]: Case<C>[] } = {
  domain_appended: [[{ name: "_c.a.a" }, hit("domain_appended", "_c.a.a")]],
  record_at_apex: [TOKEN, QUOTED].map((value) => [
    { name: "a.test", value },
    hit("apex", "a.test", value),
  ]),
  record_on_www: (["challenge_on_www", "www"] as const).map((kind) => [
    { name: "www.a", value: TOKEN },
    hit(kind, "www.a"),
  ]),
  value_formatted: [
    [
      { value: ` TXT=${QUOTED}`, damage: ["quoted", "whitespace", "prefix"], others: 1 },
      both(values("v=spf1", ` TXT=${QUOTED}`)),
    ],
    [{ value: PIECE, damage: ["truncated"] }, absence(["timeout", values(PIECE)])],
  ],
  expired_token: [OTHER, QUOTED_OTHER].map((value) => [
    { value, claimEndedAt: EXPIRED },
    both(values(value)),
    ended,
  ]),
  foreign_token: [
    [{ value: OTHER }, both(values("v=spf1", OTHER))],
    [
      { value: QUOTED_OTHER, domain: "other.test", others: 2 },
      both(values("v=spf1", STRANGE, QUOTED_OTHER)),
      { ...HISTORY, domainOf: mine },
    ],
  ],
  no_matching_record: [
    [{ values: ["one", "two"], wildcard: false }, both(values("one", "two", "one"))],
    [
      { values: ["\\u{202e}evil\\u{0}", ...TEN], wildcard: true, wildcardName: "*.a.test" },
      both(values("\u202eevil\u0000", ...TEN, ...NAMESERVERS), { wildcard: "*.a.test" }),
    ],
  ],
  // Nobody could tell whether a wildcard made it. What is behind the alias does not count.
  cname_conflict: [
    [{ target: "parked.test" }, both({ ...alias("parked.test"), values: [QUOTED, OTHER] })],
  ],
  record_absent: [
    [{ ...nothing, ...served }, both(NXDOMAIN)],
    // Another claim's token elsewhere.
    [{ ...nothing, ...served }, hit("apex", "a.test", OTHER)],
    [{ ...nodata("A", "MX"), ...served }, both(NODATA, { typesAtName: ["A", "MX", "A"] })],
    [{ ...nodata(), ...served }, absence([NXDOMAIN, NODATA])],
    ...NEAR_MISS_KINDS.filter((kind) => kind !== "ns_target").map(
      (kind): Case<"record_absent"> => [
        { ...nothing, nearMiss: { kind, name: "near.test" } },
        hit(kind, "near.test", kind === "token_as_host" ? "" : TOKEN),
        // The serial does not matter.
        second,
      ],
    ),
    [
      { ...nodata("CNAME", "TXT"), nearMiss: { kind: "parent", name: "n.test" } },
      absence([values("v=spf1"), alias("parked.test")], {
        misplaced: [misplaced("parent", "n.test")],
      }),
    ],
  ],
  not_published: [
    [unsaved, both(NXDOMAIN), second],
    [UNLISTED, both(NXDOMAIN, { unlisted: [NEW, LACKING], outside: "dns0" })],
    [FORMER, both(NXDOMAIN, { former: LEFT, unlisted: [NEW] }), second],
    // The zone above lacks it too.
    [
      { ...unsaved, delegated: { zone: ZONE, parent: "up.test", nameservers: NAMESERVERS } },
      both(NXDOMAIN, { parent: { zone: "up.test", name: null, nameservers: ["up.dns.test"] } }),
      second,
    ],
  ],
  negative_cache: [
    [{ secondsRemaining: 900, held: "nothing" }, observation(by(HAS, NXDOMAIN, NXDOMAIN))],
    ...(
      [
        ["earlier_token", values(OTHER)],
        ["earlier_token", values("v=spf1", QUOTED_OTHER)],
        ["other_values", values("v=spf1")],
        ["other_values", values(STRANGE)],
        ["other_values", alias("parked.test")],
      ] as const
    ).map(
      ([held, given]): Case<"negative_cache"> => [
        // The earliest end of two of three caches: the negative answer, then the TTL that is left of the positive one.
        { secondsRemaining: given.alias ? 300 : 3600, held },
        observation(by(given, given, NXDOMAIN)),
        ended,
      ],
    ),
  ],
  servfail: [
    [
      { resolvers: ["a", "b"], extendedErrors: [REASON, { code: 7, text: "\\u{1b}[31mexpired" }] },
      observation({ validation: null, witnesses: [REJECTING, COLOURED, witness("c", HAS)] }),
    ],
  ],
  lame_delegation: [[{ nameservers: [] }, absence([], { delegation: UNDELEGATED, soa: null })]],
};

// C7.5, C7.6, C7.7, C7.8, C7.9, C7.10, C7.11, C7.12, C7.14, C7.16, C7.18
describe("diagnose", () => {
  describe.each(DIAGNOSIS_CODES)("%s", (code) => {
    const cases: readonly Case<DiagnosisCode>[] = CASES[code];
    it("C7.2: is a diagnosis of some read", () => expect(cases.length).toBeGreaterThan(0));

    it.each(cases)("of %j", (observed, read, history = HISTORY) => {
      const expected = { code, awaits: AWAITED[code] ?? "claimant", observed };
      expect(diagnose(read, history)).toEqual(expected);
      expect(decide(read, history)).toMatchObject({ outcome: "absent", diagnosis: expected });
    });
  });

  it("looks no ended token up where no value was seen", () => {
    const lookedUp = vi.fn<() => History["endedTokens"]>(() => []);
    const history = Object.defineProperty({ ...HISTORY }, "endedTokens", { get: lookedUp });
    expect(diagnose(both(NXDOMAIN), history)?.code).toBe("record_absent");
    expect(lookedUp).not.toHaveBeenCalled();
  });

  // C7.13
  it("says nothing of a serial at the first read, without an SOA, if nameservers differ, once a record was seen under it, or at Route 53", () => {
    const moved = { ...NXDOMAIN, soa: { ...SOA, serial: SERIAL + 1 } };
    const route53 = ["ns-1.awsdns-01.com", "ns-2.awsdns-02.net"].map((host) =>
      server(host, NXDOMAIN),
    );
    for (const [read, history] of [
      [both(NXDOMAIN), HISTORY],
      [both(NXDOMAIN, { soa: null }), second],
      [absence([NXDOMAIN, moved]), second],
      [absence([moved, NXDOMAIN]), second],
      [both(NXDOMAIN), { ...second, serialSince: null }],
      [both(NXDOMAIN, { servers: route53 }), second],
    ] as const)
      expect(diagnose(read, history)?.code).toBe("record_absent");
  });

  it("names resolvers once no cache may hold an old answer, with theirs and their nameservers", () => {
    const given = witnesses(NODATA, alias("parked.test"), values("old\u202e"), "timeout");
    const read = observation({
      witnesses: given.map((one) => ({ ...one, nameservers: ["ns.old.test"] })),
    });
    expect(diagnose(read, { ...HISTORY, resolversDue: AT + 1 })?.code).toBe("negative_cache");
    const nameservers = ["ns.old.test"];
    const resolvers = [
      { name: "witness1", answer: { type: "nodata" }, nameservers },
      { name: "witness2", answer: { type: "alias", target: "parked.test" }, nameservers },
      { name: "witness3", answer: { type: "values", values: ["old\\u{202e}"] }, nameservers },
    ];
    expect(diagnose(read, { ...HISTORY, resolversDue: AT })).toEqual({
      code: "not_published",
      awaits: "provider",
      observed: { nameservers: [], publishedOn: NAMESERVERS, serial: SERIAL, resolvers },
    });
  });
});

it("says which resolvers withhold the answer", () => {
  const list = witnesses(NXDOMAIN, NXDOMAIN, values(TOKEN)).map((one, index) =>
    index === 0 ? { ...one, extendedErrors: [{ code: 17, text: "" }] } : one,
  );
  const read = observation({ witnesses: list });
  expect(diagnose(read, { ...HISTORY, resolversDue: AT })).toMatchObject({
    code: "not_published",
    observed: { resolvers: [{ filtered: true }, { answer: { type: "nxdomain" } }] },
  });
});

/** Each code's sign combined with those of all later codes: the later ones must not hide it. */
describe("C7.17: precedence", () => {
  const hit = (...kinds: Parameters<typeof misplaced>[0][]) => ({
    misplaced: kinds.map((kind) => misplaced(kind)),
  });
  const broken = witnesses("servfail", "servfail", "servfail");
  type Sign = {
    code: string;
    answer?: Parameters<typeof absence>[0][number];
    change?: Partial<Observation>;
  };
  const SIGNS: Sign[] = [
    { code: "servfail", change: { witnesses: broken } },
    { code: "value_formatted", answer: values(`"${TOKEN}"`) },
    { code: "domain_appended", change: hit("domain_appended") },
    { code: "record_at_apex", change: hit("apex") },
    { code: "record_on_www", change: hit("www") },
    { code: "record_absent/near", change: hit("parent") },
    { code: "cname_conflict", answer: alias("parked.test") },
    { code: "expired_token", answer: values(OTHER) },
    { code: "foreign_token", answer: values(STRANGE) },
    { code: "no_matching_record", answer: values("v=spf1 -all") },
    { code: "not_published", change: { unlisted: servers(values(TOKEN)) } },
    { code: "not_published", change: { outside: "dns0" } },
    { code: "record_absent/none" },
  ];
  const pairs = SIGNS.flatMap((strong, index) =>
    SIGNS.slice(index + 1).map((weak) => [strong.code, weak.code, strong, weak] as const),
  );

  it.each(pairs)("%s before %s", (_strong, _weak, strong, weak) => {
    // Try both orders of the answers, since the first nameserver asked must not decide the result.
    const answers = [weak.answer ?? NXDOMAIN, strong.answer ?? NXDOMAIN];
    for (const given of [answers, answers.toReversed()]) {
      const read = absence(given, {
        ...weak.change,
        ...strong.change,
        misplaced: [...(weak.change?.misplaced ?? []), ...(strong.change?.misplaced ?? [])],
      });
      const found = diagnose(read, ended);
      const near = found?.code === "record_absent" && (found.observed.nearMiss ? "/near" : "/none");
      expect(`${found?.code}${near || ""}`).toBe(strong.code);
    }
  });

  it.each(SIGNS)("lame_delegation before $code", ({ change }) => {
    expect(diagnose(absence(["timeout", "refused"], change), ended)?.code).toBe("lame_delegation");
  });
});

it("on any observation never throws and is consistent", () => {
  fc.assert(
    fc.property(arbitraryObservation, arbitraryHistory, (read, history) => {
      const decision = decide(read, history);
      if (decision.outcome === "absent") {
        expect(decision.diagnosis === null && decision.wait === null).toBe(false);
        if (decision.diagnosis && decision.wait)
          expect(decision.diagnosis.code).toBe("negative_cache");
        expect(decision.diagnosis).toEqual(diagnose(read, history));
      } else expect(diagnose(read, history)).toBe(null);
      expect(JSON.stringify(decision)).not.toMatch(/[\p{C}]/u);
      expect(JSON.stringify(decision).length).toBeLessThan(20_000);
    }),
    { numRuns: sized(500, 3_000) },
  );
});

it("searches as much of a name's text as one answer holds, however much each server adds", () => {
  const noise = (letter: string) =>
    Array.from({ length: 300 }, (_, at) => letter.repeat(60) + `${at}`.padStart(4, "0"));
  const found = absence([values(...noise("x").slice(0, 200), QUOTED), values(...noise("y"))]);
  expect(diagnose(found, HISTORY)?.code).toBe("value_formatted");
  const beyond = absence([values(...noise("x")), values(...noise("y"), QUOTED)]);
  expect(diagnose(beyond, HISTORY)).toMatchObject({
    code: "no_matching_record",
    observed: { values: noise("x").slice(0, 10) },
  });
});
