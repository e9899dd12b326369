import {
  altered,
  at,
  isOf,
  isOverTcp,
  resolver,
  saying,
  silent,
  TRUNCATED,
  where,
} from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { type LabRecord, toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { NAME, type Row, type Shows, txt } from "./rows.ts";
import { type Net, TOKEN } from "./world.ts";

/** The token and `count` more values of 200 octets each. */
const crowded = (count: number): LabRecord[] =>
  [TOKEN, ...Array.from({ length: count }, (_, at) => `${at}`.padEnd(200, "x"))].map((data) =>
    txt(NAME, data),
  );
const emptied = altered(() => ({ answers: [] }));
const cut = saying(() => ({ answers: crowded(1).map(toAnswer) }), TRUNCATED);
/** A resolver that sees another view of the zone: no record, or another text. */
const viewing = (...texts: string[]): LabBehaviour =>
  where(
    isOf("TXT"),
    resolver((_, { name }) => ({
      rcode: texts.length > 0 ? 0 : 3,
      answers: texts.map((text) => toAnswer(txt(name, text))),
    })),
  );
const behaviours: Record<string, LabBehaviour> = {
  /** Like a packet filter, but TCP connections open. */
  mute: where(isOverTcp, silent),
  lowers: (query, server) => [server.honest({ ...query, rawName: query.name })],
  "older-over-tcp": at(NAME, where(isOverTcp, emptied)),
  "truncated-always": at(NAME, cut),
  "sees-nothing": viewing(),
  "sees-x": viewing("x"),
};
const worlds = {
  "48 KB": () => ({ records: crowded(200) }),
  "an address listed": (net: Net) => ({ nameservers: { [net.at(3)]: [] } }),
};
const shows: Record<string, Shows> = {
  "UDP answers kept": (seen) =>
    seen.limit === null && seen.servers.every(({ answer }) => answer !== null),
  "at most 20 packets": ({ packets }) => packets <= 20,
  "3 unasked": (_seen, world) => world.seenBy(3) === 0,
  "3 as host": (seen, _, net) => seen.servers.every(({ host }) => host === net.at(3)),
  "no time-out": ({ exchanges }) => exchanges.every(({ result }) => result !== "timeout"),
};

/** Three nameservers, the first with the record: the other two are silent or refuse, or only the second lacks it. */
const BOTH_SILENT = "listed 3 | at 4 silent | at 5 rcode 5";
const ONE_SILENT = "listed 3 | at 4 zone acme.test. 3 | at 5 silent";
const NEITHER = `tells {nameservers: [], publishedOn: [ns1.acme.test], noAnswer: \
[{host: ns2.acme.test, result: timeout}, {host: ns3.acme.test, result: refused}]}`;
const ONE_LACKS = `tells {nameservers: [ns2.acme.test], publishedOn: [ns1.acme.test], \
noAnswer: [{host: ns3.acme.test, result: timeout}]}`;
const FIRST = Date.UTC(2026, 2, 12, 14, 3);
/** Records that are not on every server, or that not everybody sees: silence, stuck serials, views. */
const LAGS = `
nameserver_sync: two nameservers of three silent: their answer is awaited | ${BOTH_SILENT}
  ${NEITHER}
not_published: two nameservers of three silent for longer than the wait | ${BOTH_SILENT}
  history {partialSince: 0}
  ${NEITHER}
not_published: a nameserver whose copy has a higher serial than the one with the record
  listed 3 | at 4 zone acme.test. 3 serial 2024060101 | at 5 silent | history {partialSince: 0}
  tells {nameservers: [ns2.acme.test], stuck: {host: ns2.acme.test, serial: 2024060101, \
published: {host: ns1.acme.test, serial: 7}}}
nameserver_sync: one nameserver of three without the record, one silent: the first is awaited
  ${ONE_SILENT}
  ${ONE_LACKS}
not_published: one nameserver of three without the record for longer than the wait, one silent, \
with the same serial
  ${ONE_SILENT} | history {partialSince: 0}
  tells {stuck: {host: ns2.acme.test, serial: 7, published: {host: ns1.acme.test, serial: 7}}}
  ${ONE_LACKS}
not_published: a nameserver behind, for longer than the wait | listed 2
  at 4 zone acme.test. 2 serial 6 | history {partialSince: 0} | lacks stuck
not_published: a serial of 1 on both, which tells nothing | listed 2 | at 4 zone acme.test. 2 serial 1
  at 3 zone acme.test. 2 serial 1 | + _ TXT | history {partialSince: 0} | lacks stuck
nameserver_sync: one nameserver of three without the record, none silent | listed 3
  at 4 zone acme.test. 3 | at 5 | lacks noAnswer
  tells {nameservers: [ns2.acme.test], publishedOn: [ns1.acme.test, ns3.acme.test]}
nameserver_sync+found: a single silent nameserver of three | listed 3 | at 5 silent
  sees {servers: [{result: answered}, {result: answered}, {result: timeout}]}
nameserver_sync+found: a single silent nameserver of two, after a sync that outlasted its wait
  at 4 silent | history {partialSince: 0}
record_absent: a serial of 0, which tells nothing | no records | at 3,4 zone acme.test. 2 serial 0
  history {firstSerial: 0, serialSince: ${FIRST}}
record_absent: a serial of 1, which tells nothing | no records | at 3,4 zone acme.test. 2 serial 1
  history {firstSerial: 1, serialSince: ${FIRST}}
record_absent: a serial that moved | no records | history {firstSerial: 6, serialSince: ${FIRST}}
not_published: resolvers get another answer for longer than they may remember one
  witnesses sees-nothing / sees-x / honest | history {resolversDue: 0}
  tells {nameservers: [], publishedOn: [ns1.acme.test, ns2.acme.test]}
  tells {resolvers: [{name: witness1, answer: {type: nxdomain}}, \
{name: witness2, answer: {type: values, values: [x]}}]}
`;

/** Nameservers without TCP (the zone's fault if others have it), listed wrongly, or that nobody reaches from here. */
export const NAMESERVER_ROWS: Row[] = rowsOf(
  { behaviours, worlds, shows },
  `
lame_delegation: the record on all servers, and TCP refused by all | at 3,4 no-tcp
  both tcp_refused | shows UDP answers kept
lame_delegation: the record on all servers, and no answer over TCP from any | at 3,4 mute
  both tcp_refused
lame_delegation: the record on all servers, two without TCP and one dead | listed 3
  at 3,4 no-tcp | at 5 silent
  tells {nameservers: [{host: ns1.acme.test, result: tcp_refused}, {host: ns2.acme.test, \
result: tcp_refused}, {host: ns3.acme.test, result: timeout, reason: blocks_us}]}
found: TCP refused by four servers of five | listed 5 | at 3-6 no-tcp | at 7
  sees {confirmation: {host: ns5.acme.test}}
nameserver_sync: an older copy over TCP from one server, the other without TCP | at 3 no-tcp
  at 4 older-over-tcp
unresolvable: the record on all servers, and TCP refused along the whole path | root no-tcp
  tld no-tcp | at 3,4 no-tcp | sees {limit: tcp}
unresolvable: TC, and TCP refused along the whole path | root no-tcp | tld no-tcp
  at 3,4 no-tcp truncating | sees {limit: tcp} | shows at most 20 packets
lame_delegation: the record in a child zone, whose parent's servers have no TCP | claim shop
  shop NS ns.shop .9 | at 3,4 no-tcp | at 9 zone shop ns.shop .9 | + _.shop TXT | both tcp_refused
lame_delegation: lower-cased question under 0x20, and TCP refused | at 3,4 no-tcp lowers
  both case_changed
nameserver_sync+found: lower-cased question under 0x20, and TCP refused, at one server of two
  at 3 no-tcp lowers | at 4
lame_delegation: nameservers in the zone without glue | listed ns1, ns2 | both no_address
lame_delegation: a nameserver in a child zone without glue | claim shop | shop NS ns.shop
  tells {nameservers: [{host: ns.shop.acme.test, result: no_address}], parent: acme.test}
lame_delegation: nameservers that are aliases | listed ns1.host.test., ns2.host.test. | hosting
  + ns1.host.test. CNAME real.host.test. | + ns2.host.test. CNAME real.host.test.
  + real.host.test. A .3 | shows 3 unasked
  tells {nameservers: [{host: ns1.host.test, result: is_alias, target: real.host.test}, \
{host: ns2.host.test, result: is_alias, target: real.host.test}]}
lame_delegation: an address as a nameserver's name | of an address listed | all no_address
  shows 3 as host, 3 unasked
lame_delegation: nameservers at addresses without a route | allow fe80::/10
  # No system sends to a link-local address without an interface, so this holds with and without IPv6.
  listed ns1 fe80::1, ns2 fe80::2 | both ipv6_only | shows no time-out
lame_delegation: a dead IPv4 address beside one without a route | listed ns1 .5 fe80::1
  allow fe80::/10 | at 5 silent
  tells {nameservers: [{host: ns1.acme.test, result: timeout, reason: blocks_us}]}
nameserver_sync+found: one nameserver of two at an address without a route | allow fe80::/10
  listed ns1 .3, ns2 fe80::2
found: an answer of 48 KB over TCP | at 3,4 truncating | of 48 KB
found: an answer of 48 KB over UDP | of 48 KB
lame_delegation: an answer that is truncated over TCP too, the record in what is left
  at 3,4 truncated-always | both too_large
${LAGS}`,
);
