import type { Observation, Reason } from "../verdict/observation.ts";
import { bogus, late, opt, rcode, silent } from "./faults.ts";
import { encodeAnswer, type LabBehaviour, type LabQuery } from "./lab-server.ts";
import { delegation, empty, type LabRecord, labZone } from "./lab-zone.ts";
import {
  absent,
  address,
  answering,
  comesTo,
  each,
  hosting,
  lame,
  NAME,
  type Row,
  type Shows,
  three,
  txt,
  unpublished,
} from "./rows.ts";
import type { Net, WorldSetup } from "./world.ts";

/** Both nameservers, with the cause that control questions show. */
const because = (result: string, reason?: Reason) => ({
  nameservers: ["ns1.acme.test", "ns2.acme.test"].map((host) => ({
    host,
    result,
    ...(reason && { reason }),
  })),
});
/** Servers that do not answer some questions, over UDP or TCP. */
const deafTo = (
  isUnheard: (query: LabQuery) => boolean,
  tcp: "open" | "closed" = "open",
): WorldSetup => ({
  servers: each({
    tcp,
    behaviour: (query, server) => (isUnheard(query) ? [] : [server.honest(query)]),
  }),
});
const refusing =
  (isRefused: (query: LabQuery) => boolean, code = 5): LabBehaviour =>
  (query, server) => [
    isRefused(query) ? encodeAnswer(query, empty(code, true)) : server.honest(query),
  ];
const offeringRecursion: LabBehaviour = (query) => [encodeAnswer(query, empty(5, false), 0x80)];
/** Both servers have one zone, far above acme.test, with these records. */
const serving = (zone: string, ...records: LabRecord[]) => ({
  servers: each({ zones: [labZone(zone, { "ns.parked.test": [] }, records)] }),
});

/** Failures alike at the challenge name, with causes that other questions tell apart. */
export const CONTROL_ROWS: Row[] = [
  lame("a zone that is not set up", answering(rcode(5)), because("refused", "no_zone")),
  lame("a zone without a usable copy", answering(rcode(2)), because("servfail", "no_copy")),
  lame(
    "servers that are switched off",
    { ...answering(silent), witnesses: three({ behaviour: rcode(2) }) },
    because("timeout", "silent"),
  ),
  lame("servers that answer resolvers alone", answering(silent), because("timeout", "blocks_us")),
  lame("resolvers as nameservers", answering(offeringRecursion), because("refused", "resolver")),
  lame(
    "a parking host with a wildcard for every name",
    serving(".", txt("*", "v=spf1 -all")),
    because("not_authoritative", "zone_above"),
  ),
  lame(
    "a parking host with addresses for every name below a TLD",
    serving("test", address("*.test", "192.0.2.9")),
    because("not_authoritative", "zone_above"),
  ),
  absent("a wildcard of the zone's own", { records: [address("*.acme.test", "192.0.2.9")] }),
  lame(
    "TXT dropped",
    deafTo(({ type }) => type === "TXT"),
    because("timeout", "txt"),
  ),
  lame("TXT refused", answering(refusing(({ type }) => type === "TXT")), because("refused", "txt")),
  lame(
    "names with an underscore refused",
    answering(refusing(({ name }) => name.includes("_"))),
    because("refused", "underscore"),
  ),
  lame(
    "names with an underscore dropped",
    deafTo(({ name }) => name.includes("_")),
    because("timeout", "underscore"),
  ),
  lame(
    "a failure at the challenge name alone",
    answering(refusing(({ name }) => name === NAME, 2)),
    because("servfail", "name"),
  ),
  lame(
    "capital letters dropped, and no TCP",
    deafTo(({ name, rawName }) => name !== rawName, "closed"),
    because("timeout", "capitals"),
  ),
  lame(
    "EDNS dropped",
    deafTo(({ edns }) => edns),
    because("timeout", "capitals"),
  ),
  lame(
    "one server refuses, and the other is silent",
    { servers: { 3: { behaviour: rcode(5) }, 4: { behaviour: silent } } },
    {
      nameservers: [
        { host: "ns1.acme.test", result: "refused", reason: "no_zone" },
        { host: "ns2.acme.test", result: "timeout", reason: "blocks_us" },
      ],
    },
  ),
  lame(
    "nameservers in a domain that nobody has registered",
    { nameservers: { "ns1.gone.test": [], "ns2.gone.test": [] } },
    {
      nameservers: ["ns1.gone.test", "ns2.gone.test"].map((host) => ({
        host,
        result: "no_address",
        reason: "unregistered",
      })),
    },
  ),
  comesTo("absent nameserver_sync, then found")(
    "one nameserver of two in a domain that nobody has registered",
    (net) => ({ nameservers: { "ns1.acme.test": [net.at(3)], "ns2.gone.test": [] } }),
    { noAnswer: [{ host: "ns2.gone.test", result: "no_address", reason: "unregistered" }] },
  ),
  lame(
    "nameservers that a registered domain does not have",
    (net) => {
      const { tld, zone } = hosting(net, []);
      const nameservers = { "ns1.host.test": [], "ns2.host.test": [] };
      return { nameservers, tld, servers: { 5: { zones: [zone] } } };
    },
    {
      nameservers: ["ns1.host.test", "ns2.host.test"].map((host) => ({
        host,
        result: "no_address",
      })),
    },
  ),
];

