import { altered, at, late, mangled, opt, rcode, referring, silent, truncating } from "./faults.ts";
import { encodeAnswer, type LabBehaviour } from "./lab-server.ts";
import { delegation, empty, labZone, toAnswer } from "./lab-zone.ts";
import {
  address,
  allResults,
  answering,
  each,
  found,
  hosting,
  lame,
  limitIs,
  NAME,
  nameservers,
  type Row,
  type Shows,
  txt,
  unresolvable,
} from "./rows.ts";
import type { Net } from "./world.ts";

const failing = (name: string, behaviour: LabBehaviour, result: string): Row =>
  lame(name, answering(behaviour), allResults(result));
const unreachable =
  (zone: string): Shows =>
  ({ delegation }) =>
    delegation.type === "unreachable" && delegation.zone === zone;

/** A datagram longer than the 1,232 octets requested; the honest answer over TCP. */
const overlong: LabBehaviour = (query, server) => {
  const more = Array.from({ length: 6 }, () => toAnswer(txt(query.name, "x".repeat(250))));
  return [
    server.honest(query, (answer) =>
      query.transport === "tcp"
        ? answer
        : { ...answer, additionals: [...answer.additionals, ...more] },
    ),
  ];
};

/** RFC 7873 section 5.2.3: RCODE 23, of which 7 is in the header. */
const wantingCookies: LabBehaviour = (query, server) => {
  if (query.transport === "tcp") return [server.honest(query)];
  return [
    encodeAnswer(query, { ...empty(7, false), additionals: [opt(10, Buffer.alloc(8), 0x1)] }),
  ];
};

/** The root lists two servers of the registry: the one of every world, and one at .9. */
const twoRegistries = (net: Net) => {
  const records = delegation("test", { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] });
  const of = (type: string) => records.filter((one) => one.type === type).map(toAnswer);
  const behaviour = altered((answer) => ({
    ...answer,
    authorities: of("NS"),
    additionals: of("A"),
  }));
  return { root: { behaviour } };
};

