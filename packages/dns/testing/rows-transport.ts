import { altered, at, honest, isOverTcp, opt, referring, saying, silent, where } from "./faults.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, labZone, toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { each, NAME, nameservers, type Row, type Shows, txt } from "./rows.ts";
import type { Net } from "./world.ts";

/** Datagrams longer than the 1,232 octets requested. */
const overlong = altered(({ additionals }, { name }) => {
  const more = Array.from({ length: 6 }, () => toAnswer(txt(name, "x".repeat(250))));
  return { additionals: [...additionals, ...more] };
});
const BADCOOKIE = { rcode: 7, additionals: [opt(10, Buffer.alloc(8), 0x1)] };
const behaviours = {
  overlong: where(isOverTcp, honest, overlong),
  "overlong-without-tcp": where(isOverTcp, silent, overlong),
  /** RFC 7873 section 5.2.3: RCODE 23; its lower part, 7, is in the header. */
  cookies: where(isOverTcp, honest, saying({ ...BADCOOKIE, aa: false })),
  unauthoritative: altered(() => ({ aa: false })),
  "refers-upward": referring(".", "a.root"),
  "refers-to-ns1": referring("acme.test", "ns1.acme.test"),
  "refers-to-ns2": referring("acme.test", "ns2.acme.test"),
  "refers-at-name": at(NAME, referring(NAME, "ns1.acme.test")),
  lowers: (query, server) => [server.honest({ ...query, rawName: query.name })],
  garbage: () => [Buffer.from("not a DNS message, whatever it says")],
  "garbage-behind": (query, server) => {
    const question = server.honest(query).subarray(0, 12 + query.rawName.length + 6);
    return [Buffer.concat([question, Buffer.alloc(40, 0xc1)])];
  },
  "without-edns": where(({ edns }) => edns, saying({ rcode: 1, aa: false })),
} satisfies Record<string, LabBehaviour>;

/** The root lists two servers of the registry: the usual one, and one at .9. */
const twoRegistries = (net: Net) => {
  const records = delegation("test", { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] });
  const of = (type: string) => records.filter((one) => one.type === type).map(toAnswer);
  const behaviour = altered(() => ({ authorities: of("NS"), additionals: of("A") }));
  return { root: { behaviour } };
};
/** Both have the zone; the one asked first is silent over TCP. */
const firstMute = (net: Net) => {
  let first: string | undefined;
  const behaviour: LabBehaviour = (query, server) => {
    if (query.transport === "udp") first ??= server.address;
    const isMute = query.transport === "tcp" && server.address === first;
    return isMute ? [] : [server.honest(query)];
  };
  const own = { "ns.test": [net.at(2)], "ns0.test": [net.at(9)] };
  const zone = labZone("test", own, delegation("acme.test", nameservers(net, 2)));
  const servers = { ...each({}), 9: { behaviour, zones: [zone] } };
  return { ...twoRegistries(net), tld: { behaviour }, servers };
};
const DEAD = Array.from({ length: 13 }, (_, at) => `ns${at + 10} .${60 + 2 * at} .${61 + 2 * at}`);

const shows: Record<string, Shows> = {
  "TCP twice at each": ({ exchanges }, _world, net) =>
    [3, 4].every((host) => {
      const asked = exchanges.filter(
        ({ address, transport, question }) =>
          address === net.at(host) && transport === "tcp" && question.name === NAME,
      );
      return asked.length === 2;
    }),
  "over TCP": ({ exchanges }) => exchanges.some(({ transport }) => transport === "tcp"),
  "a time-out of ns1": ({ exchanges }) =>
    exchanges.some(({ server, result }) => server === "ns1.acme.test" && result === "timeout"),
  "all thirteen": (seen) => seen.servers.length === 13 && seen.packets > 50,
};
const worlds = { "two registries": twoRegistries, "first mute": firstMute };

/** Faults of servers and of the network in between. */
export const TRANSPORT_ROWS: Row[] = rowsOf(
  { behaviours, worlds, shows },
  `
found: everything in order
lame_delegation: SERVFAIL | at 3,4 rcode 2 | all servfail
lame_delegation: REFUSED | at 3,4 rcode 5 | all refused
lame_delegation: no answer | at 3,4 silent | all timeout
lame_delegation: answers after 10 s | at 3,4 late 10050 | all timeout
found: TC, then TCP answer | at 3,4 truncating
found: TC, then a TCP connection lost, then TCP answer | at 3 truncating
  at 4 truncating loses-first
lame_delegation: TC, then TCP refused twice | at 3,4 truncating no-tcp | all tcp_refused
  shows TCP twice at each
lame_delegation: not authoritative | at 3,4 unauthoritative | all not_authoritative
lame_delegation: upward referral | at 3,4 refers-upward | all not_authoritative
lame_delegation: referral loop between servers | at 3 refers-to-ns2 | at 4 refers-to-ns1
  all not_authoritative
lame_delegation: referral loop at the challenge name | at 3,4 refers-at-name | all not_authoritative
found: lower-cased question under 0x20 | at 3,4 lowers | shows over TCP
lame_delegation: garbage | at 3,4 garbage | all timeout
lame_delegation: garbage behind the right question | at 3,4 garbage-behind | all malformed
found: datagrams longer than requested | at 3,4 overlong
lame_delegation: datagrams longer than asked for, and no TCP | at 3,4 overlong-without-tcp
  all tcp_refused
found: FORMERR to EDNS | at 3,4 without-edns
found: BADCOOKIE over UDP, then TCP answer | at 3,4 cookies
lame_delegation: BADCOOKIE over UDP, then TCP refused | at 3,4 cookies no-tcp | all tcp_refused
found: first address of a server dead, second alive | listed ns1 .5 .3, ns2 .4 | at 5 silent
  all answered | shows a time-out of ns1
lame_delegation: 13 nameservers of two dead addresses each | shows all thirteen
  listed ${DEAD.join(", ")}
found: every server slow, the read done before its deadline | root late 1500 | tld late 1500
  at 3,4 late 2000
unresolvable: every server slow, past the deadline | listed ns1.host.test., ns2.host.test.
  root late 3400 | hosting | + ns1.host.test. A .3 | + ns2.host.test. A .4 | tld late 3400
  at 3-5 late 3400 | sees {limit: deadline}
unresolvable: root silent | root silent | sees {delegation: {type: unreachable, zone: .}}
unresolvable: registry silent | tld silent | sees {delegation: {type: unreachable, zone: test}}
unresolvable: registry answers SERVFAIL | tld rcode 2
found: one of two registry servers dead | of two registries
found: the registry server that was asked first gives nothing over TCP, and the other does
  of first mute
`,
);
