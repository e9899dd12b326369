import fc from "fast-check";
import type { Judgement } from "../dnssec/verdict.ts";
import type { History } from "../verdict/history.ts";
import {
  FAILURES,
  NEAR_MISS_KINDS,
  type Observation,
  type ServerReading,
  type TxtAnswer,
  type WitnessReading,
} from "../verdict/observation.ts";
import {
  AT,
  NAME,
  NXDOMAIN,
  OTHER,
  observation,
  SERIAL,
  SOA,
  server,
  TOKEN,
  values,
  witness,
} from "./observations.ts";

const PROBED = ["domain_appended", "apex", "challenge_on_www", "www"] as const;

const HOST = "ns0.dns.test";
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const text = fc.oneof(
  weighted(3, fc.constantFrom(TOKEN, OTHER, `"${TOKEN}"`, TOKEN.slice(0, 30), "v=spf1")),
  weighted(2, fc.string({ unit: "binary", maxLength: 400 })),
  weighted(1, fc.constantFrom("\u202e", "\u200b\u0000", "<script>", "x".repeat(20_000))),
);
const texts = fc.array(text, { maxLength: 3 });
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
const proof = fc.constant<TxtAnswer>({ ...values(TOKEN), ttl: 60 });
const serverResult = fc.oneof(proof, proof, answer, fc.constantFrom(...FAILURES));
const outcome = fc.constantFrom("answered" as const, ...FAILURES);
const control = fc.record({
  soa: outcome,
  owner: fc.constantFrom(null, ".", "com", SOA.zone, "other.test"),
  plain: fc.option(outcome),
});
const serverList: fc.Arbitrary<ServerReading[]> = fc
  .array(serverResult, { maxLength: 5 })
  .chain((list) =>
    fc.tuple(
      ...list.map((one, index) =>
        fc.option(control, { freq: 4 }).map((shown) => ({
          ...server(`ns${index}.dns.test`, one),
          ...(shown && { control: shown }),
        })),
      ),
    ),
  );

const FAILED = ["timeout", "servfail", "refused", "malformed", "untrusted", "unasked"] as const;
const witnessed: fc.Arbitrary<WitnessReading> = fc
  .tuple(
    fc.oneof(proof, answer, fc.constantFrom(...FAILED)),
    fc.record({
      ad: fc.boolean(),
      extendedErrors: fc.array(fc.record({ code: fc.nat(30), text }), { maxLength: 3 }),
      nameservers: fc.option(fc.array(fc.oneof(fc.constant(HOST), text), { maxLength: 3 })),
    }),
  )
  .map(([one, change]) => ({ ...witness("witness", one), ...change }));

/** Three witnesses that know the zone; most have the token. */
const knowing = fc.array(
  fc
    .record({
      outcome: fc.oneof(
        weighted(4, proof),
        weighted(1, fc.constantFrom(NXDOMAIN, "servfail" as const)),
      ),
      ad: fc.boolean(),
    })
    .map(({ outcome, ad }) => ({ ...witness("witness", outcome), ad })),
  { minLength: 3, maxLength: 3 },
);

const keyTags = fc.array(fc.constantFrom(1, 2), { maxLength: 3 });
const numbers = fc.array(fc.nat(255), { maxLength: 3 });
const place = { zone: text, name: text, records: text };
const byDs = { zone: text, parent: fc.option(text), ttl: fc.option(fc.nat()), dsKeyTags: keyTags };
const time = fc.constantFrom(0, AT / 1000, 0xffffffff);

