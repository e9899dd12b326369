import type { Observation } from "../verdict/observation.ts";
import { earliestAsk } from "../verdict/shut-port.ts";
import { isOf, resolver, resolving, where } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { each, NAME, type Row, SHOP, type Shows, txt } from "./rows.ts";
import type { WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

const DAY = 86_400;
const WEEK = 7 * DAY;
const NOW = Math.floor(Date.now() / 1000);
// After the end of a run of the matrix that began at `NOW`.
const LATER = (NOW + 7200) * 1000;
const MUTE = { behaviour: () => [], tcp: "closed" } as const;
const signer = (fault: object = {}, inception = NOW - 3600, expiration = NOW + DAY) =>
  new ZoneSigner("acme.test", { period: { inception, expiration }, ...fault });
/** FRESH: signed after the claim was opened. OLD: signed long before. */
const [FRESH, OLD] = [signer(), new ZoneSigner("acme.test")];

/** acme.test signed by this signer, below a signed root, read over HTTPS alone; `held`: times, in the resolvers' order. */
const shut =
  (one: ZoneSigner | null, held: number[] = [], listed = one) =>
  (): WorldSetup => ({
    signed: true,
    secure: "https",
    overHttps: {
      openedAt: NOW * 1000,
      held: held.map((until, index) => ({ resolver: `witness${index + 1}`, until })),
    },
    ...(one && { signer: one }),
    root: MUTE,
    tld: { ...MUTE, records: listed ? [{ name: "acme.test", type: "DS", data: listed.ds }] : [] },
    servers: each(MUTE),
  });
const worlds: Record<string, () => WorldSetup> = {
  "a fresh zone": shut(FRESH),
  "an unsigned zone": shut(null),
  "another key": shut(FRESH, [], OLD),
  "an old signature": shut(OLD),
  "ended signatures": shut(signer({}, NOW - 7200, NOW - 3600)),
  "mistaken TXT": shut(signer({ mistaken: "TXT" })),
  "mistaken DNSKEY": shut(signer({ mistaken: "DNSKEY" })),
  "unsigned TXT": shut(signer({ unsigned: "TXT" })),
  "unsigned DNSKEY": shut(signer({ unsigned: "DNSKEY" })),
  "one held": shut(FRESH, [LATER]),
  "turns 3 1 2": shut(FRESH, [3, 1, 2]),
  "two held": shut(FRESH, [LATER, LATER, 0]),
  "all held": shut(FRESH, [LATER, LATER, LATER + 60_000]),
  "no claim": () => ({ ...shut(FRESH)(), overHttps: undefined }),
};

/** A resolver that claims to have the token, without a signature, whatever the zone has. */
const lying = where(
  isOf("TXT"),
  resolver((_, { name }) => ({ rcode: 0, authorities: [], answers: [toAnswer(txt(name))] })),
  resolving,
);
const behaviours: Record<string, LabBehaviour> = {
  lying,
  "lying-of-shop": where(({ name }) => name.endsWith(`.${SHOP}`), lying, resolving),
  bare: resolver(({ answers, authorities }) => ({
    answers: answers.filter(({ type }) => type !== "RRSIG"),
    authorities: authorities.filter(({ type }) => type === "SOA"),
  })),
  stubborn: resolver(({ authorities }) => ({
    authorities: authorities.map((one) =>
      one.type === "SOA" ? { ...one, ttl: WEEK, data: { ...one.data, minimum: WEEK } } : one,
    ),
  })),
};

const askedFor = ({ exchanges }: Observation, name: string, type: string) =>
  exchanges.filter(({ question }) => question.name === name && question.type === type);
/** Which resolvers were asked for the challenge name, all over HTTPS. */
const asked =
  (...witnesses: string[]): Shows =>
  (seen) =>
    seen.shut !== undefined &&
    askedFor(seen, seen.challengeName, "TXT")
      .map(({ server, transport }) => `${server} ${transport}`)
      .join() === witnesses.map((one) => `${one} https`).join();
/** Seconds from now until each resolver may be asked again. */
const waits =
  (from: number, until: number): Shows =>
  (seen) => {
    const seconds = ((earliestAsk(seen) ?? 0) - seen.at) / 1000;
    return from <= seconds && seconds <= until;
  };
const shows: Record<string, Shows> = {
  nobody: asked(),
  "witness1 asked": asked("witness1"),
  "witness2 asked": asked("witness2"),
  "witness3 asked": asked("witness3"),
  "a chain": ({ chain }) => chain !== null,
  "no DS of shop": (seen) => askedFor(seen, SHOP, "DS").length === 0,
  "nothing held": (seen) => seen.shut?.held.length === 0,
  "no wait": waits(-LATER, 0),
  "five minutes": waits(290, 310),
  "three hours": waits(10_700, 10_810),
  "a turn held": (seen) => seen.shut?.held.some(({ until }) => until - seen.at >= 290_000) === true,
  later: (seen) => earliestAsk(seen) === LATER,
  ordinary: (seen) =>
    seen.shut === undefined && seen.chain === null && askedFor(seen, NAME, "DNSKEY").length === 0,
  "an RCODE over TCP": (seen) =>
    seen.exchanges.some(({ transport, rcode }) => transport === "tcp" && rcode),
};
const bogus = (reason: string) => `sees {validation: {verdict: bogus, reason: {type: ${reason}}}}`;
const UNSIGNED = "sees {validation: {verdict: insecure, reason: {type: unsigned}}}";

/** Port 53 is shut outward: what signatures over HTTPS prove, and what they do not. */
export const SHUT_PORT_ROWS: Row[] = rowsOf(
  { worlds, behaviours, shows },
  `
found: port 53 shut, a signed record | of a fresh zone | sees {validation: {verdict: secure}}
  shows witness1 asked, a chain
found: port 53 shut without a reset, a signed record | of a fresh zone | root silent
  shows witness1 asked
found: port 53 shut, a signed record of a name within its zone | of a fresh zone | claim shop
  _.shop TXT | shows witness1 asked, no DS of shop
found: port 53 shut, one resolver without DNSSEC | of a fresh zone
  witnesses bare / honest / honest | shows witness2 asked
found: port 53 shut, one resolver silent | of a fresh zone | witnesses no-tcp / honest / honest
  shows witness2 asked
unresolvable: port 53 shut, an unsigned zone | of an unsigned zone | shows nobody
  ${UNSIGNED}
unresolvable: port 53 shut, an unsigned zone below a signed one | of a fresh zone | claim shop
  shop NS ns1.host.test. | witnesses lying-of-shop | shows witness1 asked
  ${UNSIGNED}
unresolvable: port 53 shut, signatures of other records over TXT | of mistaken TXT
  ${bogus("signatures_invalid")}
unresolvable: port 53 shut, no signatures over TXT | of unsigned TXT
  ${bogus("signatures_missing")}
unresolvable: port 53 shut, signatures of other records over DNSKEY | of mistaken DNSKEY
  ${bogus("signatures_invalid")}
unresolvable: port 53 shut, no signatures over DNSKEY | of unsigned DNSKEY
  ${bogus("signatures_missing")}
unresolvable: port 53 shut, a zone signed by another key than its registry names | of another key
  shows nobody
  ${bogus("ds_matches_no_key")}
unresolvable: port 53 shut, a signature from long before the claim | of an old signature
  shows witness1 asked
  ${bogus("signatures_too_old")}
unresolvable: port 53 shut, signatures that have ended | of ended signatures
  ${bogus("signatures_expired")}
unresolvable: port 53 shut, the resolvers forge the record | of a fresh zone | no records
  witnesses lying | shows witness1 asked
  ${bogus("signatures_missing")}
unresolvable: port 53 shut, no resolver with DNSSEC | of a fresh zone | witnesses bare
  shows nobody
unresolvable: port 53 shut, the resolvers over TLS | of a fresh zone | over tls
  shows nobody, nothing held
record_absent: port 53 shut, a signed zone without the record | of a fresh zone | no records
  tells {answer: {type: nxdomain}} | shows witness1 asked, no wait, a turn held
record_absent: port 53 shut, the first resolver still has the denial cached | of one held
  no records | shows witness2 asked
record_absent: port 53 shut, it is the turn of the resolver that was asked longest ago
  of turns 3 1 2 | no records | shows witness2 asked
record_absent: port 53 shut, the last resolver that may be asked | of two held | no records
  shows witness3 asked, five minutes
record_absent: port 53 shut, a denial for a week is kept for three hours | of a fresh zone
  no records | witness stubborn | shows three hours
unresolvable: port 53 shut, every resolver still has the denial cached | of all held
  shows nobody, later
no_matching_record: port 53 shut, another signed value | of a fresh zone | _ TXT another
  tells {values: [another]}
  ${bogus("value_absent")}
cname_conflict: port 53 shut, an alias at the name | of a fresh zone | _ CNAME other.test.
  tells {target: other.test}
lame_delegation: port 53 shut, a name that no registry delegates | of an unsigned zone
  claim none.test. | tells {nameservers: []}
# An attacker who silences the servers of the zone, or of its registry, gains nothing.
lame_delegation: the servers of a signed zone silenced, the root heard | of a fresh zone
  root open | tld open | shows ordinary
unresolvable: the registry silenced, the root heard | of a fresh zone | root open | shows ordinary
unresolvable: the root heard over TCP alone | of a fresh zone | root open no-udp
  shows ordinary, an RCODE over TCP
unresolvable: the root refuses, and nothing else answers | of a fresh zone | root open rcode 5
  shows ordinary
unresolvable: port 53 shut, and no claim that signatures may prove | of no claim | shows ordinary
`,
);
