import { altered, at, late, mangled, rcode, referring, silent, truncating } from "./faults.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, labZone, toAnswer } from "./lab-zone.ts";
import { address, allResults, hosting, NAME, nameservers, type Row, txt } from "./rows.ts";
import { TOKEN } from "./world.ts";

const both = (options: LabOptions) => () => ({ servers: { 3: options, 4: options } });
const behaving = (behaviour: LabBehaviour) => both({ behaviour });
const lame = (name: string, behaviour: LabBehaviour, result: string): Row => ({
  name,
  setup: behaving(behaviour),
  expected: "absent lame_delegation",
  shows: allResults(result),
});

const big: LabBehaviour = (query) => [
  encodeAnswer(query, {
    ...empty(0, true),
    answers: [TOKEN, ...Array.from({ length: 220 }, (_, index) => `${index}`.padEnd(240, "x"))].map(
      (data) => toAnswer(txt(query.name, data)),
    ),
  }),
];

/** A datagram longer than the 1,232 octets requested; the honest answer over TCP. */
const overlong: LabBehaviour = (query, server) =>
  query.transport === "tcp"
    ? [server.honest(query)]
    : [
        server.honest(query, (answer) => ({
          ...answer,
          additionals: [
            ...answer.additionals,
            toAnswer(txt(query.name, "x".repeat(250))),
            ...Array.from({ length: 5 }, () => toAnswer(txt(query.name, "y".repeat(250)))),
          ],
        })),
      ];

