import type { Observation } from "../verdict/observation.ts";
import {
  at,
  bogus,
  hasCapitals,
  honest,
  isOf,
  isOverTcp,
  opt,
  rcode,
  refusing,
  saying,
  silent,
  where,
} from "./faults.ts";
import type { LabBehaviour, LabQuery } from "./lab-server.ts";
import { rowsOf } from "./row-lines.ts";
import { NAME, type Row, type Shows } from "./rows.ts";

const hasUnderscore = ({ name }: LabQuery) => name.includes("_");
/** A resolver that blocks its answers, with NXDOMAIN and an extended error. */
const filtering = (code: number): LabBehaviour =>
  saying({ rcode: 3, aa: false, additionals: [opt(15, Buffer.from([0, code]))] });

const behaviours: Record<string, LabBehaviour> = {
  "offers-recursion": saying({ rcode: 5, aa: false }, 0x80),
  "drops-txt": where(isOf("TXT"), silent),
  "refuses-txt": where(isOf("TXT"), rcode(5)),
  "refuses-underscores": where(hasUnderscore, rcode(5)),
  "drops-underscores": where(hasUnderscore, silent),
  "fails-at-name": at(NAME, rcode(2)),
  "drops-capitals": where(hasCapitals, silent),
  "drops-edns": where(({ edns }) => edns, silent),
  "filters-15": filtering(15),
  "filters-16": filtering(16),
  "filters-17": filtering(17),
  unreached: refusing(22),
  /** Knows the zone's parent, since it has cached the parent's answers. */
  "late-for-zone": at("acme.test", silent, saying({ aa: false })),
  validating: where(isOf("DNSKEY"), silent, bogus),
  "tcp-alone": where(isOverTcp, honest, silent),
};
const staleAt = ({ servers }: Observation) =>
  servers.flatMap(({ address, own }) => (own ? `${address} ${own}` : [])).join();
const shows: Record<string, Shows> = {
  /** The record is missing; resolvers are asked about the zone, but never for the record. */
  unasked: ({ exchanges }) => {
    const toWitnesses = exchanges.filter(({ server }) => server.startsWith("witness"));
    return toWitnesses.length >= 3 && toWitnesses.every(({ question }) => question.name !== NAME);
  },
  "keys and nothing of the parent": ({ zoneWitnesses }) =>
    Boolean(zoneWitnesses?.every(({ keys, parent }) => keys && parent === null)),
  "4 now at 6": (seen, _, net) => staleAt(seen) === `${net.at(4)} ${net.at(6)}`,
  "3 now at 6": (seen, _, net) => staleAt(seen) === `${net.at(3)} ${net.at(6)}`,
};
/** ns1 at .3 has the record; ns9 of the former provider is still listed, at .4, with its own zone. */
const HALF_MOVED = `
  listed ns1 .3, ns9.old.test. | history {partialSince: 0} | hosting | + ns9.old.test. A .4
  tld old.test. NS dns.host.test. | at 5 zone old.test. dns.host.test. | + ns9.old.test. A .4
  at 3 zone acme.test. ns1 .3 | + _ TXT`;
