import type { Observation } from "../verdict/observation.ts";
import { altered, rcode, refusing, resolving } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, type LabAnswer, type LabRecord } from "./lab-zone.ts";
import {
  answering,
  comesTo,
  type Facts,
  found,
  inShop,
  limitIs,
  type Row,
  type Setup,
  SHOP,
  type Shows,
  three,
  txt,
  unresolvable,
} from "./rows.ts";
import { LABEL, type WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

const DAY = 86_400_000;
/** When signatures with a period of their own are valid. */
const SIGNED_FROM = Date.UTC(2026, 2, 1);
const SIGNED_UNTIL = Date.UTC(2026, 2, 12, 14);
const ds = (data: string, name = "acme.test"): LabRecord => ({
  name,
  type: "DS",
  data,
  ttl: 86_400,
});
/** The reply of every validating resolver for a zone with invalid signatures; 6 is "DNSSEC Bogus". */
const BOGUS = three({ behaviour: refusing(6) });
const servfail = comesTo("absent servfail");
/** Resolvers fail, and this is the fault that is named. */
const failing = (name: string, setup: WorldSetup, fault: Facts | undefined, ...shows: Shows[]) =>
  servfail(name, { witnesses: BOGUS, ...setup }, { fault }, ...shows);

/** acme.test by this signer, if one, and these DS records at its registry, below a signed root. */
const signed = (
  signer: ZoneSigner | null,
  dsRecords: string[],
  rest: WorldSetup = {},
): WorldSetup => ({
  signed: true,
  ...(signer && { signer }),
  tld: { records: dsRecords.map((data) => ds(data)) },
  ...rest,
});
const signer = (fault = {}) => new ZoneSigner("acme.test", fault);
/** In order, and one that signs nothing. */
const [GOOD, STRANGER] = [signer(), signer()];
const inOrder = (rest: WorldSetup = {}) => signed(GOOD, [GOOD.ds], rest);
const faultyZone = (fault: ConstructorParameters<typeof ZoneSigner>[1], rest: WorldSetup = {}) => {
  const one = signer(fault);
  return signed(one, [one.ds], rest);
};
const period = { inception: SIGNED_FROM / 1000, expiration: SIGNED_UNTIL / 1000 };
const ACME = { zone: "acme.test" };
const remembered = { secondsRemembered: 86_400 };

const questions = (seen: Observation, ...types: string[]) =>
  seen.exchanges.filter(({ question }) => types.includes(question.type)).length;
const verdictOf = ({ validation }: Observation) =>
  validation && validation.verdict !== "secure"
    ? `${validation.verdict} ${validation.reason.type}`
    : validation?.verdict;
const judged =
  (verdict: string): Shows =>
  (seen) =>
    verdictOf(seen) === verdict;
/** The verdict, and how many questions there were about keys and about DS records. */
const validated =
  (verdict: string, keys: number, dsRecords: number): Shows =>
  (seen) =>
    verdictOf(seen) === verdict &&
    (seen.chain !== null) === /^(?:in)?secure/.test(verdict) &&
    questions(seen, "DNSKEY") === keys &&
    questions(seen, "DS") === dsRecords;

/** Ignores questions for keys. */
const keyless = answering((query, server) =>
  query.type === "DNSKEY" ? [] : [server.honest(query)],
);
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
const dsUntold = { tld: { records: [ds(GOOD.ds)], behaviour: silentAboutDs } };

/** shop.acme.test, on separate servers, below acme.test, which is signed and has these records. */
const below =
  (records: LabRecord[], inRegistry: (ds: string) => string[]): Setup =>
  (net) => {
    const hosts = { [`ns1.${SHOP}`]: [net.at(5)], [`ns2.${SHOP}`]: [net.at(6)] };
    const soa = { name: SHOP, type: "SOA" as const, data: "7" };
    const own = [soa, ...delegation(SHOP, hosts), txt(`${LABEL}.${SHOP}`)];
    const zones = [{ name: SHOP, records: own }];
    const signer = new ZoneSigner("acme.test");
    return {
      ...signed(signer, inRegistry(signer.ds)),
      ...inShop,
      records: [...delegation(SHOP, hosts), ...records],
      servers: { 5: { zones }, 6: { zones } },
      witnesses: BOGUS,
    };
  };

/** Every server and every resolver has the record: what our own validation says of it decides. */
const PROVED: Row[] = [
  found(
    "a signed zone: its chain for the keys' packets alone",
    inOrder(),
    validated("secure", 3, 0),
  ),
  found(
    "an unsigned zone: the registries' keys, to prove that it is",
    signed(null, []),
    validated("insecure unsigned", 2, 0),
  ),
  found(
    "no trust anchor: no questions about DNSSEC",
    {},
    validated("indeterminate no_anchor", 0, 0),
  ),
  servfail(
    "a signature of other records, which every resolver accepts",
    faultyZone({ mistaken: "TXT" }),
    validated("bogus signatures_invalid", 3, 0),
  ),
  servfail(
    "a signed zone whose nameservers are silent about its keys",
    inOrder(keyless),
    { fault: { type: "keys_unanswered", ...ACME } },
    judged("indeterminate keys_unanswered"),
    limitIs(null),
  ),
  unresolvable(
    "a registry that gives no DS record",
    inOrder(dsUntold),
    judged("indeterminate not_read"),
    limitIs(null),
  ),
];

/** Resolvers that answer SERVFAIL, and the cause in the zone or in the resolvers. */
export const DNSSEC_ROWS: Row[] = [
  ...PROVED,
  failing(
    "a DS left behind for a zone without keys",
    signed(null, [STRANGER.ds]),
    { type: "ds_without_keys", dsKeyTags: [STRANGER.keyTag], ...ACME, ...remembered },
    validated("bogus ds_without_keys", 4, 0),
  ),
  failing("a DS of another key", signed(GOOD, [STRANGER.ds]), {
    type: "ds_matches_no_key",
    dsKeyTags: [STRANGER.keyTag],
    keyTags: [GOOD.keyTag],
    ...ACME,
    ...remembered,
  }),
  failing(
    "a DS with the key's tag and another digest",
    signed(GOOD, [GOOD.ds.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]),
    {
      type: "ds_matches_no_key",
      dsKeyTags: [GOOD.keyTag],
      keyTags: [GOOD.keyTag],
      ...ACME,
      ...remembered,
    },
  ),
  failing("signatures that expired", faultyZone({ period }, { now: SIGNED_UNTIL + 3 * DAY }), {
    type: "signatures_expired",
    ...ACME,
    expiredAt: "2026-03-12T14:00:00.000Z",
  }),
  failing("signatures not valid yet", faultyZone({ period }, { now: SIGNED_FROM - DAY }), {
    type: "signatures_not_yet_valid",
    ...ACME,
    validFrom: "2026-03-01T00:00:00.000Z",
  }),
  failing("the record without a signature", faultyZone({ unsigned: "TXT" }), {
    type: "signatures_missing",
    ...ACME,
  }),
  failing(
    "a signature of other records, which resolvers do not name",
    faultyZone({ mistaken: "TXT" }),
    { type: "signatures_invalid", ...ACME },
  ),
  failing("the keys without a signature", faultyZone({ unsigned: "DNSKEY" }), {
    type: "signatures_missing",
    ...ACME,
  }),
  failing("an unsigned zone", signed(null, []), { type: "unsigned", ...ACME }),
  failing(
    "a DS of a kind that we do not know",
    signed(GOOD, [`${GOOD.keyTag} 13 3 00ff`]),
    undefined,
  ),
  failing("keys and signatures in order, and resolvers refuse them", inOrder(), undefined),
  failing(
    "resolvers fail without validating too",
    signed(null, [STRANGER.ds], { witnesses: three({ behaviour: rcode(2) }) }),
    { type: "unreachable" },
    (seen) => seen.validation === null,
  ),
  unresolvable(
    "two resolvers of three refuse to answer",
    inOrder({
      witnesses: [{ behaviour: rcode(5) }, { behaviour: rcode(5) }, { behaviour: resolving }],
    }),
    (seen) => seen.witnesses?.[0]?.result === "refused" && seen.validation === null,
  ),
  failing(
    "one nameserver of two has lost its keys",
    inOrder({ servers: { 3: {}, 4: { behaviour: plain } } }),
    undefined,
    judged("secure"),
  ),
  failing(
    "a registry that is silent about the DS",
    signed(null, [], dsUntold),
    undefined,
    judged("indeterminate not_read"),
  ),
  servfail(
    "more keys than anybody looks at",
    { witnesses: BOGUS, ...faultyZone({ idleKeys: 200 }) },
    judged("indeterminate limit"),
    ({ packets }) => packets < 40,
  ),
  servfail(
    "a DS left behind in a zone above that is no registry's",
    below([ds(STRANGER.ds, SHOP)], (own) => [own]),
    {
      fault: {
        type: "ds_without_keys",
        dsKeyTags: [STRANGER.keyTag],
        zone: SHOP,
        parent: "acme.test",
        ...remembered,
      },
    },
  ),
  servfail(
    "a DS of another key for the zone above",
    below([], () => [STRANGER.ds]),
    judged("bogus ds_matches_no_key"),
  ),
  servfail(
    "a DS in a zone above that is not signed itself",
    below([ds(STRANGER.ds, SHOP)], () => []),
    { fault: { type: "unsigned", ...ACME } },
  ),
];