/** Faults of servers and of the network in between. */
export const TRANSPORT_ROWS: Row[] = [
  { name: "everything in order", setup: () => ({}), expected: "found" },
  lame("SERVFAIL", rcode(2), "servfail"),
  lame("REFUSED", rcode(5), "refused"),
  lame("no answer", silent, "timeout"),
  lame("answers after 10 s", late(10_050), "timeout"),
  { name: "TC, then TCP answer", setup: behaving(truncating()), expected: "found" },
  {
    name: "TC, then TCP refused",
    setup: both({ behaviour: truncating(), tcp: "closed" }),
    expected: "absent lame_delegation",
    shows: allResults("tcp_refused"),
  },
  {
    name: "TCP that trickles one byte a second",
    setup: both({ behaviour: truncating(), tcp: "trickle" }),
    expected: "absent lame_delegation",
    shows: allResults("timeout"),
  },
  lame(
    "not authoritative",
    altered((answer) => ({ ...answer, aa: false })),
    "not_authoritative",
  ),
  lame("upward referral", referring(".", "a.root"), "not_authoritative"),
  {
    name: "referral loop between servers",
    setup: () => ({
      servers: {
        3: { behaviour: referring("acme.test", "ns2.acme.test") },
        4: { behaviour: referring("acme.test", "ns1.acme.test") },
      },
    }),
    expected: "absent lame_delegation",
    shows: allResults("not_authoritative"),
  },
  {
    name: "referral loop at the challenge name",
    setup: behaving(at(NAME, referring(NAME, "ns1.acme.test"))),
    expected: "absent lame_delegation",
    shows: allResults("not_authoritative"),
  },
  lame(
    "wrong id",
    mangled((bytes) => {
      bytes.writeUInt16BE(bytes.readUInt16BE(0) ^ 0x5555, 0);
      return bytes;
    }),
    "timeout",
  ),
  lame(
    "wrong question",
    (query) => [
      encodeAnswer(
        { ...query, rawName: `x${query.rawName.slice(1)}` },
        { ...empty(0, true), answers: [toAnswer(txt(NAME))] },
      ),
    ],
    "timeout",
  ),
  {
    name: "lower-cased question under 0x20",
    setup: behaving((query, server) => [server.honest({ ...query, rawName: query.name })]),
    expected: "found",
    shows: (seen) => seen.exchanges.some((one) => one.transport === "tcp"),
  },
  lame("garbage", () => [Buffer.from("not a DNS message, whatever it says")], "timeout"),
  lame(
    "garbage behind the right question",
    mangled((bytes, query) =>
      Buffer.concat([bytes.subarray(0, 12 + query.rawName.length + 6), Buffer.alloc(40, 0xc1)]),
    ),
    "malformed",
  ),
  lame("64 KB answer", truncating(big), "too_large"),
  { name: "datagrams longer than requested", setup: behaving(overlong), expected: "found" },
  lame(
    "datagrams longer than asked for, and no TCP",
    (query, server) => (query.transport === "tcp" ? [] : overlong(query, server)),
    "tcp_refused",
  ),
  lame("64 KB answer over UDP", big, "too_large"),
  {
    name: "FORMERR to EDNS",
    setup: behaving((query, server) => [
      query.edns ? encodeAnswer(query, empty(1, false)) : server.honest(query),
    ]),
    expected: "found",
  },
  {
    name: "one server of three dead",
    setup: (net) => ({
      nameservers: nameservers(net, 3),
      servers: { 5: { behaviour: silent } },
    }),
    expected: "absent nameserver_sync, then found",
    shows: (seen) => seen.servers[2]?.result === "timeout",
  },
  {
    name: "two servers of three dead",
    setup: (net) => ({
      nameservers: nameservers(net, 3),
      servers: { 4: { behaviour: silent }, 5: { behaviour: silent } },
    }),
    expected: "absent nameserver_sync",
  },
  {
    name: "first address of a server dead, second alive",
    setup: (net) => ({
      nameservers: { "ns1.acme.test": [net.at(5), net.at(3)], "ns2.acme.test": [net.at(4)] },
      servers: { 5: { behaviour: silent } },
    }),
    expected: "found",
    shows: (seen) =>
      allResults("answered")(seen) &&
      seen.exchanges.some((one) => one.server === "ns1.acme.test" && one.result === "timeout"),
  },
  {
    name: "13 nameservers of two dead addresses each",
    setup: (net) => ({
      nameservers: Object.fromEntries(
        Array.from({ length: 13 }, (_, index) => [
          `ns${index + 10}.acme.test`,
          [net.at(60 + 2 * index), net.at(61 + 2 * index)],
        ]),
      ),
    }),
    expected: "absent lame_delegation",
    shows: (seen) => seen.servers.length === 13 && seen.packets > 50,
  },
  {
    name: "every server slow, the read done before its deadline",
    setup: () => ({
      root: { behaviour: late(1_500) },
      tld: { behaviour: late(1_500) },
      servers: { 3: { behaviour: late(2_000) }, 4: { behaviour: late(2_000) } },
    }),
    expected: "found",
  },
  {
    name: "every server slow, past the deadline",
    setup: (net) => {
      const slow = { behaviour: late(3_400) };
      const { tld, zone } = hosting(net, [
        address("ns1.host.test", net.at(3)),
        address("ns2.host.test", net.at(4)),
      ]);
      return {
        nameservers: { "ns1.host.test": [], "ns2.host.test": [] },
        root: slow,
        tld: { ...slow, ...tld },
        servers: { 3: slow, 4: slow, 5: { ...slow, zones: [zone] } },
      };
    },
    expected: "unresolvable",
    shows: (seen) => seen.limit === "deadline",
  },
  {
    name: "root silent",
    setup: () => ({ root: { behaviour: silent } }),
    expected: "unresolvable",
    shows: (seen) => seen.delegation.type === "unreachable" && seen.delegation.zone === ".",
  },
  {
    name: "registry silent",
    setup: () => ({ tld: { behaviour: silent } }),
    expected: "unresolvable",
    shows: (seen) => seen.delegation.type === "unreachable" && seen.delegation.zone === "test",
  },
  {
    name: "registry answers SERVFAIL",
    setup: () => ({ tld: { behaviour: rcode(2) } }),
    expected: "unresolvable",
  },
  {
    name: "one of two registry servers dead",
    setup: (net) => ({
      root: {
        behaviour: altered((answer) => ({
          ...answer,
          authorities: delegation("test", { "ns.test": [], "ns0.test": [] }).map(toAnswer),
          additionals: delegation("test", { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] })
            .filter((one) => one.type === "A")
            .map(toAnswer),
        })),
      },
    }),
    expected: "found",
  },
  {
    name: "the registry server that was asked first gives nothing over TCP, and the other does",
    setup: (net) => {
      const servers = { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] };
      const zone = { "ns1.acme.test": [net.at(3)], "ns2.acme.test": [net.at(4)] };
      let first: string | undefined;
      const behaviour: LabBehaviour = (query, server) => {
        if (query.transport === "udp") first ??= server.address;
        const isMute = query.transport === "tcp" && server.address === first;
        return isMute ? [] : [server.honest(query)];
      };
      return {
        root: {
          behaviour: altered((answer) => ({
            ...answer,
            authorities: delegation("test", servers)
              .filter((one) => one.type === "NS")
              .map(toAnswer),
            additionals: delegation("test", servers)
              .filter((one) => one.type === "A")
              .map(toAnswer),
          })),
        },
        tld: { behaviour },
        servers: {
          3: {},
          4: {},
          9: { behaviour, zones: [labZone("test", servers, delegation("acme.test", zone))] },
        },
      };
    },
    expected: "found",
  },
];