/** Failures that look the same at the challenge name, resolvers that fail without a record, and stale delegations. */
export const CONTROL_ROWS: Row[] = rowsOf(
  { behaviours, shows },
  `
lame_delegation: a zone that is not set up | at 3,4 rcode 5 | both refused no_zone
lame_delegation: a zone without a usable copy | at 3,4 rcode 2 | both servfail no_copy
lame_delegation: servers that are switched off | at 3,4 silent | witnesses rcode 2
  both timeout silent
lame_delegation: servers that answer resolvers alone | at 3,4 silent | both timeout blocks_us
lame_delegation: resolvers as nameservers | at 3,4 offers-recursion | both refused resolver
lame_delegation: a parking host with a wildcard for every name
  at 3,4 zone . ns.parked.test. | + *. TXT v=spf1 -all | both not_authoritative zone_above
lame_delegation: a parking host with addresses for every name below a TLD
  at 3,4 zone test. ns.parked.test. | + *.test. A 192.0.2.9 | both not_authoritative zone_above
record_absent: a wildcard of the zone's own | * A 192.0.2.9
lame_delegation: TXT dropped | at 3,4 drops-txt | both timeout txt
lame_delegation: TXT refused | at 3,4 refuses-txt | both refused txt
lame_delegation: names with an underscore refused | at 3,4 refuses-underscores
  both refused underscore
lame_delegation: names with an underscore dropped | at 3,4 drops-underscores
  both timeout underscore
lame_delegation: a failure at the challenge name alone | at 3,4 fails-at-name | both servfail name
lame_delegation: capital letters dropped, and no TCP | at 3,4 drops-capitals no-tcp
  both timeout capitals
lame_delegation: EDNS dropped | at 3,4 drops-edns | both timeout capitals
lame_delegation: one server refuses, and the other is silent | at 3 rcode 5 | at 4 silent
  tells {nameservers: [{host: ns1.acme.test, result: refused, reason: no_zone}, \
{host: ns2.acme.test, result: timeout, reason: blocks_us}]}
lame_delegation: nameservers in a domain that nobody has registered
  listed ns1.gone.test., ns2.gone.test.
  tells {nameservers: [{host: ns1.gone.test, result: no_address, reason: unregistered}, \
{host: ns2.gone.test, result: no_address, reason: unregistered}]}
nameserver_sync+found: one nameserver of two in a domain that nobody has registered
  listed ns1 .3, ns2.gone.test.
  tells {noAnswer: [{host: ns2.gone.test, result: no_address, reason: unregistered}]}
lame_delegation: nameservers that a registered domain does not have
  listed ns1.host.test., ns2.host.test. | hosting
  tells {nameservers: [{host: ns1.host.test, result: no_address}, \
{host: ns2.host.test, result: no_address}]}
# Resolvers' answers about a zone, asked for while no nameserver has the record.
servfail: resolvers that the zone's servers drop, who say so | no records | witnesses rcode 2
  tells {fault: {type: unreachable}} | shows unasked
servfail: resolvers that the zone's servers drop, who are late | no records
  witnesses late-for-zone | tells {fault: {type: unreachable}} | shows unasked
record_absent: resolvers that are late for everything | no records | witnesses silent
record_absent: resolvers that are late for slow servers | no records | at 3,4 late 600
  witnesses late-for-zone
servfail: resolvers that filter, codes 15 and 16 | no records
  witnesses filters-15 / filters-16 / honest | tells {fault: {type: filtered}} | shows unasked
servfail: resolvers that filter, code 17 | no records | witnesses filters-17
  tells {fault: {type: filtered}} | shows unasked
record_absent: one resolver of three that filters | no records
  witnesses filters-15 / honest / honest
servfail: resolvers that filter a record that is there | witnesses filters-15
  tells {fault: {type: filtered}}
servfail: resolvers that say that they cannot reach the zone's servers | witnesses unreached
  lacks fault
servfail: keys that resolvers cannot fetch | no records | witnesses validating
  tells {fault: {type: keys_unanswered, zone: acme.test}} | shows unasked
servfail: resolvers that reject signatures | no records | witnesses bogus | lacks fault
  shows unasked
servfail: servers that answer over TCP alone | no records | at 3,4 tcp-alone | witnesses rcode 2
  tells {fault: {type: no_udp}} | shows unasked
servfail: servers that answer over TCP alone, with the record | at 3,4 tcp-alone
  witnesses rcode 2 | tells {fault: {type: no_udp}}
record_absent: resolvers that can resolve the zone | no records
  shows unasked, keys and nothing of the parent
record_absent: no resolvers | no records | no witnesses
# Delegations that are out of date.
not_published: a provider before that is still listed ${HALF_MOVED}
  at 4 zone acme.test. ns9.old.test., ns8.old.test.
  tells {nameservers: [ns9.old.test], publishedOn: [ns1.acme.test], elsewhere: {type: leftover}}
not_published: a second provider that lags and lists the first ${HALF_MOVED}
  at 4 zone acme.test. ns9.old.test., ns8.old.test., ns1
  tells {nameservers: [ns9.old.test]} | lacks elsewhere
not_published: a nameserver that moved, and is still at its old address at the registry
  history {partialSince: 0} | at 3,6 zone acme.test. ns1 .3, ns2 .6 | + _ TXT
  at 4 zone acme.test. ns1 .3, ns2 .4 | shows 4 now at 6
lame_delegation: nameservers in another domain that moved, and their old addresses at the registry
  listed ns1.host.test. .3 | hosting | + ns1.host.test. A .6 | at 3 silent | at 6
  shows 3 now at 6
`,
);
