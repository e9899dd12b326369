import fc from "fast-check";
import type { Judgement } from "../dnssec/verdict.ts";
import type { History } from "../verdict/history.ts";
import {
  FAILURES,
  type Observation,
  PROBE_KINDS,
  type ServerReading,
  type Stray,
  type TxtAnswer,
  type WitnessReading,
} from "../verdict/observation.ts";
import {
  AT,
  COUNTING,
  NAME,
  NXDOMAIN,
  OTHER,
  observation,
  SERIAL,
  SOA,
  server,
  TOKEN,
  witness,
} from "./observations.ts";

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(TOKEN, OTHER, `"${TOKEN}"`, TOKEN.slice(0, 30), "v=spf1"),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\u202e", "\u200b\u0000", "<script>", "x".repeat(20_000)),
  },
);
const seconds = fc.nat(2 ** 31);
const soa = fc.option(
  fc.record({
    zone: fc.constant(SOA.zone),
    serial: fc.constantFrom(SERIAL, 1),
    refresh: seconds,
    minimum: seconds,
    ttl: seconds,
  }),
);

const answer: fc.Arbitrary<TxtAnswer> = fc.record({
  rcode: fc.constantFrom("NOERROR", "NOERROR", "NXDOMAIN", "YXDOMAIN"),
  values: fc.array(text, { maxLength: 4 }),
  ttl: fc.option(seconds),
  alias: fc.option(
    fc.record({ type: fc.constantFrom("CNAME", "DNAME"), name: text, target: text }),
    { freq: 5 },
  ),
  soa,
});
const proof = fc.constant<TxtAnswer>({
  rcode: "NOERROR",
  values: [TOKEN],
  ttl: 60,
  alias: null,
  soa: null,
});
const serverResult = fc.oneof(proof, proof, answer, fc.constantFrom(...FAILURES));
const serverList = fc
  .array(serverResult, { maxLength: 5 })
  .map((list) => list.map((one, index) => server(`ns${index}.dns.test`, one)));

const witnessed: fc.Arbitrary<WitnessReading> = fc
  .oneof(
    proof,
    answer,
    fc.constantFrom<WitnessReading["result"]>(
      "timeout",
      "servfail",
      "refused",
      "malformed",
      "untrusted",
    ),
  )
  .chain((one) =>
    fc
      .record({
        ad: fc.boolean(),
        extendedErrors: fc.array(fc.record({ code: fc.nat(30), text }), { maxLength: 3 }),
        nameservers: fc.option(
          fc.array(fc.oneof(fc.constant("ns0.dns.test"), text), { maxLength: 3 }),
        ),
      })
      .map((change) => ({ ...witness("witness", one), ...change })),
  );

/** Three witnesses that know the zone, and mostly the token. */
const knowing = fc.array(
  fc
    .record({
      outcome: fc.oneof(
        { weight: 4, arbitrary: proof },
        { weight: 1, arbitrary: fc.constantFrom(NXDOMAIN, "servfail" as const) },
      ),
      ad: fc.boolean(),
    })
    .map(({ outcome, ad }) => ({ ...witness("witness", outcome), ad })),
  { minLength: 3, maxLength: 3 },
);

const keyTag = fc.constantFrom(1, 2);
const at = { zone: text, name: text, records: text };
const byDs = {
  zone: text,
  parent: fc.option(text),
  ttl: fc.option(fc.nat()),
  dsKeyTags: fc.array(keyTag, { maxLength: 3 }),
};
const time = fc.constantFrom(0, AT / 1000, 0xffffffff);
const validation: fc.Arbitrary<Judgement> = fc.oneof(
  fc.constant<Judgement>({ verdict: "secure" }),
  fc.record({
    verdict: fc.constant("insecure" as const),
    reason: fc.oneof(
      fc.record({
        type: fc.constantFrom("unsigned" as const, "opt_out" as const),
        zone: text,
        parent: text,
      }),
      fc.record({
        type: fc.constant("ds_unsupported" as const),
        zone: text,
        algorithms: fc.array(fc.nat(255), { maxLength: 3 }),
        digestTypes: fc.array(fc.nat(255), { maxLength: 3 }),
      }),
      fc.record({ type: fc.constant("iterations" as const), zone: text, iterations: fc.nat() }),
    ),
  }),
  fc.record({
    verdict: fc.constant("bogus" as const),
    reason: fc.oneof(
      fc.record({ type: fc.constant("ds_without_keys" as const), ...byDs }),
      fc.record({
        type: fc.constant("ds_matches_no_key" as const),
        ...byDs,
        keyTags: fc.array(keyTag, { maxLength: 3 }),
      }),
      fc.record({
        type: fc.constantFrom("signatures_expired" as const, "signatures_not_yet_valid" as const),
        ...at,
        at: time,
      }),
      fc.record({
        type: fc.constantFrom(
          "signatures_missing" as const,
          "denial_missing" as const,
          "value_absent" as const,
        ),
        ...at,
      }),
      fc.record({
        type: fc.constant("signatures_invalid" as const),
        ...at,
        keyTags: fc.array(keyTag, { maxLength: 3 }),
      }),
      fc.constant({ type: "not_canonical" as const }),
    ),
  }),
  fc.record({
    verdict: fc.constant("indeterminate" as const),
    reason: fc.oneof(
      fc.record({
        type: fc.constantFrom("not_read" as const, "signatures_barely_untimely" as const),
        ...at,
      }),
      fc.record({ type: fc.constant("keys_unanswered" as const), zone: text }),
      fc.record({
        type: fc.constant("limit" as const),
        limit: fc.constantFrom("verifications" as const, "keys" as const),
      }),
      fc.constantFrom({ type: "no_anchor" as const }, { type: "not_a_question" as const }),
    ),
  }),
);