/** The record is missing, and the resolvers are asked about the zone, but never for the record. */
const unasked: Shows = ({ exchanges }) => {
  const toWitnesses = exchanges.filter(({ server }) => server.startsWith("witness"));
  return toWitnesses.length >= 3 && toWitnesses.every(({ question }) => question.name !== NAME);
};
const servfail = comesTo("absent servfail");
const unresolved = (name: string, setup: WorldSetup, type?: string, more: object = {}): Row =>
  servfail(name, { records: [], ...setup }, { fault: type && { type, ...more } }, unasked);
/** A resolver that withholds its answers, with NXDOMAIN and an extended error. */
const filtering =
  (code: number): LabBehaviour =>
  (query) => [
    encodeAnswer(query, { ...empty(3, false), additionals: [opt(15, Buffer.from([0, code]))] }),
  ];
/** Knows the zone's parent, whose answers it has cached. */
const lateFor =
  (zone: string): LabBehaviour =>
  (query) =>
    query.name === zone ? [] : [encodeAnswer(query, empty(0, false))];
const validating: LabBehaviour = (query, server) =>
  query.type === "DNSKEY" ? [] : bogus(query, server);
const overTcpAlone: LabBehaviour = (query, server) =>
  query.transport === "udp" ? [] : [server.honest(query)];

/** What resolvers say of a zone, asked for while no nameserver has the record. */
export const ZONE_WITNESS_ROWS: Row[] = [
  unresolved(
    "resolvers that the zone's servers drop, who say so",
    { witnesses: three({ behaviour: rcode(2) }) },
    "unreachable",
  ),
  unresolved(
    "resolvers that the zone's servers drop, who are late",
    { witnesses: three({ behaviour: lateFor("acme.test") }) },
    "unreachable",
  ),
  absent("resolvers that are late for everything", {
    records: [],
    witnesses: three({ behaviour: silent }),
  }),
  absent("resolvers that are late for slow servers", {
    records: [],
    ...answering(late(600)),
    witnesses: three({ behaviour: lateFor("acme.test") }),
  }),
  ...[15, 16, 17].map((code) =>
    unresolved(
      `resolvers that filter, code ${code}`,
      { witnesses: three({ behaviour: filtering(code) }) },
      "filtered",
    ),
  ),
  absent("one resolver of three that filters", {
    records: [],
    witnesses: [{ behaviour: filtering(15) }, {}, {}],
  }),
  servfail(
    "resolvers that filter a record that is there",
    { witnesses: three({ behaviour: filtering(15) }) },
    { fault: { type: "filtered" } },
  ),
  unresolved(
    "keys that resolvers cannot fetch",
    { witnesses: three({ behaviour: validating }) },
    "keys_unanswered",
    { zone: "acme.test" },
  ),
  unresolved(
    "resolvers that reject signatures",
    { witnesses: three({ behaviour: bogus }) },
    undefined,
  ),
  unresolved(
    "servers that answer over TCP alone",
    { ...answering(overTcpAlone), witnesses: three({ behaviour: rcode(2) }) },
    "no_udp",
  ),
  servfail(
    "servers that answer over TCP alone, with the record",
    { ...answering(overTcpAlone), witnesses: three({ behaviour: rcode(2) }) },
    { fault: { type: "no_udp" } },
  ),
  absent("resolvers that can resolve the zone", { records: [] }, unasked, ({ zoneWitnesses }) =>
    Boolean(zoneWitnesses?.every(({ keys, parent }) => keys && parent === null)),
  ),
  absent("no resolvers", { records: [], witnesses: [] }),
];

