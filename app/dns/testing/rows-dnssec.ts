import type { Observation } from "../verdict/observation.ts";
import { altered, rcode, refusing, resolving } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, type LabRecord } from "./lab-zone.ts";
import type { Row } from "./rows.ts";
import {
  DS,
  ds,
  KEY_SIGNATURE_BY_KSK,
  KEYS,
  KSK,
  SIGNED,
  SIGNED_FROM,
  SIGNED_UNTIL,
  TXT_SIGNATURE,
} from "./signed-zone.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";

const DAY = 86_400_000;
const SHOP = "shop.acme.test";
const challenge = (domain: string): LabRecord => ({
  name: `${LABEL}.${domain}`,
  type: "TXT",
  data: TOKEN,
});
/** The reply of every validating resolver for a zone with invalid signatures; 6 is "DNSSEC Bogus". */
const BOGUS = Array(3).fill({ behaviour: refusing(6) });
const failing = (name: string, setup: Row["setup"], rest: Partial<Row>): Row => ({
  name,
  setup: (net) => ({ witnesses: BOGUS, ...setup(net) }),
  expected: "absent servfail",
  ...rest,
});

/**
 * acme.test with these records besides the challenge, and these DS records at its registry, on a day on which the
 * signatures are valid.
 */
const signed =
  (records: LabRecord[], dsRecords: string[], rest: WorldSetup = {}): Row["setup"] =>
  () => ({
    records: [challenge("acme.test"), ...records],
    tld: { records: dsRecords.map((data) => ds(data)) },
    now: SIGNED_FROM + DAY,
    ...rest,
  });
const without = (left: LabRecord) => SIGNED.filter((record) => record !== left);
const atRegistry = { zone: "acme.test", secondsRemembered: 86_400 };
const faulty = (fault: object | undefined) => () => ({ fault });

const questions = (seen: Observation, ...types: string[]) =>
  seen.exchanges.filter(({ question }) => types.includes(question.type)).length;
const asksNothing: Row["shows"] = (seen) =>
  seen.dnssec === null && questions(seen, "DS", "DNSKEY") === 0;

/** Ignores questions of one type. */
const silentAbout =
  (type: string): LabBehaviour =>
  (query, server) =>
    query.type === type ? [] : [server.honest(query)];
/** A zone without its keys and signatures. */
const keyless = altered((answer) => ({
  ...answer,
  answers: answer.answers.filter(({ type }) => type !== "DNSKEY" && type !== "RRSIG"),
}));

/** shop.acme.test, on separate servers, below acme.test, whose zone has these records. */
const below =
  (records: (net: Net) => LabRecord[], dsRecords: string[]): Row["setup"] =>
  (net) => {
    const hosts = { [`ns1.${SHOP}`]: [net.at(5)], [`ns2.${SHOP}`]: [net.at(6)] };
    const zones = [
      {
        name: SHOP,
        records: [
          { name: SHOP, type: "SOA" as const, data: "7" },
          ...delegation(SHOP, hosts),
          challenge(SHOP),
        ],
      },
    ];
    return {
      domain: SHOP,
      zone: "acme.test",
      records: [...delegation(SHOP, hosts), ...records(net)],
      tld: { records: dsRecords.map((data) => ds(data)) },
      servers: { 5: { zones }, 6: { zones } },
      witnesses: Array(3).fill({ behaviour: refusing(6), zones }),
      now: SIGNED_FROM + DAY,
    };
  };

