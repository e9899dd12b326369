import type { Observation } from "../verdict/observation.ts";
import { altered, hasCapitals, isOf, rcode, refusing, resolving, silent, where } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import type { LabAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import type { Row, Shows } from "./rows.ts";
import type { WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

const DAY = 86_400_000;
/** When signatures with this `period` are valid. */
const SIGNED_FROM = Date.UTC(2026, 2, 1);
const SIGNED_UNTIL = Date.UTC(2026, 2, 12, 14);
const period = { inception: SIGNED_FROM / 1000, expiration: SIGNED_UNTIL / 1000 };
/** acme.test signed by `signer` (or unsigned), with these DS records at its registry, below a signed root. */
const signed = (signer: ZoneSigner | null, ds: string[], rest: WorldSetup = {}) => ({
  signed: true,
  ...(signer && { signer }),
  tld: {
    records: ds.map((data) => ({ name: "acme.test", type: "DS" as const, data, ttl: 86_400 })),
  },
  ...rest,
});
/** GOOD signs the zone, STRANGER signs nothing. */
const [GOOD, STRANGER] = [new ZoneSigner("acme.test"), new ZoneSigner("acme.test")];
const faulty = (fault: ConstructorParameters<typeof ZoneSigner>[1], rest?: WorldSetup) => {
  const one = new ZoneSigner("acme.test", fault);
  return () => signed(one, [one.ds], rest);
};
const own = new ZoneSigner("acme.test");
const worlds: Record<string, () => WorldSetup> = {
  "a signed zone": () => signed(GOOD, [GOOD.ds]),
  "an unsigned zone": () => signed(null, []),
  /** The registry has a DS record of the zone, which has no keys. */
  "a DS, and no keys": () => signed(null, [GOOD.ds]),
  "a DS alone": () => signed(null, [STRANGER.ds]),
  "another DS": () => signed(GOOD, [STRANGER.ds]),
  "another digest": () =>
    signed(GOOD, [GOOD.ds.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]),
  "an unknown DS": () => signed(GOOD, [`${GOOD.keyTag} 13 3 00ff`]),
  "mistaken signatures": faulty({ mistaken: "TXT" }),
  expired: faulty({ period }, { now: SIGNED_UNTIL + 3 * DAY }),
  early: faulty({ period }, { now: SIGNED_FROM - DAY }),
  "no signature of TXT": faulty({ unsigned: "TXT" }),
  "no signature of DNSKEY": faulty({ unsigned: "DNSKEY" }),
  "no signature of NSEC": faulty({ unsigned: "NSEC" }),
  "200 keys": faulty({ idleKeys: 200 }),
  // shop.acme.test is a zone with its own servers below acme.test.
  "a signed zone above": () => signed(own, [own.ds]),
  "a zone above with another DS": () => signed(own, [STRANGER.ds]),
  "a zone above without DS": () => signed(own, []),
};

const SECURE_TYPES = ["DS", "DNSKEY", "RRSIG", "NSEC"];
const without = (records: LabAnswer["answers"], ...types: string[]) =>
  records.filter(({ type }) => !types.includes(type));
const undenied = altered(({ authorities }) => ({
  authorities: without(authorities, ...SECURE_TYPES),
}));
const undenying = altered(({ authorities }) => ({ authorities: without(authorities, "NSEC") }));
const behaviours: Record<string, LabBehaviour> = {
  /** Proves no denial at all, or no denial of a name with a capital letter. */
  undenying,
  "undenying-capitals": where(hasCapitals, undenying),
  "capitals-over-tcp": where(hasCapitals, silent),
  /** Resolvers that pass on the letter case, and then fail or are late. */
  "failing-capitals": where(hasCapitals, rcode(2), resolving),
  "late-capitals": where(hasCapitals, silent, resolving),
  /** Resolvers that wait for the keys, which they need for this zone. */
  "awaiting-keys": where(({ name }) => name.endsWith("acme.test"), silent, resolving),
  /** All validating resolvers refuse a zone with invalid signatures; 6 is "DNSSEC Bogus". */
  refusing: refusing(6),
  keyless: where(isOf("DNSKEY"), silent),
  plain: altered(({ answers, authorities }) => ({
    answers: without(answers, ...SECURE_TYPES),
    authorities: without(authorities, ...SECURE_TYPES),
  })),
  "silent-about-ds": where(isOf("DS"), silent, undenied),
};

const questions = (seen: Observation, type: string) =>
  seen.exchanges.filter(({ question }) => question.type === type).length;
/** How many questions were about keys and DS records. */
const asked =
  (keys: number, ds: number): Shows =>
  (seen) =>
    questions(seen, "DNSKEY") === keys && questions(seen, "DS") === ds;
const shows: Record<string, Shows> = {
  "a chain": (seen) => seen.chain !== null,
  "no chain": (seen) => seen.chain === null,
  "3 questions for keys": asked(3, 0),
  "2 questions for keys": asked(2, 0),
  "no question": asked(0, 0),
  "4 questions for keys": asked(4, 0),
  "under 40 packets": ({ packets }) => packets < 40,
};
/** DS records that match no key of the zone. */
const STRANGERS = `dsKeyTags: [${STRANGER.keyTag}], secondsRemembered: 86400`;
const BELOW = `claim shop | shop NS ns1.shop .5, ns2.shop .6 | witnesses refusing
  at 5,6 zone shop ns1.shop .5, ns2.shop .6 | + _.shop TXT`;
const DS_BELOW = `shop DS ${STRANGER.ds}`;

/** Every server and every resolver has the record, so our own validation decides. */
const PROVED = `
found: a signed zone: its chain for the keys' packets alone | of a signed zone
  sees {validation: {verdict: secure}} | shows a chain, 3 questions for keys
found: an unsigned zone: the registries' keys, to prove that it is | of an unsigned zone
  sees {validation: {verdict: insecure, reason: {type: unsigned}}}
  shows a chain, 2 questions for keys
found: no trust anchor: no questions about DNSSEC
  sees {validation: {verdict: indeterminate, reason: {type: no_anchor}}}
  shows no chain, no question
servfail: a signature of other records, which every resolver accepts | of mistaken signatures
  sees {validation: {verdict: bogus, reason: {type: signatures_invalid}}}
  shows no chain, 3 questions for keys
servfail: a signed zone whose nameservers are silent about its keys | of a signed zone
  at 3,4 keyless | tells {fault: {type: keys_unanswered, zone: acme.test}}
  sees {validation: {verdict: indeterminate, reason: {type: keys_unanswered}}, limit: null}
unresolvable: a registry that gives no DS record | of a signed zone | tld silent-about-ds
  sees {validation: {verdict: indeterminate, reason: {type: not_read}}, limit: null}
`;
/** Resolvers that answer SERVFAIL, and why: the zone or the resolvers. */
export const DNSSEC_ROWS: Row[] = rowsOf(
  { worlds, behaviours, shows },
  `${PROVED}
servfail: a DS left behind for a zone without keys | of a DS alone | witnesses refusing
  tells {fault: {type: ds_without_keys, zone: acme.test, ${STRANGERS}}}
  sees {validation: {verdict: bogus, reason: {type: ds_without_keys}}}
  shows no chain, 4 questions for keys
servfail: a DS of another key | of another DS | witnesses refusing
  tells {fault: {type: ds_matches_no_key, zone: acme.test, ${STRANGERS}, keyTags: [${GOOD.keyTag}]}}
servfail: a DS with the key's tag and another digest | of another digest | witnesses refusing
  tells {fault: {type: ds_matches_no_key, zone: acme.test, secondsRemembered: 86400, \
dsKeyTags: [${GOOD.keyTag}], keyTags: [${GOOD.keyTag}]}}
servfail: signatures that expired | of expired | witnesses refusing
  tells {fault: {type: signatures_expired, zone: acme.test, expiredAt: 2026-03-12T14:00:00.000Z}}
servfail: signatures not valid yet | of early | witnesses refusing
  tells {fault: {type: signatures_not_yet_valid, zone: acme.test, \
validFrom: 2026-03-01T00:00:00.000Z}}
servfail: the record without a signature | of no signature of TXT | witnesses refusing
  tells {fault: {type: signatures_missing, zone: acme.test}}
servfail: a signature of other records, which resolvers do not name | of mistaken signatures
  witnesses refusing | tells {fault: {type: signatures_invalid, zone: acme.test}}
servfail: the keys without a signature | of no signature of DNSKEY | witnesses refusing
  tells {fault: {type: signatures_missing, zone: acme.test}}
servfail: an unsigned zone | of an unsigned zone | witnesses refusing
  tells {fault: {type: unsigned, zone: acme.test}}
servfail: a DS of a kind that we do not know | of an unknown DS | witnesses refusing | lacks fault
servfail: keys and signatures in order, and resolvers refuse them | of a signed zone
  witnesses refusing | lacks fault
servfail: resolvers fail without validating too | of a DS alone | witnesses rcode 2
  tells {fault: {type: unreachable}} | sees {validation: null}
unresolvable: two resolvers of three refuse to answer | of a signed zone
  witnesses rcode 5 / rcode 5 / resolving | sees {validation: null}
  sees {witnesses: [{result: refused}, {result: refused}, {result: answered}]}
servfail: one nameserver of two has lost its keys | of a signed zone | at 3 | at 4 plain
  witnesses refusing | lacks fault | sees {validation: {verdict: secure}}
servfail: a registry that is silent about the DS | of a DS, and no keys
  tld silent-about-ds | witnesses refusing | lacks fault
  sees {validation: {verdict: indeterminate, reason: {type: not_read}}}
servfail: more keys than anybody looks at | of 200 keys | witnesses refusing
  sees {validation: {verdict: indeterminate, reason: {type: limit}}} | shows under 40 packets
servfail: a DS left behind in a zone above that is no registry's | of a signed zone above
  ${BELOW}
  ${DS_BELOW}
  tells {fault: {type: ds_without_keys, zone: shop.acme.test, parent: acme.test, ${STRANGERS}}}
servfail: a DS of another key for the zone above | of a zone above with another DS
  ${BELOW} | sees {validation: {verdict: bogus, reason: {type: ds_matches_no_key}}}
servfail: a DS in a zone above that is not signed itself | of a zone above without DS
  ${BELOW}
  ${DS_BELOW}
  tells {fault: {type: unsigned, zone: acme.test}}
servfail: a DS left behind, before there is a record | of a DS alone | no records
  witnesses refusing | tells {fault: {type: ds_without_keys, zone: acme.test, ${STRANGERS}}}
servfail: signatures that expired, before there is a record | of expired | no records
  witnesses refusing
  tells {fault: {type: signatures_expired, zone: acme.test, expiredAt: 2026-03-12T14:00:00.000Z}}
servfail: denials without a signature | of no signature of NSEC | no records | witnesses refusing
  tells {fault: {type: denial_missing, zone: acme.test}}
servfail: denials without a proof | of a signed zone | no records | at 3,4 undenying
  witnesses refusing | tells {fault: {type: denial_missing, zone: acme.test}}
servfail: denials without a proof where the name has capitals | of a signed zone | no records
  at 3,4 undenying-capitals | witnesses refusing
  tells {fault: {type: capitals, zone: acme.test}}
servfail: an unsigned zone, before there is a record | of an unsigned zone | no records
  witnesses refusing | tells {fault: {type: unsigned, zone: acme.test}}
servfail: denials in order, and resolvers refuse them | of a signed zone | no records
  witnesses refusing | lacks fault
servfail: another record's signed values, and resolvers refuse them | of a signed zone
  no records | _ TXT x | witnesses refusing | lacks fault
servfail: an alias of a signed zone, which resolvers refuse | of a signed zone | no records
  _ CNAME www | witnesses refusing | lacks fault
servfail: keys that no server gives, before there is a record | of a signed zone | no records
  at 3,4 keyless | witnesses awaiting-keys | tells {fault: {type: keys_unanswered, zone: acme.test}}
servfail: keys that no server gives, and resolvers wait for them | of a signed zone
  at 3,4 keyless | witnesses awaiting-keys | tells {fault: {type: keys_unanswered, zone: acme.test}}
unresolvable: resolvers that give nothing, of a zone in order | of a signed zone
  witnesses awaiting-keys | sees {validation: {verdict: secure}}
`,
);
/** Servers and resolvers that do not answer because of our capital letters, which prevent forgery. */
export const CAPITAL_ROWS: Row[] = rowsOf(
  { worlds, behaviours, shows },
  `
found: servers that drop capitals, and resolvers that pass them on and fail | at 3,4 capitals-over-tcp
  witnesses failing-capitals
found: servers that drop capitals, and resolvers that pass them on and are late
  at 3,4 capitals-over-tcp | witnesses late-capitals
found: nameservers whose addresses are on a server that drops capitals | hosting
  listed ns1.host.test., ns2.host.test. | + ns1.host.test. A .3 | + ns2.host.test. A .4
  at 5 capitals-over-tcp
found: resolvers that fail over capitals alone | witnesses failing-capitals
found: resolvers that are late over capitals alone | witnesses late-capitals
found: a signed zone whose servers drop capitals | of a signed zone | at 3,4 capitals-over-tcp
  witnesses late-capitals | sees {validation: {verdict: secure}}
record_absent: resolvers that are late over capitals, before there is a record | no records
  at 3,4 capitals-over-tcp | witnesses late-capitals
servfail: servers that drop capitals, and resolvers that fail all the same | no records
  at 3,4 capitals-over-tcp | witnesses rcode 2 | tells {fault: {type: capitals, zone: acme.test}}
servfail: servers that drop capitals, with the record, and resolvers that fail all the same
  at 3,4 capitals-over-tcp | witnesses rcode 2 | tells {fault: {type: capitals, zone: acme.test}}
`,
);
