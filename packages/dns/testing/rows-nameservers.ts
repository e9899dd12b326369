import type { Failure } from "../verdict/observation.ts";
import { at, silent, TRUNCATED, truncating } from "./faults.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, type LabRecord, labZone, toAnswer } from "./lab-zone.ts";
import {
  address,
  allResults,
  answering,
  cname,
  each,
  found,
  foundLater,
  hosting,
  inShop,
  lame,
  limitIs,
  NAME,
  nameservers,
  type Row,
  SHOP,
  type Shows,
  syncing,
  txt,
  unresolvable,
} from "./rows.ts";
import { LABEL, TOKEN } from "./world.ts";

const failed = (
  result: Failure,
  more: object = {},
  names = ["ns1.acme.test", "ns2.acme.test"],
) => ({
  nameservers: names.map((host) => ({ host, result, ...more })),
});

const closed: LabOptions = { tcp: "closed" };
/** Like a packet filter, except that the TCP connection is established. */
const mute: LabBehaviour = (query, server) =>
  query.transport === "tcp" ? [] : [server.honest(query)];
const lowerCasing: LabBehaviour = (query, server) => [
  server.honest({ ...query, rawName: query.name }),
];

/** The token and `count` more values of 200 octets each. */
const crowded = (count: number): LabRecord[] =>
  [TOKEN, ...Array.from({ length: count }, (_, at) => `${at}`.padEnd(200, "x"))].map((data) =>
    txt(NAME, data),
  );
const crowd =
  (count: number, flags = 0): LabBehaviour =>
  (query) => [
    encodeAnswer(query, { ...empty(0, true), answers: crowded(count).map(toAnswer) }, flags),
  ];

const IN_SHOP = `ns.${SHOP}`;
const UNASKED: Shows = (_seen, world) => world.seenBy(3) === 0;

/** Nameservers without TCP: the zone's fault if others have TCP, and our side's if none does. */
const WITHOUT_TCP: Row[] = [
  lame(
    "the record on all servers, and TCP refused by all",
    { servers: each(closed) },
    failed("tcp_refused"),
    // Their UDP answers are kept.
    (seen) => seen.limit === null && seen.servers.every(({ answer }) => answer !== null),
  ),
  lame(
    "the record on all servers, and no answer over TCP from any",
    answering(mute),
    failed("tcp_refused"),
  ),
  lame(
    "the record on all servers, two without TCP and one dead",
    (net) => ({
      nameservers: nameservers(net, 3),
      servers: { ...each(closed), 5: { behaviour: silent } },
    }),
    {
      nameservers: [
        ...failed("tcp_refused").nameservers,
        { host: "ns3.acme.test", result: "timeout", reason: "blocks_us" },
      ],
    },
  ),
  found(
    "TCP refused by four servers of five",
    (net) => ({ nameservers: nameservers(net, 5), servers: { ...each(closed, 4), 7: {} } }),
    (seen) => seen.confirmation?.host === "ns5.acme.test",
  ),
  syncing("an older copy over TCP from one server, the other without TCP", {
    servers: {
      3: closed,
      4: {
        behaviour: (query, server) => [
          server.honest(query, (answer) =>
            query.transport === "tcp" && query.name === NAME ? { ...answer, answers: [] } : answer,
          ),
        ],
      },
    },
  }),
  unresolvable(
    "the record on all servers, and TCP refused along the whole path",
    { root: closed, tld: closed, servers: each(closed) },
    limitIs("tcp"),
  ),
  unresolvable(
    "TC, and TCP refused along the whole path",
    { root: closed, tld: closed, servers: each({ ...closed, behaviour: truncating() }) },
    limitIs("tcp"),
    ({ packets }) => packets <= 20,
  ),
  lame(
    "the record in a child zone, whose parent's servers have no TCP",
    (net) => {
      const own = { [IN_SHOP]: [net.at(9)] };
      const child = labZone(SHOP, own, [txt(`${LABEL}.${SHOP}`)]);
      const servers = { ...each(closed), 9: { zones: [child] } };
      return { ...inShop, records: delegation(SHOP, own), servers };
    },
    failed("tcp_refused"),
  ),
  lame(
    "lower-cased question under 0x20, and TCP refused",
    { servers: each({ ...closed, behaviour: lowerCasing }) },
    failed("case_changed"),
  ),
  foundLater("lower-cased question under 0x20, and TCP refused, at one server of two", {
    servers: { 3: { ...closed, behaviour: lowerCasing }, 4: {} },
  }),
];

/** Nameservers that are listed wrongly, or that this machine cannot reach. */
const LISTED_WRONGLY: Row[] = [
  lame(
    "nameservers in the zone without glue",
    { nameservers: { "ns1.acme.test": [], "ns2.acme.test": [] } },
    failed("no_address"),
  ),
  lame(
    "a nameserver in a child zone without glue",
    { ...inShop, records: delegation(SHOP, { [IN_SHOP]: [] }) },
    { ...failed("no_address", {}, [IN_SHOP]), parent: "acme.test" },
  ),
  lame(
    "nameservers that are aliases",
    (net) => {
      const { tld, zone } = hosting(net, [
        cname("ns1.host.test", "real.host.test"),
        cname("ns2.host.test", "real.host.test"),
        address("real.host.test", net.at(3)),
      ]);
      const nameservers = { "ns1.host.test": [], "ns2.host.test": [] };
      return { nameservers, tld, servers: { 5: { zones: [zone] } } };
    },
    failed("is_alias", { target: "real.host.test" }, ["ns1.host.test", "ns2.host.test"]),
    UNASKED,
  ),
  lame(
    "an address as a nameserver's name",
    (net) => ({ nameservers: { [net.at(3)]: [] } }),
    allResults("no_address"),
    (seen, _, net) => seen.servers.every(({ host }) => host === net.at(3)),
    UNASKED,
  ),
  lame(
    "nameservers at addresses without a route",
    // No system sends to a link-local address without an interface, so this holds with and without IPv6.
    {
      nameservers: { "ns1.acme.test": ["fe80::1"], "ns2.acme.test": ["fe80::2"] },
      allow: ["fe80::/10"],
    },
    failed("ipv6_only"),
    // A wait for an answer would show as a timeout.
    ({ exchanges }) => exchanges.every(({ result }) => result !== "timeout"),
  ),
  lame(
    "a dead IPv4 address beside one without a route",
    (net) => ({
      nameservers: { "ns1.acme.test": [net.at(5), "fe80::1"] },
      allow: ["fe80::/10"],
      servers: { 5: { behaviour: silent } },
    }),
    failed("timeout", { reason: "blocks_us" }, ["ns1.acme.test"]),
  ),
  foundLater("one nameserver of two at an address without a route", (net) => ({
    nameservers: { "ns1.acme.test": [net.at(3)], "ns2.acme.test": ["fe80::2"] },
    allow: ["fe80::/10"],
  })),
  found("an answer of 48 KB over TCP", { ...answering(truncating()), records: crowded(200) }),
  found("an answer of 48 KB over UDP", { records: crowded(200) }),
  lame(
    "an answer that is truncated over TCP too, the record in what is left",
    answering(at(NAME, crowd(1, TRUNCATED))),
    failed("too_large"),
  ),
];

export const NAMESERVER_ROWS: Row[] = [...WITHOUT_TCP, ...LISTED_WRONGLY];
