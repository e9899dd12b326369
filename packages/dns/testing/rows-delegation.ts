import { majorityHosts } from "../verdict/publication-status.ts";
import { referring, saying } from "./faults.ts";
import { toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { hostsOf, type Row, type Shows } from "./rows.ts";
import { TOKEN } from "./world.ts";

const behaviours = {
  "refers-always": saying(({ name }) => ({
    aa: false,
    authorities: [toAnswer({ name, type: "NS", data: "ns1.acme.test" })],
  })),
  "refers-to-test": referring("test", "ns.test"),
};

const FAR_AWAY = Array.from(
  { length: 13 },
  (_, at) => `  tld y${at}.test. NS ns.z${at}.test. | tld z${at}.test. NS dns.z${at}.test. .5
  at 5 zone y${at}.test. ns.y${at}.test. .3 | at 5 zone z${at}.test. ns.z${at}.test. .5`,
).join("\n");
const listed = (names: string[]) => `listed ${names.join(", ")}`;

const shows: Record<string, Shows> = {
  "under 30 packets": ({ packets }) => packets < 30,
  "200 of which 32 are asked": ({ servers, delegation, packets }) =>
    servers.length === 32 &&
    delegation.type === "delegated" &&
    delegation.nameservers.length === 200 &&
    packets <= 10,
  // 8 for the walk and the answers, 3 to confirm cuts, 2 a witness. Not packets: one may be sent twice on a busy machine.
  "17 answers": (seen) =>
    seen.exchanges.filter(({ result }) => result === "answered").length === 17,
  "6 asked and not 9": (_seen, world) => world.seenBy(9) === 0 && world.seenBy(6) > 0,
  /** The server at .9 would show whether a packet was sent anyway. */
  "nobody asked": (seen, world, net) =>
    [3, 4, 9].every((host) => world.seenBy(host) === 0) &&
    seen.exchanges.every(({ address }) => address.startsWith(`${net.prefix}.`)),
  "ns8 and ns9 witnessed": (seen) => majorityHosts(seen)?.join() === "ns8.acme.test,ns9.acme.test",
  "ns1 and ns2": (seen) => hostsOf(seen) === "ns1.acme.test,ns2.acme.test",
  "the token on ns8": ({ unlisted }) =>
    unlisted.some((one) => one.host === "ns8.acme.test" && one.answer?.values.includes(TOKEN)),
};

/** Faults on the path from the root to the zone. */
export const DELEGATION_ROWS: Row[] = rowsOf(
  { behaviours, shows },
  `
unresolvable: 200 nameservers | ${listed(Array.from({ length: 200 }, (_, at) => `n${at}`))}
  shows 200 of which 32 are asked
lame_delegation: glueless nameservers that need each other | listed ns1.other.test., ns2.other.test.
  tld other.test. NS ns1, ns2 | at 3 zone acme.test. ns .3 | all no_address
found: glueless nameservers elsewhere | listed ns1.host.test., ns2.host.test.
  own ns1.host.test., ns2.host.test. | hosting | + ns1.host.test. A .3 | + ns2.host.test. A .4
  shows 17 answers
record_absent: glue out of bailiwick | claim shop
  # The zone's server delegates its child to a host in another zone and lies about the address.
  shop NS ns1.host.test. .9 | hosting | + ns1.host.test. A .6 | at 6 zone shop ns1.host.test.
  at 9 zone shop ns1.host.test. | + _.shop TXT | shows 6 asked and not 9
lame_delegation: nameservers at loopback, private, link-local and metadata addresses
  listed ns1 127.0.0.53 ::1 10.0.0.53 192.168.1.1 172.16.9.9 fd00::53, \
ns2 169.254.7.7 fe80::1 169.254.169.254 fd00:ec2::254
  at 3,9 | all blocked_address | shows nobody asked
lame_delegation: nameservers at IPv4-mapped, NAT64, 6to4 and Teredo addresses
  listed ns1 ::ffff:.9 64:ff9b::7f00:1 2002:7f00:1:: 2001::1
  at 3,9 | all blocked_address | shows nobody asked
lame_delegation: nameservers at public addresses where clouds answer their own
  listed ns1 168.63.129.16 161.26.0.10 183.60.83.19
  at 3,9 | all blocked_address | shows nobody asked
not_published: parent and child NS differing in all, record on the parent's | own ns8, ns9
  tells {nameservers: [ns8.acme.test, ns9.acme.test], publishedOn: [ns1.acme.test, ns2.acme.test]}
  tells {elsewhere: {type: listed}} | shows ns8 and ns9 witnessed
nameserver_sync+found: parent and child NS differing in one, record on the parent's | own ns2, ns9
  shows ns1 and ns2
not_published: parent and child NS differing, record on the child's
  at 3,4 zone acme.test. ns8 .8 | at 8 zone acme.test. ns8 .8 | + _ TXT | shows the token on ns8
found: the apex served by the parent's own server | listed ns.test. .2
  tld zone acme.test. ns.test. .2 | + _ TXT
  sees {delegation: {type: delegated, zone: acme.test, parent: test, nameservers: [ns.test]}}
found: a zone cut at the challenge name | _ NS ns.far.test. | tld far.test. NS ns.far.test. .5
  at 5 zone far.test. ns.far.test. .5 | at 5 zone _ ns.far.test. | + _ TXT | no witnesses
  sees {delegation: {type: delegated, zone: _service-challenge.acme.test}}
found: a name below its zone | claim shop | sees {delegation: {type: delegated, zone: acme.test}}
lame_delegation: a name the registry does not delegate | claim other.test.
  sees {delegation: {type: none, parent: test, rcode: NXDOMAIN}}
lame_delegation: referrals at every label of a hundred | claim ${Array(100).fill("a").join(".")}
  at 3,4 refers-always | shows under 30 packets
unresolvable: 13 nameserver names, each two glueless delegations away | sees {limit: referrals}
  ${listed(Array.from({ length: 13 }, (_, at) => `ns.y${at}.test.`))}
${FAR_AWAY}
nameserver_sync+found: one of two servers refers upward | at 3 refers-to-test
  sees {servers: [{result: not_authoritative}, {result: answered}]}
`,
);
