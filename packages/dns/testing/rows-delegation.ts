import { isAtOrBelow } from "../names.ts";
import { witnessedNames } from "../verdict/publication-status.ts";
import { altered, crowd, referring } from "./faults.ts";
import type { LabOptions } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import { address, allResults, hosting, NAME, type Row, results, SHOP, txt } from "./rows.ts";
import { LABEL, type Net, TOKEN } from "./world.ts";

const challenge = txt(NAME);

/** Nameservers at refused addresses; the server at .9 shows whether a packet was sent anyway. */
const blocked = (name: string, addresses: (net: Net) => string[]): Row => ({
  name: `nameserver at ${name}`,
  setup: (net) => ({
    nameservers: { "ns1.acme.test": addresses(net) },
    servers: { 3: {}, 9: {} },
  }),
  expected: "absent lame_delegation",
  shows: (seen, world) =>
    allResults("blocked_address")(seen) &&
    world.seenBy(3) + world.seenBy(4) + world.seenBy(9) === 0 &&
    seen.exchanges.every((one) => !addresses({ prefix: "", at: String }).includes(one.address)),
});

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
  {
    name: "1,500 nameservers",
    setup: () => ({ tld: registryCrowd(1_500) }),
    expected: "unresolvable",
    shows: (seen) => seen.packets <= 10,
  },
  {
    name: "500 nameservers",
    setup: () => ({ tld: registryCrowd(500) }),
    expected: "unresolvable",
    shows: (seen) =>
      seen.servers.length === 32 &&
      seen.delegation.type === "delegated" &&
      seen.delegation.nameservers.length === 500,
  },
  {
    name: "glueless nameservers that need each other",
    setup: (net) => ({
      nameservers: { "ns1.other.test": [], "ns2.other.test": [] },
      tld: {
        records: delegation("other.test", { "ns1.acme.test": [], "ns2.acme.test": [] }),
      },
      servers: { 3: { zones: [labZone("acme.test", { "ns.acme.test": [net.at(3)] })] } },
    }),
    expected: "absent lame_delegation",
    shows: allResults("no_address"),
  },
  {
    name: "glueless nameservers elsewhere",
    setup: (net) => {
      const names = { "ns1.host.test": [], "ns2.host.test": [] };
      const { tld, zone } = hosting(net, [
        address("ns1.host.test", net.at(3)),
        address("ns2.host.test", net.at(4)),
      ]);
      return { nameservers: names, ownNameservers: names, tld, servers: { 5: { zones: [zone] } } };
    },
    expected: "found",
    // Eight for the walk and the answers, three for confirmed cuts, two for each witness. Packets are not counted: one
    // that is answered late on a loaded machine is sent twice.
    shows: (seen) => seen.exchanges.filter(({ result }) => result === "answered").length === 17,
  },
  {
    name: "glue out of bailiwick",
    setup: (net) => {
      const { tld, zone } = hosting(net, [address("ns1.host.test", net.at(6))]);
      const own = { "ns1.host.test": [] };
      return {
        // The zone's server delegates its child to a host in another zone and lies about the address.
        domain: SHOP,
        zone: "acme.test",
        records: delegation(SHOP, { "ns1.host.test": [net.at(9)] }),
        tld,
        servers: {
          5: { zones: [zone] },
          6: { zones: [labZone(SHOP, own)] },
          9: { zones: [labZone(SHOP, own, [txt(`${LABEL}.${SHOP}`)])] },
        },
      };
    },
    expected: "absent record_absent",
    shows: (_seen, world) => world.seenBy(9) === 0 && world.seenBy(6) > 0,
  },
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
  {
    name: "parent and child NS differing in all, record on the parent's",
    setup: () => ({ ownNameservers: { "ns8.acme.test": [], "ns9.acme.test": [] } }),
    expected: "absent not_published",
    observed: () => ({
      nameservers: ["ns8.acme.test", "ns9.acme.test"],
      publishedOn: ["ns1.acme.test", "ns2.acme.test"],
      elsewhere: { type: "listed" },
    }),
    shows: (seen) => witnessedNames(seen)?.join() === "ns8.acme.test,ns9.acme.test",
  },
  {
    name: "parent and child NS differing in one, record on the parent's",
    setup: () => ({ ownNameservers: { "ns2.acme.test": [], "ns9.acme.test": [] } }),
    expected: "absent nameserver_sync, then found",
    shows: (seen) => seen.servers.map((one) => one.host).join() === "ns1.acme.test,ns2.acme.test",
  },
  {
    name: "parent and child NS differing, record on the child's",
    setup: (net) => {
      const own = { "ns8.acme.test": [net.at(8)] };
      const old = labZone("acme.test", own);
      return {
        servers: {
          3: { zones: [old] },
          4: { zones: [old] },
          8: { zones: [labZone("acme.test", own, [challenge])] },
        },
      };
    },
    expected: "absent not_published",
    shows: (seen) =>
      seen.unlisted.some(
        (one) => one.host === "ns8.acme.test" && one.answer?.values.includes(TOKEN),
      ),
  },
  {
    name: "the apex served by the parent's own server",
    setup: (net) => {
      const own = { "ns.test": [net.at(2)] };
      return { nameservers: own, tld: { zones: [labZone("acme.test", own, [challenge])] } };
    },
    expected: "found",
    shows: (seen) =>
      seen.delegation.type === "delegated" &&
      seen.delegation.zone === "acme.test" &&
      seen.delegation.parent === "test" &&
      seen.delegation.nameservers.join() === "ns.test",
  },
  {
    name: "a zone cut at the challenge name",
    setup: (net) => ({
      records: delegation(NAME, { "ns.far.test": [] }),
      tld: { records: delegation("far.test", { "ns.far.test": [net.at(5)] }) },
      servers: {
        5: {
          zones: [
            labZone("far.test", { "ns.far.test": [net.at(5)] }),
            labZone(NAME, { "ns.far.test": [] }, [challenge]),
          ],
        },
      },
      witnesses: [],
    }),
    expected: "found",
    shows: (seen) => seen.delegation.type === "delegated" && seen.delegation.zone === NAME,
  },
  {
    name: "a name below its zone",
    setup: () => ({ domain: "shop.acme.test", zone: "acme.test" }),
    expected: "found",
    shows: (seen) => seen.delegation.type === "delegated" && seen.delegation.zone === "acme.test",
  },
  {
    name: "a name the registry does not delegate",
    setup: () => ({ domain: "other.test", zone: "acme.test" }),
    expected: "absent lame_delegation",
    shows: (seen) =>
      seen.delegation.type === "none" &&
      seen.delegation.parent === "test" &&
      seen.delegation.rcode === "NXDOMAIN",
  },
  {
    name: "referrals at every label of a hundred",
    setup: () => {
      const down = {
        behaviour: altered((answer, query) => ({
          ...answer,
          rcode: 0,
          aa: false,
          answers: [],
          authorities: [toAnswer({ name: query.name, type: "NS", data: "ns1.acme.test" })],
        })),
      };
      const domain = `${Array.from({ length: 100 }, () => "a").join(".")}.acme.test`;
      return { domain, zone: "acme.test", servers: { 3: down, 4: down } };
    },
    expected: "absent lame_delegation",
    shows: (seen) => seen.packets < 30,
  },
  {
    name: "13 nameserver names, each two glueless delegations away",
    setup: (net) => {
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
    expected: "unresolvable",
    shows: (seen) => seen.limit === "referrals",
  },
  {
    name: "one of two servers refers upward",
    setup: () => ({ servers: { 3: { behaviour: referring("test", "ns.test") } } }),
    expected: "absent nameserver_sync, then found",
    shows: (seen) => results(seen).join() === "not_authoritative,answered",
  },
];
