import { isAtOrBelow } from "../names.ts";
import { witnessedNames } from "../verdict/publication-status.ts";
import { altered, crowd, referring } from "./faults.ts";
import type { LabOptions } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import {
  absent,
  address,
  allResults,
  each,
  found,
  foundLater,
  hosting,
  hostsOf,
  inShop,
  lame,
  limitIs,
  NAME,
  type Row,
  results,
  SHOP,
  txt,
  unpublished,
  unresolvable,
  zoneIs,
} from "./rows.ts";
import { LABEL, type Net, TOKEN } from "./world.ts";

/** Nameservers at refused addresses; the server at .9 shows whether a packet was sent anyway. */
const blocked = (name: string, addresses: (net: Net) => string[]): Row =>
  lame(
    `nameserver at ${name}`,
    (net) => ({ nameservers: { "ns1.acme.test": addresses(net) }, servers: { 3: {}, 9: {} } }),
    allResults("blocked_address"),
    (seen, world) =>
      world.seenBy(3) + world.seenBy(4) + world.seenBy(9) === 0 &&
      seen.exchanges.every((one) => !addresses({ prefix: "", at: String }).includes(one.address)),
  );

/** A registry with very many nameservers for the zone: TC over UDP, all of them over TCP. */
const registryCrowd = (count: number): LabOptions => ({
  behaviour: (query, server) => {
    if (!isAtOrBelow(query.name, "acme.test")) return [server.honest(query)];
    if (query.transport === "tcp") return [crowd(query, "acme.test", count)];
    const truncated = crowd(query, "acme.test", 0);
    truncated.writeUInt16BE(truncated.readUInt16BE(2) | 0x200, 2);
    return [truncated];
  },
});

