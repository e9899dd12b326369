import type { Failure } from "../verdict/observation.ts";
import { at, silent, TRUNCATED, truncating } from "./faults.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, type LabRecord, labZone, toAnswer } from "./lab-zone.ts";
import { address, allResults, cname, hosting, NAME, nameservers, type Row, txt } from "./rows.ts";
import { LABEL, type Net, TOKEN } from "./world.ts";

const LAME = "absent lame_delegation";
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at + 1}.acme.test`);
const failed = (result: Failure, more: object = {}, names = hosts(2)) => ({
  nameservers: names.map((host) => ({ host, result, ...more })),
});
/** ns1 at .3, ns2 at .4, …, all with the same options. */
const servers = (count: number, options: LabOptions) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [3 + at, options]));

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
const tooMany: LabBehaviour = truncating((query) => [
  encodeAnswer(query, { ...empty(0, true), answers: crowded(200).map(toAnswer) }),
]);

const child = (net: Net) =>
  labZone("shop.acme.test", { "ns.shop.acme.test": [net.at(9)] }, [txt(`${LABEL}.shop.acme.test`)]);

/** Nameservers without TCP: the zone's fault if others have TCP, and our side's if none does. */
const WITHOUT_TCP: Row[] = [
  {
    name: "the record on all servers, and TCP refused by all",
    setup: () => ({ servers: servers(2, closed) }),
    expected: LAME,
    observed: () => failed("tcp_refused"),
    // Their UDP answers are kept.
    shows: (seen) => seen.limit === null && seen.servers.every(({ answer }) => answer !== null),
  },
  {
    name: "the record on all servers, and no answer over TCP from any",
    setup: () => ({ servers: servers(2, { behaviour: mute }) }),
    expected: LAME,
    observed: () => failed("tcp_refused"),
  },
  {
    name: "the record on all servers, two without TCP and one dead",
    setup: (net) => ({
      nameservers: nameservers(net, 3),
      servers: { ...servers(2, closed), 5: { behaviour: silent } },
    }),
    expected: LAME,
    observed: () => ({
      nameservers: [
        ...failed("tcp_refused").nameservers,
        { host: "ns3.acme.test", result: "timeout" },
      ],
    }),
  },
  {
    name: "TCP refused by four servers of five",
    setup: (net) => ({
      nameservers: nameservers(net, 5),
      servers: { ...servers(4, closed), 7: {} },
    }),
    expected: "found",
    shows: (seen) => seen.confirmation?.host === "ns5.acme.test",
  },
  {
    name: "an older copy over TCP from one server, the other without TCP",
    setup: () => ({
      servers: {
        3: closed,
        4: {
          behaviour: (query, server) => [
            server.honest(query, (answer) =>
              query.transport === "tcp" && query.name === NAME
                ? { ...answer, answers: [] }
                : answer,
            ),
          ],
        },
      },
    }),
    expected: "absent nameserver_sync",
  },
  {
    name: "the record on all servers, and TCP refused along the whole path",
    setup: () => ({ root: closed, tld: closed, servers: servers(2, closed) }),
    expected: "unresolvable",
    shows: (seen) => seen.limit === "tcp",
  },
  {
    name: "TC, and TCP refused along the whole path",
    setup: () => ({
      root: closed,
      tld: closed,
      servers: servers(2, { ...closed, behaviour: truncating() }),
    }),
    expected: "unresolvable",
    shows: (seen) => seen.limit === "tcp" && seen.packets <= 20,
  },
  {
    name: "the record in a child zone, whose parent's servers have no TCP",
    setup: (net) => ({
      domain: "shop.acme.test",
      zone: "acme.test",
      records: delegation("shop.acme.test", { "ns.shop.acme.test": [net.at(9)] }),
      servers: { ...servers(2, closed), 9: { zones: [child(net)] } },
    }),
    expected: LAME,
    observed: () => failed("tcp_refused"),
  },
  {
    name: "lower-cased question under 0x20, and TCP refused",
    setup: () => ({ servers: servers(2, { ...closed, behaviour: lowerCasing }) }),
    expected: LAME,
    observed: () => failed("case_changed"),
  },
  {
    name: "lower-cased question under 0x20, and TCP refused, at one server of two",
    setup: () => ({ servers: { 3: { ...closed, behaviour: lowerCasing }, 4: {} } }),
    expected: "absent nameserver_sync, then found",
  },
];

/** Nameservers that are listed wrongly, or that this machine cannot reach. */
const LISTED_WRONGLY: Row[] = [
  {
    name: "nameservers in the zone without glue",
    setup: () => ({ nameservers: { "ns1.acme.test": [], "ns2.acme.test": [] } }),
    expected: LAME,
    observed: () => failed("no_address"),
  },
  {
    name: "a nameserver in a child zone without glue",
    setup: () => ({
      domain: "shop.acme.test",
      zone: "acme.test",
      records: delegation("shop.acme.test", { "ns.shop.acme.test": [] }),
    }),
    expected: LAME,
    observed: () => ({
      ...failed("no_address", {}, ["ns.shop.acme.test"]),
      parent: "acme.test",
    }),
  },
  {
    name: "nameservers that are aliases",
    setup: (net) => {
      const { tld, zone } = hosting(net, [
        cname("ns1.host.test", "real.host.test"),
        cname("ns2.host.test", "real.host.test"),
        address("real.host.test", net.at(3)),
      ]);
      const nameservers = { "ns1.host.test": [], "ns2.host.test": [] };
      return { nameservers, tld, servers: { 5: { zones: [zone] } } };
    },
    expected: LAME,
    observed: () =>
      failed("is_alias", { target: "real.host.test" }, ["ns1.host.test", "ns2.host.test"]),
    shows: (_seen, world) => world.seenBy(3) === 0,
  },
  {
    name: "an address as a nameserver's name",
    setup: (net) => ({ nameservers: { [net.at(3)]: [] } }),
    expected: LAME,
    observed: (net) => failed("no_address", {}, [net.at(3)]),
    shows: (_seen, world) => world.seenBy(3) === 0,
  },
  {
    name: "nameservers at addresses without a route",
    // No system sends to a link-local address without an interface, so this holds with and without IPv6.
    setup: () => ({
      nameservers: { "ns1.acme.test": ["fe80::1"], "ns2.acme.test": ["fe80::2"] },
      allow: ["fe80::/10"],
    }),
    expected: LAME,
    observed: () => failed("ipv6_only"),
    // A wait for an answer would show as a timeout.
    shows: ({ exchanges }) => exchanges.every(({ result }) => result !== "timeout"),
  },
  {
    name: "a dead IPv4 address beside one without a route",
    setup: (net) => ({
      nameservers: { "ns1.acme.test": [net.at(5), "fe80::1"] },
      allow: ["fe80::/10"],
      servers: { 5: { behaviour: silent } },
    }),
    expected: LAME,
    observed: () => failed("timeout", {}, ["ns1.acme.test"]),
  },
  {
    name: "one nameserver of two at an address without a route",
    setup: (net) => ({
      nameservers: { "ns1.acme.test": [net.at(3)], "ns2.acme.test": ["fe80::2"] },
      allow: ["fe80::/10"],
    }),
    expected: "absent nameserver_sync, then found",
  },
  {
    name: "an answer of 48 KB, measured",
    setup: () => ({ servers: servers(2, { behaviour: at(NAME, tooMany) }) }),
    expected: LAME,
    observed: () => failed("too_large", { bytes: 48_338, records: 201 }),
    shows: allResults("too_large"),
  },
  {
    name: "an answer that is truncated over TCP too, the record in what is left",
    setup: () => ({
      servers: servers(2, {
        behaviour: at(NAME, (query) => [
          encodeAnswer(query, { ...empty(0, true), answers: crowded(1).map(toAnswer) }, TRUNCATED),
        ]),
      }),
    }),
    expected: LAME,
    observed: () => failed("too_large"),
  },
];

export const NAMESERVER_ROWS: Row[] = [...WITHOUT_TCP, ...LISTED_WRONGLY];