const fields = {
  at: fc.constant(AT),
  durationMs: fc.nat(10_000),
  servers: serverList,
  strays: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Stray[]>([]) },
    {
      weight: 1,
      arbitrary: fc.constant<Stray[]>([
        { host: "ns0.dns.test", zone: NAME, nameservers: ["ns.stranger.test"] },
      ]),
    },
  ),
  silentAbove: fc.subarray(["ns0.above.test"]),
  named: fc.oneof(fc.constant(null), serverList),
  unlisted: fc.oneof(fc.constant<ServerReading[]>([]), serverList),
  soa,
  holder: fc.option(fc.record({ host: text, serial: fc.nat() })),
  typesAtName: fc.array(fc.constantFrom("A", "MX", "NS", "\u202e"), { maxLength: 4 }),
  confirmation: fc.oneof(
    fc.constant(null),
    fc.record({
      host: fc.constant("ns0.dns.test"),
      address: fc.constant("192.0.2.1"),
      confirmed: fc.boolean(),
    }),
    fc.record({
      host: fc.constant("ns0.dns.test"),
      address: fc.constant("192.0.2.1"),
      confirmed: fc.constant(false),
      differs: fc.constant<true>(true),
    }),
  ),
  wildcard: fc.option(fc.oneof(fc.constant<false>(false), text)),
  former: fc.oneof(fc.constant<ServerReading[]>([]), serverList),
  parent: fc.option(
    fc.record({
      zone: text,
      name: fc.option(text),
      nameservers: fc.array(text, { maxLength: 3 }),
    }),
  ),
  misplaced: fc.array(
    fc.record({
      kind: fc.constantFrom(...PROBE_KINDS),
      name: text,
      value: text,
      others: fc.nat(3),
      servers: fc.constant<string[]>(["ns0.dns.test"]),
    }),
    { maxLength: 3 },
  ),
  witnesses: fc.oneof(fc.constant(null), fc.array(witnessed, { maxLength: 4 }), knowing),
  validation: fc.option(validation),
  limit: fc.constantFrom(null, null, "packets", "deadline", "referrals", "tcp"),
};

const DECIDING = ["servers", "silentAbove", "named", "confirmation", "witnesses", "validation"];

/**
 * Any observation a reader may produce: many hostile, and some a proof but for a few fields, because what takes away a
 * proof shows only near one.
 */
export const arbitraryObservation: fc.Arbitrary<Observation> = fc
  .tuple(fc.record(fields), fc.option(fc.subarray(DECIDING, { maxLength: 4 }), { freq: 2 }))
  .map(([change, few]) =>
    Object.fromEntries(Object.entries(change).filter(([key]) => few?.includes(key) ?? true)),
  )
  .chain((change) =>
    fc
      .constantFrom(
        observation(change).delegation,
        observation(change).delegation,
        { type: "none", parent: "com", rcode: "NXDOMAIN" } as const,
        { type: "unreachable", zone: "com" } as const,
      )
      .map((delegation) => observation({ ...change, delegation })),
  );

export const arbitraryHistory: fc.Arbitrary<History> = fc.record({
  firstSerial: fc.constantFrom(null, SERIAL, 1),
  partialSince: fc.constantFrom(null, AT - 10_000, 0),
  resolversDue: fc.constantFrom(null, AT + 10_000, AT - 1),
  secondReadAt: fc.constantFrom(null, AT + 10_000, AT - 1, AT - 1),
  chance: fc.constantFrom(0, 0.5),
  serials: fc.constantFrom(null, COUNTING, { ...COUNTING, counts: false }),
  otherSerials: fc.constantFrom(
    () => [],
    () => [COUNTING],
  ),
  endedTokens: fc.constantFrom([], [{ token: OTHER, endedAt: AT }]),
  domainOf: fc.constantFrom(
    () => null,
    () => "other.test",
  ),
  tokenPrefix: fc.constant("service_v1_"),
});
