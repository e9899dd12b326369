import type { Observation } from "../verdict/observation.ts";
import { altered, rcode, refusing, resolving } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, type LabAnswer, type LabRecord } from "./lab-zone.ts";
import { type Row, SHOP, txt } from "./rows.ts";
import { LABEL, type WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

const DAY = 86_400_000;
/** When signatures with a period of their own are valid. */
const SIGNED_FROM = Date.UTC(2026, 2, 1);
const SIGNED_UNTIL = Date.UTC(2026, 2, 12, 14);
const challenge = (domain: string) => txt(`${LABEL}.${domain}`);
const ds = (data: string, name = "acme.test"): LabRecord => ({
  name,
  type: "DS",
  data,
  ttl: 86_400,
});
/** The reply of every validating resolver for a zone with invalid signatures; 6 is "DNSSEC Bogus". */
const BOGUS = Array(3).fill({ behaviour: refusing(6) });
const failing = (name: string, setup: Row["setup"], rest: Partial<Row>): Row => ({
  name,
  setup: (net) => ({ witnesses: BOGUS, ...setup(net) }),
  expected: "absent servfail",
  ...rest,
});

/** acme.test by this signer, if one, and these DS records at its registry, below a signed root. */
const signed =
  (signer: ZoneSigner | null, dsRecords: string[], rest: WorldSetup = {}): Row["setup"] =>
  () => ({
    signed: true,
    ...(signer && { signer }),
    tld: { records: dsRecords.map((data) => ds(data)) },
    ...rest,
  });
const signer = (fault = {}) => new ZoneSigner("acme.test", fault);
/** In order, and one that signs nothing. */
const [GOOD, STRANGER] = [signer(), signer()];
const inOrder = (rest: WorldSetup = {}) => signed(GOOD, [GOOD.ds], rest);
const faultyZone = (fault: ConstructorParameters<typeof ZoneSigner>[1], now?: number) => {
  const one = signer(fault);
  return signed(one, [one.ds], now === undefined ? {} : { now });
};
const period = { inception: SIGNED_FROM / 1000, expiration: SIGNED_UNTIL / 1000 };
const atRegistry = { zone: "acme.test", secondsRemembered: 86_400 };
const faulty = (fault: object | undefined) => () => ({ fault });

const questions = (seen: Observation, ...types: string[]) =>
  seen.exchanges.filter(({ question }) => types.includes(question.type)).length;
const told = ({ validation }: Observation) =>
  validation && validation.verdict !== "secure"
    ? `${validation.verdict} ${validation.reason.type}`
    : validation?.verdict;
/** The verdict, and how many questions there were about keys and about DS records. */
const validated =
  (verdict: string | undefined, keys: number, dsRecords: number): Row["shows"] =>
  (seen) =>
    told(seen) === verdict &&
    (seen.chain !== null) === (verdict === "secure") &&
    questions(seen, "DNSKEY") === keys &&
    questions(seen, "DS") === dsRecords;

/** Ignores questions of one type. */
const silentAbout =
  (type: string): LabBehaviour =>
  (query, server) =>
    query.type === type ? [] : [server.honest(query)];
const SECURE_TYPES = ["DS", "DNSKEY", "RRSIG", "NSEC"];
const stripped = (records: LabAnswer["answers"]) =>
  records.filter(({ type }) => !SECURE_TYPES.includes(type));
/** Knows nothing of DNSSEC. */
const plain = altered((answer) => ({
  ...answer,
  answers: stripped(answer.answers),
  authorities: stripped(answer.authorities),
}));
/** Signs its answers, and says nothing about DS records. */
const silentAboutDs: LabBehaviour = (query, server) => {
  if (query.type === "DS") return [];
  const change = (answer: LabAnswer) => ({ ...answer, authorities: stripped(answer.authorities) });
  return [server.honest(query, change)];
};

/** shop.acme.test, on separate servers, below acme.test, which is signed and has these records. */
const below =
  (records: LabRecord[], inRegistry: (ds: string) => string[]): Row["setup"] =>
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
    const signer = new ZoneSigner("acme.test");
    return {
      signed: true,
      signer,
      domain: SHOP,
      zone: "acme.test",
      records: [...delegation(SHOP, hosts), ...records],
      tld: { records: inRegistry(signer.ds).map((data) => ds(data)) },
      servers: { 5: { zones }, 6: { zones } },
      witnesses: Array(3).fill({ behaviour: refusing(6), zones }),
    };
  };

/** Every server and every resolver has the record: what our own validation says of it decides. */
const PROVED: Row[] = [
  {
    name: "a signed zone: its chain for the keys' packets alone",
    setup: inOrder(),
    expected: "found",
    shows: validated("secure", 3, 0),
  },
  {
    name: "an unsigned zone: the registries' keys, to prove that it is",
    setup: signed(null, []),
    expected: "found",
    shows: validated("insecure unsigned", 2, 0),
  },
  {
    name: "no trust anchor: no questions about DNSSEC",
    setup: () => ({}),
    expected: "found",
    shows: validated("indeterminate no_anchor", 0, 0),
  },
  {
    name: "a signature of other records, which every resolver accepts",
    setup: faultyZone({ mistaken: "TXT" }),
    expected: "absent servfail",
    shows: validated("bogus signatures_invalid", 3, 0),
  },
  {
    name: "a signed zone whose nameservers are silent about its keys",
    setup: inOrder({
      servers: { 3: { behaviour: silentAbout("DNSKEY") }, 4: { behaviour: silentAbout("DNSKEY") } },
    }),
    expected: "absent servfail",
    shows: (seen) => told(seen) === "indeterminate keys_unanswered" && seen.limit === null,
  },
  {
    name: "a registry that gives no DS record",
    setup: inOrder({
      tld: { records: [ds(GOOD.ds)], behaviour: silentAboutDs },
    }),
    expected: "unresolvable",
    shows: (seen) => told(seen) === "indeterminate not_read" && seen.limit === null,
  },
];