const OLD = { "ns9.old.test": [], "ns8.old.test": [] };
/** The registry lists ns1 at .3, which has the record, and ns9 of the provider before at .4, which has a zone of its own. */
const halfMoved = (own: Record<string, string[]>) => (net: Net) => {
  const { tld, zone } = hosting(net, [address("ns9.old.test", net.at(4))]);
  const old = labZone("old.test", { "dns.host.test": [] }, [address("ns9.old.test", net.at(4))]);
  const listed = { "ns1.acme.test": [net.at(3)], "ns9.old.test": [] };
  return {
    nameservers: listed,
    history: { partialSince: 0 },
    tld: { records: [...tld.records, ...delegation("old.test", { "dns.host.test": [] })] },
    servers: {
      3: { zones: [labZone("acme.test", { "ns1.acme.test": [net.at(3)] }, [txt(NAME)])] },
      4: { zones: [labZone("acme.test", own)] },
      5: { zones: [zone, old] },
    },
  };
};
/** The registry has ns2 at .4, where an old copy of the zone is; the zone has it at .6. */
const movedServer = (net: Net): WorldSetup => {
  const own = { "ns1.acme.test": [net.at(3)], "ns2.acme.test": [net.at(6)] };
  const zones = [labZone("acme.test", own, [txt(NAME)])];
  const old = labZone("acme.test", { ...own, "ns2.acme.test": [net.at(4)] });
  return {
    history: { partialSince: 0 },
    servers: { 3: { zones }, 4: { zones: [old] }, 6: { zones } },
  };
};

/** Delegations that were not brought up to date. */
export const OUTDATED_ROWS: Row[] = [
  unpublished("a provider before that is still listed", halfMoved(OLD), {
    nameservers: ["ns9.old.test"],
    publishedOn: ["ns1.acme.test"],
    elsewhere: { type: "leftover" },
  }),
  unpublished(
    "a second provider that lags and lists the first",
    halfMoved({ ...OLD, "ns1.acme.test": [] }),
    { nameservers: ["ns9.old.test"], elsewhere: undefined },
  ),
  unpublished(
    "a nameserver that moved, and is still at its old address at the registry",
    movedServer,
    (seen, _, net) => staleAt(seen) === `${net.at(4)} ${net.at(6)}`,
  ),
  lame(
    "nameservers in another domain that moved, and their old addresses at the registry",
    (net) => {
      const { tld, zone } = hosting(net, [address("ns1.host.test", net.at(6))]);
      const nameservers = { "ns1.host.test": [net.at(3)] };
      return {
        nameservers,
        tld,
        servers: { 3: { behaviour: silent }, 5: { zones: [zone] }, 6: {} },
      };
    },
    (seen, _, net) => staleAt(seen) === `${net.at(3)} ${net.at(6)}`,
  ),
];
const staleAt = ({ servers }: Observation) =>
  servers.flatMap(({ address, own }) => (own ? `${address} ${own}` : [])).join();