/** Resolvers that answer SERVFAIL, and the cause in the zone or in the resolvers. */
export const DNSSEC_ROWS: Row[] = [
  {
    name: "a valid signed zone: no further questions",
    setup: signed(SIGNED, [DS.sha256]),
    expected: "found",
    shows: asksNothing,
  },
  failing("a DS left behind for a zone without keys", signed([], [DS.sha256]), {
    observed: faulty({ type: "ds_without_keys", dsKeyTags: [KSK], ...atRegistry }),
    shows: (seen) => questions(seen, "DS") === 1 && questions(seen, "DNSKEY") === 2,
  }),
  failing("a DS of another key", signed(SIGNED, [DS.stranger]), {
    observed: faulty({
      type: "ds_matches_no_key",
      dsKeyTags: [60485],
      keyTags: [KSK],
      ...atRegistry,
    }),
  }),
  failing(
    "a DS with the key's tag and another digest",
    signed(SIGNED, [`${DS.sha256.slice(0, -1)}E`]),
    {
      observed: faulty({
        type: "ds_matches_no_key",
        dsKeyTags: [KSK],
        keyTags: [KSK],
        ...atRegistry,
      }),
    },
  ),
  failing("signatures that expired", signed(SIGNED, [DS.sha256], { now: SIGNED_UNTIL + 3 * DAY }), {
    observed: faulty({
      type: "signatures_expired",
      zone: "acme.test",
      expiredAt: "2026-03-12T14:00:00.000Z",
    }),
  }),
  failing("signatures not valid yet", signed(SIGNED, [DS.sha256], { now: SIGNED_FROM - DAY }), {
    observed: faulty({
      type: "signatures_not_yet_valid",
      zone: "acme.test",
      validFrom: "2026-03-01T00:00:00.000Z",
    }),
  }),
  failing("the record without a signature", signed(without(TXT_SIGNATURE), [DS.sha384]), {
    observed: faulty({ type: "signatures_missing", zone: "acme.test" }),
  }),
  failing(
    "the keys without a signature by the key of the DS",
    signed(without(KEY_SIGNATURE_BY_KSK), [DS.sha256]),
    { observed: faulty({ type: "signatures_missing", zone: "acme.test" }) },
  ),
  failing("an unsigned zone", signed([], []), {
    observed: faulty({ type: "unsigned", zone: "acme.test" }),
  }),
  failing("a DS of a kind that no resolver knows", signed(SIGNED, [`${KSK} 13 3 00ff`]), {
    observed: faulty({ type: "unsigned", zone: "acme.test" }),
  }),
  failing("keys and signatures in order, and resolvers refuse them", signed(SIGNED, [DS.sha256]), {
    observed: faulty(undefined),
  }),
  failing(
    "resolvers fail without validating too",
    signed([], [DS.sha256], { witnesses: Array(3).fill({ behaviour: rcode(2) }) }),
    { observed: faulty({ type: "unreachable" }), shows: asksNothing },
  ),
  {
    name: "two resolvers of three refuse to answer",
    setup: signed(SIGNED, [DS.sha256], {
      witnesses: [{ behaviour: rcode(5) }, { behaviour: rcode(5) }, { behaviour: resolving }],
    }),
    expected: "unresolvable",
    shows: (seen, world, net) =>
      seen.witnesses?.[0]?.result === "refused" && (asksNothing(seen, world, net) ?? false),
  },
  failing(
    "one nameserver of two has lost its keys",
    signed(SIGNED, [DS.sha256], { servers: { 3: {}, 4: { behaviour: keyless } } }),
    { observed: faulty(undefined) },
  ),
  failing(
    "nameservers that are silent about their keys",
    signed(KEYS, [DS.sha256], {
      servers: { 3: { behaviour: silentAbout("DNSKEY") }, 4: { behaviour: silentAbout("DNSKEY") } },
    }),
    { observed: faulty(undefined), shows: (seen) => seen.dnssec?.[0]?.keys === null },
  ),
  failing(
    "a registry that is silent about the DS",
    signed([], [], { tld: { behaviour: silentAbout("DS") } }),
    { observed: faulty(undefined), shows: (seen) => seen.dnssec?.[0]?.ds === null },
  ),
  failing(
    "more keys than anybody looks at",
    signed(
      Array.from({ length: 200 }, (_, index) => ({
        name: "acme.test",
        type: "DNSKEY",
        data: `257 3 13 ${Buffer.from(`key ${index}`).toString("base64")}`,
      })),
      [DS.sha256],
    ),
    { shows: (seen) => seen.dnssec?.[0]?.keys?.length === 20 && seen.packets < 40 },
  ),
  failing(
    "a DS left behind in a zone above that is no registry's",
    below(() => [...SIGNED, ds(DS.sha256, SHOP)], [DS.sha256]),
    {
      observed: faulty({
        type: "ds_without_keys",
        dsKeyTags: [KSK],
        zone: SHOP,
        parent: "acme.test",
        secondsRemembered: 86_400,
      }),
    },
  ),
  failing(
    "a DS left behind for the zone above",
    below(() => [], [DS.sha256]),
    {
      observed: faulty({ type: "ds_without_keys", dsKeyTags: [KSK], ...atRegistry }),
    },
  ),
  failing(
    "a DS in a zone above that is not signed itself",
    below(() => [ds(DS.sha256, SHOP)], []),
    {
      observed: faulty({ type: "unsigned", zone: "acme.test" }),
    },
  ),
];