/** Resolvers that answer SERVFAIL, and the cause in the zone or in the resolvers. */
export const DNSSEC_ROWS: Row[] = [
  ...PROVED,
  failing("a DS left behind for a zone without keys", signed(null, [STRANGER.ds]), {
    observed: faulty({ type: "ds_without_keys", dsKeyTags: [STRANGER.keyTag], ...atRegistry }),
    shows: validated("bogus ds_without_keys", 4, 0),
  }),
  failing("a DS of another key", signed(GOOD, [STRANGER.ds]), {
    observed: faulty({
      type: "ds_matches_no_key",
      dsKeyTags: [STRANGER.keyTag],
      keyTags: [GOOD.keyTag],
      ...atRegistry,
    }),
  }),
  failing(
    "a DS with the key's tag and another digest",
    signed(GOOD, [GOOD.ds.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]),
    {
      observed: faulty({
        type: "ds_matches_no_key",
        dsKeyTags: [GOOD.keyTag],
        keyTags: [GOOD.keyTag],
        ...atRegistry,
      }),
    },
  ),
  failing("signatures that expired", faultyZone({ period }, SIGNED_UNTIL + 3 * DAY), {
    observed: faulty({
      type: "signatures_expired",
      zone: "acme.test",
      expiredAt: "2026-03-12T14:00:00.000Z",
    }),
  }),
  failing("signatures not valid yet", faultyZone({ period }, SIGNED_FROM - DAY), {
    observed: faulty({
      type: "signatures_not_yet_valid",
      zone: "acme.test",
      validFrom: "2026-03-01T00:00:00.000Z",
    }),
  }),
  failing("the record without a signature", faultyZone({ unsigned: "TXT" }), {
    observed: faulty({ type: "signatures_missing", zone: "acme.test" }),
  }),
  failing(
    "a signature of other records, which resolvers do not name",
    faultyZone({ mistaken: "TXT" }),
    { observed: faulty({ type: "signatures_invalid", zone: "acme.test" }) },
  ),
  failing("the keys without a signature", faultyZone({ unsigned: "DNSKEY" }), {
    observed: faulty({ type: "signatures_missing", zone: "acme.test" }),
  }),
  failing("an unsigned zone", signed(null, []), {
    observed: faulty({ type: "unsigned", zone: "acme.test" }),
  }),
  failing("a DS of a kind that we do not know", signed(GOOD, [`${GOOD.keyTag} 13 3 00ff`]), {
    observed: faulty(undefined),
  }),
  failing("keys and signatures in order, and resolvers refuse them", inOrder(), {
    observed: faulty(undefined),
  }),
  failing(
    "resolvers fail without validating too",
    signed(null, [STRANGER.ds], { witnesses: Array(3).fill({ behaviour: rcode(2) }) }),
    { observed: faulty({ type: "unreachable" }), shows: (seen) => seen.validation === null },
  ),
  {
    name: "two resolvers of three refuse to answer",
    setup: inOrder({
      witnesses: [{ behaviour: rcode(5) }, { behaviour: rcode(5) }, { behaviour: resolving }],
    }),
    expected: "unresolvable",
    shows: (seen) => seen.witnesses?.[0]?.result === "refused" && seen.validation === null,
  },
  failing(
    "one nameserver of two has lost its keys",
    inOrder({ servers: { 3: {}, 4: { behaviour: plain } } }),
    { observed: faulty(undefined), shows: (seen) => seen.validation?.verdict === "secure" },
  ),
  failing(
    "nameservers that are silent about their keys",
    inOrder({
      servers: { 3: { behaviour: silentAbout("DNSKEY") }, 4: { behaviour: silentAbout("DNSKEY") } },
    }),
    {
      observed: faulty({ type: "keys_unanswered", zone: "acme.test" }),
      shows: (seen) => told(seen) === "indeterminate keys_unanswered",
    },
  ),
  failing(
    "a registry that is silent about the DS",
    signed(null, [STRANGER.ds], {
      tld: { records: [ds(GOOD.ds)], behaviour: silentAboutDs },
    }),
    { observed: faulty(undefined), shows: (seen) => told(seen) === "indeterminate not_read" },
  ),
  failing("more keys than anybody looks at", faultyZone({ idleKeys: 200 }), {
    shows: (seen) => told(seen) === "indeterminate limit" && seen.packets < 40,
  }),
  failing(
    "a DS left behind in a zone above that is no registry's",
    below([ds(STRANGER.ds, SHOP)], (own) => [own]),
    {
      observed: faulty({
        type: "ds_without_keys",
        dsKeyTags: [STRANGER.keyTag],
        zone: SHOP,
        parent: "acme.test",
        secondsRemembered: 86_400,
      }),
    },
  ),
  failing(
    "a DS of another key for the zone above",
    below([], () => [STRANGER.ds]),
    {
      shows: (seen) => told(seen) === "bogus ds_matches_no_key",
    },
  ),
  failing(
    "a DS in a zone above that is not signed itself",
    below([ds(STRANGER.ds, SHOP)], () => []),
    {
      observed: faulty({ type: "unsigned", zone: "acme.test" }),
    },
  ),
];