type Unproved = Extract<Judgement, { reason: object }>;
/** A verdict with a reason of one of these types, and the reason's own fields. */
const judged = (
  verdict: Unproved["verdict"],
  types: Unproved["reason"]["type"][],
  more: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Judgement> =>
  fc
    .tuple(fc.constantFrom(...types), fc.record(more))
    .map(([type, rest]) => ({ verdict, reason: { type, ...rest } }) as Judgement);
const UNTIMELY = ["signatures_expired", "signatures_not_yet_valid"] as const;
const validation = fc.oneof(
  fc.constant<Judgement>({ verdict: "secure" }),
  judged("insecure", ["unsigned", "opt_out"], { zone: text, parent: text }),
  judged("insecure", ["ds_unsupported"], { zone: text, algorithms: numbers, digestTypes: numbers }),
  judged("insecure", ["iterations"], { zone: text, iterations: fc.nat() }),
  judged("bogus", ["ds_without_keys"], byDs),
  judged("bogus", ["ds_matches_no_key"], { ...byDs, keyTags }),
  judged("bogus", [...UNTIMELY], { ...place, at: time }),
  judged("bogus", ["signatures_missing", "denial_missing", "value_absent"], place),
  judged("bogus", ["signatures_invalid"], { ...place, keyTags }),
  judged("bogus", ["not_canonical"]),
  judged("indeterminate", ["not_read", "signatures_barely_untimely"], place),
  judged("bogus", ["capitals"], { zone: text }),
  judged("indeterminate", ["keys_unanswered"], { zone: text }),
  judged("indeterminate", ["limit"], { limit: fc.constantFrom("verifications", "keys") }),
  judged("indeterminate", ["no_anchor", "not_a_question"]),
);

const fields = {
  at: fc.constant(AT),
  durationMs: fc.nat(10_000),
  servers: serverList,
  strays: fc.oneof(
    weighted(4, fc.constant<Observation["strays"]>([])),
    weighted(1, fc.constant([{ host: HOST, zone: NAME, nameservers: ["ns.stranger.test"] }])),
  ),
  silentAbove: fc.subarray(["ns0.above.test"]),
  named: fc.oneof(fc.constant(null), serverList),
  unlisted: fc.oneof(fc.constant<ServerReading[]>([]), serverList),
  soa,
  holder: fc.option(fc.record({ host: text, serial: fc.nat() })),
  typesAtName: fc.array(fc.constantFrom("A", "MX", "NS", "\u202e"), { maxLength: 4 }),
  confirmation: fc.oneof(
    fc.constant(null),
    fc.boolean().map((confirmed) => ({ host: HOST, address: "192.0.2.1", confirmed })),
    fc.constant({ host: HOST, address: "192.0.2.1", confirmed: false, differs: true as const }),
  ),
  wildcard: fc.option(fc.oneof(fc.constant<false>(false), text)),
  former: fc.oneof(fc.constant<ServerReading[]>([]), serverList),
  parent: fc.option(fc.record({ zone: text, name: fc.option(text), nameservers: texts })),
  misplaced: fc.array(
    fc.record({
      kind: fc.constantFrom(...NEAR_MISS_KINDS, ...PROBED),
      name: text,
      value: text,
      others: fc.nat(3),
      servers: fc.constant([HOST]),
    }),
    { maxLength: 3 },
  ),
  witnesses: fc.oneof(fc.constant(null), fc.array(witnessed, { maxLength: 4 }), knowing),
  tried: fc.array(fc.record({ resolver: text, until: fc.nat() }), { maxLength: 2 }),
  validation: fc.option(validation),
  limit: fc.constantFrom(null, null, "packets", "deadline", "referrals", "tcp"),
};

const DECIDING = ["servers", "silentAbove", "named", "confirmation", "witnesses", "validation"];

/** Any observation: many hostile, some nearly a proof, because only those show what prevents a proof. */
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
  serialSince: fc.constantFrom(null, AT - 60_000),
  partialSince: fc.constantFrom(null, AT - 10_000, 0),
  resolversDue: fc.constantFrom(null, AT + 10_000, AT - 1),
  secondReadAt: fc.constantFrom(null, AT + 10_000, AT - 1, AT - 1),
  waitUntil: fc.constantFrom(null, AT + 20_000),
  chance: fc.constantFrom(0, 0.5),
  endedTokens: fc.constantFrom([], [{ token: OTHER, endedAt: AT }]),
  domainOf: fc.constantFrom(null, "other.test").map((domain) => () => domain),
  tokenPrefix: fc.constant("service_v1_"),
});