/** Faults on the path from the root to the zone. */
export const DELEGATION_ROWS: Row[] = [
  unresolvable("1,500 nameservers", { tld: registryCrowd(1_500) }, ({ packets }) => packets <= 10),
  unresolvable(
    "500 nameservers",
    { tld: registryCrowd(500) },
    ({ servers, delegation }) =>
      servers.length === 32 &&
      delegation.type === "delegated" &&
      delegation.nameservers.length === 500,
  ),
  lame(
    "glueless nameservers that need each other",
    (net) => ({
      nameservers: { "ns1.other.test": [], "ns2.other.test": [] },
      tld: { records: delegation("other.test", { "ns1.acme.test": [], "ns2.acme.test": [] }) },
      servers: { 3: { zones: [labZone("acme.test", { "ns.acme.test": [net.at(3)] })] } },
    }),
    allResults("no_address"),
  ),
  found(
    "glueless nameservers elsewhere",
    (net) => {
      const names = { "ns1.host.test": [], "ns2.host.test": [] };
      const { tld, zone } = hosting(net, [
        address("ns1.host.test", net.at(3)),
        address("ns2.host.test", net.at(4)),
      ]);
      return { nameservers: names, ownNameservers: names, tld, servers: { 5: { zones: [zone] } } };
    },
    // 8 to walk and be answered, 3 to confirm cuts, 2 a witness. Not packets: late on a loaded machine, one is sent twice.
    (seen) => seen.exchanges.filter(({ result }) => result === "answered").length === 17,
  ),
  absent(
    "glue out of bailiwick",
    (net) => {
      const { tld, zone } = hosting(net, [address("ns1.host.test", net.at(6))]);
      const own = { "ns1.host.test": [] };
      return {
        ...inShop,
        // The zone's server delegates its child to a host in another zone and lies about the address.
        records: delegation(SHOP, { "ns1.host.test": [net.at(9)] }),
        tld,
        servers: {
          5: { zones: [zone] },
          6: { zones: [labZone(SHOP, own)] },
          9: { zones: [labZone(SHOP, own, [txt(`${LABEL}.${SHOP}`)])] },
        },
      };
    },
    (_seen, world) => world.seenBy(9) === 0 && world.seenBy(6) > 0,
  ),
  blocked("a loopback address", () => ["127.0.0.53", "::1"]),
  blocked("private addresses", () => ["10.0.0.53", "192.168.1.1", "172.16.9.9", "fd00::53"]),
  blocked("link-local addresses", () => ["169.254.7.7", "fe80::53"]),
  blocked("IPv4-mapped addresses", (net) => [`::ffff:${net.at(9)}`]),
  blocked("NAT64, 6to4 and Teredo addresses", () => [
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001::1",
  ]),
  blocked("metadata addresses", () => ["169.254.169.254", "fd00:ec2::254"]),
  blocked("public addresses where clouds answer their own", () => [
    "168.63.129.16",
    "161.26.0.10",
    "183.60.83.19",
  ]),
  unpublished(
    "parent and child NS differing in all, record on the parent's",
    { ownNameservers: { "ns8.acme.test": [], "ns9.acme.test": [] } },
    {
      nameservers: ["ns8.acme.test", "ns9.acme.test"],
      publishedOn: ["ns1.acme.test", "ns2.acme.test"],
      elsewhere: { type: "listed" },
    },
    (seen) => witnessedNames(seen)?.join() === "ns8.acme.test,ns9.acme.test",
  ),
  foundLater(
    "parent and child NS differing in one, record on the parent's",
    { ownNameservers: { "ns2.acme.test": [], "ns9.acme.test": [] } },
    (seen) => hostsOf(seen) === "ns1.acme.test,ns2.acme.test",
  ),
  unpublished(
    "parent and child NS differing, record on the child's",
    (net) => {
      const own = { "ns8.acme.test": [net.at(8)] };
      const old = each({ zones: [labZone("acme.test", own)] });
      return { servers: { ...old, 8: { zones: [labZone("acme.test", own, [txt(NAME)])] } } };
    },
    ({ unlisted }) =>
      unlisted.some((one) => one.host === "ns8.acme.test" && one.answer?.values.includes(TOKEN)),
  ),
  found(
    "the apex served by the parent's own server",
    (net) => {
      const own = { "ns.test": [net.at(2)] };
      return { nameservers: own, tld: { zones: [labZone("acme.test", own, [txt(NAME)])] } };
    },
    zoneIs("acme.test"),
    ({ delegation }) =>
      delegation.type === "delegated" &&
      delegation.parent === "test" &&
      delegation.nameservers.join() === "ns.test",
  ),
  found(
    "a zone cut at the challenge name",
    (net) => {
      const far = { "ns.far.test": [net.at(5)] };
      const cut = labZone(NAME, { "ns.far.test": [] }, [txt(NAME)]);
      return {
        records: delegation(NAME, { "ns.far.test": [] }),
        tld: { records: delegation("far.test", far) },
        servers: { 5: { zones: [labZone("far.test", far), cut] } },
        witnesses: [],
      };
    },
    zoneIs(NAME),
  ),
  found("a name below its zone", inShop, zoneIs("acme.test")),
  lame(
    "a name the registry does not delegate",
    { domain: "other.test", zone: "acme.test" },
    ({ delegation }) =>
      delegation.type === "none" && delegation.parent === "test" && delegation.rcode === "NXDOMAIN",
  ),
  lame(
    "referrals at every label of a hundred",
    {
      domain: `${Array(100).fill("a").join(".")}.acme.test`,
      zone: "acme.test",
      servers: each({
        behaviour: altered((answer, query) => ({
          ...answer,
          rcode: 0,
          aa: false,
          answers: [],
          authorities: [toAnswer({ name: query.name, type: "NS", data: "ns1.acme.test" })],
        })),
      }),
    },
    ({ packets }) => packets < 30,
  ),
  unresolvable(
    "13 nameserver names, each two glueless delegations away",
    (net) => {
      const all = Array.from({ length: 13 }, (_, index) => index);
      return {
        nameservers: Object.fromEntries(all.map((index) => [`ns.y${index}.test`, []])),
        tld: {
          records: all.flatMap((index) => [
            ...delegation(`y${index}.test`, { [`ns.z${index}.test`]: [] }),
            ...delegation(`z${index}.test`, { [`dns.z${index}.test`]: [net.at(5)] }),
          ]),
        },
        servers: {
          5: {
            zones: all.flatMap((index) => [
              labZone(`z${index}.test`, { [`ns.z${index}.test`]: [net.at(5)] }),
              labZone(`y${index}.test`, { [`ns.y${index}.test`]: [net.at(3)] }),
            ]),
          },
        },
      };
    },
    limitIs("referrals"),
  ),
  foundLater(
    "one of two servers refers upward",
    { servers: { 3: { behaviour: referring("test", "ns.test") } } },
    (seen) => results(seen).join() === "not_authoritative,answered",
  ),
];
