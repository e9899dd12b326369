import { altered, at, isOverTcp, saying, silent, TRUNCATED, where } from "./faults.ts";
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
const behaviours: Record<string, LabBehaviour> = {
  /** Like a packet filter, but TCP connections open. */
  mute: where(isOverTcp, silent),
  lowers: (query, server) => [server.honest({ ...query, rawName: query.name })],
  "older-over-tcp": at(NAME, where(isOverTcp, emptied)),
  "truncated-always": at(NAME, cut),
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
`,
);