/** Faults of servers and of the network in between. */
export const TRANSPORT_ROWS: Row[] = [
  found("everything in order", {}),
  failing("SERVFAIL", rcode(2), "servfail"),
  failing("REFUSED", rcode(5), "refused"),
  failing("no answer", silent, "timeout"),
  failing("answers after 10 s", late(10_050), "timeout"),
  found("TC, then TCP answer", answering(truncating())),
  found("TC, then a TCP connection lost, then TCP answer", {
    servers: {
      3: { behaviour: truncating() },
      4: { behaviour: truncating(), tcp: "loses_first" },
    },
  }),
  lame(
    "TC, then TCP refused twice",
    { servers: each({ behaviour: truncating(), tcp: "closed" }) },
    allResults("tcp_refused"),
    ({ exchanges }, _world, net) =>
      [3, 4].every((host) => {
        const asked = exchanges.filter(
          ({ address, transport, question }) =>
            address === net.at(host) && transport === "tcp" && question.name === NAME,
        );
        return asked.length === 2;
      }),
  ),
  lame(
    "TCP that trickles one byte a second",
    { servers: each({ behaviour: truncating(), tcp: "trickle" }) },
    allResults("timeout"),
  ),
  failing(
    "not authoritative",
    altered((answer) => ({ ...answer, aa: false })),
    "not_authoritative",
  ),
  failing("upward referral", referring(".", "a.root"), "not_authoritative"),
  lame(
    "referral loop between servers",
    {
      servers: {
        3: { behaviour: referring("acme.test", "ns2.acme.test") },
        4: { behaviour: referring("acme.test", "ns1.acme.test") },
      },
    },
    allResults("not_authoritative"),
  ),
  failing(
    "referral loop at the challenge name",
    at(NAME, referring(NAME, "ns1.acme.test")),
    "not_authoritative",
  ),
  failing(
    "wrong id",
    mangled((bytes) => {
      bytes.writeUInt16BE(bytes.readUInt16BE(0) ^ 0x5555, 0);
      return bytes;
    }),
    "timeout",
  ),
  failing(
    "wrong question",
    (query) => [
      encodeAnswer(
        { ...query, rawName: `x${query.rawName.slice(1)}` },
        { ...empty(0, true), answers: [toAnswer(txt(NAME))] },
      ),
    ],
    "timeout",
  ),
  found(
    "lower-cased question under 0x20",
    answering((query, server) => [server.honest({ ...query, rawName: query.name })]),
    (seen) => seen.exchanges.some((one) => one.transport === "tcp"),
  ),
  failing("garbage", () => [Buffer.from("not a DNS message, whatever it says")], "timeout"),
  failing(
    "garbage behind the right question",
    mangled((bytes, query) =>
      Buffer.concat([bytes.subarray(0, 12 + query.rawName.length + 6), Buffer.alloc(40, 0xc1)]),
    ),
    "malformed",
  ),
  found("datagrams longer than requested", answering(overlong)),
  failing(
    "datagrams longer than asked for, and no TCP",
    (query, server) => (query.transport === "tcp" ? [] : overlong(query, server)),
    "tcp_refused",
  ),
  found(
    "FORMERR to EDNS",
    answering((query, server) => [
      query.edns ? encodeAnswer(query, empty(1, false)) : server.honest(query),
    ]),
  ),
  found("BADCOOKIE over UDP, then TCP answer", answering(wantingCookies)),
  lame(
    "BADCOOKIE over UDP, then TCP refused",
    { servers: each({ behaviour: wantingCookies, tcp: "closed" }) },
    allResults("tcp_refused"),
  ),
  found(
    "first address of a server dead, second alive",
    (net) => ({
      nameservers: { "ns1.acme.test": [net.at(5), net.at(3)], "ns2.acme.test": [net.at(4)] },
      servers: { 5: { behaviour: silent } },
    }),
    allResults("answered"),
    ({ exchanges }) =>
      exchanges.some(({ server, result }) => server === "ns1.acme.test" && result === "timeout"),
  ),
  lame(
    "13 nameservers of two dead addresses each",
    (net) => ({
      nameservers: Object.fromEntries(
        Array.from({ length: 13 }, (_, index) => [
          `ns${index + 10}.acme.test`,
          [net.at(60 + 2 * index), net.at(61 + 2 * index)],
        ]),
      ),
    }),
    (seen) => seen.servers.length === 13 && seen.packets > 50,
  ),
  found("every server slow, the read done before its deadline", {
    root: { behaviour: late(1_500) },
    tld: { behaviour: late(1_500) },
    servers: each({ behaviour: late(2_000) }),
  }),
  unresolvable(
    "every server slow, past the deadline",
    (net) => {
      const slow = { behaviour: late(3_400) };
      const { tld, zone } = hosting(net, [
        address("ns1.host.test", net.at(3)),
        address("ns2.host.test", net.at(4)),
      ]);
      return {
        nameservers: { "ns1.host.test": [], "ns2.host.test": [] },
        root: slow,
        tld: { ...slow, ...tld },
        servers: { ...each(slow), 5: { ...slow, zones: [zone] } },
      };
    },
    limitIs("deadline"),
  ),
  unresolvable("root silent", { root: { behaviour: silent } }, unreachable(".")),
  unresolvable("registry silent", { tld: { behaviour: silent } }, unreachable("test")),
  unresolvable("registry answers SERVFAIL", { tld: { behaviour: rcode(2) } }),
  found("one of two registry servers dead", twoRegistries),
  found(
    "the registry server that was asked first gives nothing over TCP, and the other does",
    (net) => {
      let first: string | undefined;
      const behaviour: LabBehaviour = (query, server) => {
        if (query.transport === "udp") first ??= server.address;
        const isMute = query.transport === "tcp" && server.address === first;
        return isMute ? [] : [server.honest(query)];
      };
      const own = { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] };
      const zone = labZone("test", own, delegation("acme.test", nameservers(net, 2)));
      return {
        ...twoRegistries(net),
        tld: { behaviour },
        servers: { ...each({}), 9: { behaviour, zones: [zone] } },
      };
    },
  ),
];
