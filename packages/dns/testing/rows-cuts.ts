import { isAtOrBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { saying, where } from "./faults.ts";
import type { LabBehaviour, LabQuery, LabServer } from "./lab-server.ts";
import { delegation, type LabRecord, toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { address, hostsOf, NAME, type Row, SHOP, type Shows, txt, unconfirmed } from "./rows.ts";
import { TOKEN } from "./world.ts";

const ATTACKER = 9;
const addressAt = ({ address }: LabServer, host: number) => address.replace(/\d+$/, `${host}`);
/** Answers every TXT question with the token and every A question with the attacker's address. */
const attacker: LabBehaviour = (query, server) => {
  const records = [txt(query.name), address(query.name, addressAt(server, ATTACKER))];
  const answers = records.filter(({ type }) => type === query.type).map(toAnswer);
  return saying({ answers })(query, server);
};
/** A world without witnesses and without the record, but with the attacker's server. */
const ATTACK = "no records | no witnesses | at 9 attacker";
/** No question reached the attacker, and none of its answers is in the observation. */
const avoidsAttacker: Shows = (seen, world) =>
  world.seenBy(ATTACKER) === 0 && !JSON.stringify(seen.servers).includes(TOKEN);

/** Delegates a name and everything below it to these hosts: by referral, or by an authoritative answer if asked for NS. */
const delegating = (
  zone: string,
  hosts: Record<string, number[]> = { [`ns.${zone}`]: [ATTACKER] },
  isAnswered = false,
): LabBehaviour => {
  const cut: LabBehaviour = (query, server) => {
    const at = Object.entries(hosts).map(([host, all]) => [
      host,
      all.map((one) => addressAt(server, one)),
    ]);
    const records = delegation(zone, Object.fromEntries(at));
    const names = records.filter(({ type }) => type === "NS").map(toAnswer);
    const additionals = records.filter(({ type }) => type !== "NS").map(toAnswer);
    return isAnswered && query.type === "NS" && query.name === zone
      ? saying({ answers: names, additionals })(query, server)
      : saying({ aa: false, authorities: names, additionals })(query, server);
  };
  return where(({ name }) => isAtOrBelow(name, zone), cut);
};
const overUdp = (fault: LabBehaviour) => where(({ transport }) => transport === "udp", fault);
/** Names in host.test: by glue its lying server at .5 is asked first; those at .6 and .7 must be looked up. */
const isOfHost = ({ name }: LabQuery) => /^ns[12]\.host\.test$/.test(name);

/** A resolver with these NS records for any zone, and the token for any name. */
const believing = (...names: string[]): LabBehaviour =>
  saying(({ name, type }) => {
    const list: LabRecord[] = names.map((data) => ({ name, type: "NS", data }));
    return { aa: false, answers: (type === "NS" ? list : [txt(name)]).map(toAnswer) };
  });
const FAR = { "ns.far.test": [] };
const behaviours: Record<string, LabBehaviour> = {
  attacker,
  "cuts-name": delegating(NAME, FAR),
  "cuts-name-with-glue": delegating(NAME),
  "cuts-shop": delegating(SHOP, FAR),
  "cuts-shop-with-glue": delegating(SHOP),
  "answers-ns": delegating(SHOP, FAR, true),
  "cuts-above": delegating(`b.${SHOP}`),
  "adds-server": delegating(SHOP, { [`ns.${SHOP}`]: [5], [`ns2.${SHOP}`]: [ATTACKER] }),
  "cuts-name-over-udp": overUdp(delegating(NAME)),
  "cuts-zone-over-udp": overUdp(delegating("acme.test")),
  "cuts-test-over-udp": overUdp(delegating("test", { "ns.test": [8] })),
  "cuts-zone": delegating("acme.test"),
  "lies-of-hosts": where(isOfHost, attacker),
  "cuts-at-hosts": where(isOfHost, (query, server) =>
    delegating(query.name, { [query.name]: [ATTACKER] })(query, server),
  ),
  believing: believing("ns.shop.acme.test", "ns2.acme.test"),
  /** Resolvers that know both the true names and the attacker's. */
  deceived: believing("ns1.acme.test", `ns.${SHOP}`, "ns.far.test", `ns.${NAME}`),
};

const CUTS: [name: string, claim: string, zone: string, behaviour: string][] = [
  ["a cut at the challenge name", "@", NAME, "cuts-name"],
  ["a cut with glue at the challenge name", "@", NAME, "cuts-name-with-glue"],
  ["a cut at the claimed subdomain", "shop", SHOP, "cuts-shop"],
  ["a cut with glue at the subdomain", "shop", SHOP, "cuts-shop-with-glue"],
  ["an authoritative NS answer for the subdomain", "shop", SHOP, "answers-ns"],
  ["a cut above the subdomain", "a.b.shop", `b.${SHOP}`, "cuts-above"],
];
const WITNESSES = [
  ["no witnesses", "no witnesses"],
  ["three witnesses that follow it", "witnesses deceived"],
];
/** The last of several servers delegates the name to an attacker; the others answer that it does not exist. */
const STRAYS = CUTS.flatMap(([name, claim, zone, behaviour]) =>
  [2, 4].flatMap((count) =>
    WITNESSES.map(
      ([witnessed, witnesses]) => `
nameserver_sync: ${name} on one of ${count} servers, ${witnessed} | claim ${claim}
  ${ATTACK} | ${witnesses} | listed ${count} | tld far.test. NS ns.far.test. .9
  at 3-${1 + count} | at ${2 + count} ${behaviour} | sees {strays: [{zone: ${zone}}]}
  shows no attacker`,
    ),
  ),
).join("");

const LISTED = `listed ns1.host.test., ns2.host.test. | own ns1.host.test., ns2.host.test.
  tld host.test. NS dns1.host.test. .5, dns2.other.test., dns3.other.test.
  tld other.test. NS dns.other.test. .8
  at 5-7 zone host.test. dns1.host.test. .5, dns2.other.test., dns3.other.test.
  + ns1.host.test. A .3 | + ns2.host.test. A .4 | at 8 zone other.test. dns.other.test. .8
  + dns2.other.test. A .6 | + dns3.other.test. A .7 | shows unconfirmed`;

/** `far0.test`, `far1.test`, …: each delegates its nameserver's name to the next, and the last one to a host. */
const chain = (label: string, length: number, last: string) =>
  Array.from({ length }, (_, at) => {
    const host = at + 1 < length ? `ns.${label}${at + 1}.test.` : last;
    return `  tld ${label}${at}.test. NS ${host}`;
  }).join("\n");
const NEAR = Array.from({ length: 12 }, (_, at) => {
  const name = `near${at}.test.`;
  return `  at 5 zone ${name} | + ns.${name} A ${at === 0 ? ".3" : ".5"}`;
}).join("\n");

const IS_SHOP = "sees {delegation: {type: delegated, zone: shop.acme.test}}";
const IS_NAME = "sees {delegation: {type: delegated, zone: _service-challenge.acme.test}}";
/** One of the parent's two servers also has the subdomain's zone, which has its own server. */
const SHARED = `claim shop | shop NS ns2, ns.shop .5
  at 4 zone acme.test. 2 | + shop NS ns2, ns.shop .5 | at 4,5 zone shop ns2, ns.shop .5`;
/** Cuts that every server shows, each in another way, combined with other server faults. */
const HONEST = `
nameserver_sync: a cut at the challenge name, one of three servers dead | _ NS ns.far.test.
  listed 3 | tld far.test. NS ns.far.test. .6 | at 5 silent | no witnesses
  at 6 zone far.test. ns.far.test. .6 | at 6 zone _ ns.far.test. | + _ TXT
  ${IS_NAME}
lame_delegation: a cut at the challenge name, two of three servers dead | _ NS ns._ .6 | listed 3
  at 4,5 silent | at 6 zone _ ns._ .6 | + _ TXT | no witnesses
found: a subdomain whose zone one of its parent's two servers holds too, with the token
  ${SHARED} | + _.shop TXT | witnesses believing
  shows ns.shop and ns2 | ${IS_SHOP}
record_absent: a subdomain whose zone one of its parent's two servers holds too, without the token
  ${SHARED} | witnesses resolving
  shows ns.shop and ns2 | ${IS_SHOP}
nameserver_sync: a subdomain on its parent's servers, with another nameserver that lacks the token
  claim shop | at 3,4 zone acme.test. 2 | at 3,4 zone shop ns1 .3, ns2 .4, ns.shop .5 | + _.shop TXT
  at 5 zone shop ns1 .3, ns2 .4, ns.shop .5 | no witnesses | ${IS_SHOP}
found: cuts in a row | claim in.shop | shop NS ns.shop .5, ns2.shop .6 | no witnesses
  at 5,6 zone shop ns.shop .5, ns2.shop .6 | + in.shop NS ns.in.shop .7
  at 7 zone in.shop ns.in.shop .7 | + _.in.shop TXT | shows few packets
nameserver_sync: a subdomain of which one parent server holds an old copy | claim shop
  shop NS ns.shop .5 | at 4 zone acme.test. 2 | + shop NS ns.shop .5 | at 4 zone shop ns.shop .5
  at 5 zone shop ns.shop .5 | + _.shop TXT | no witnesses | shows ns.shop and ns2
`;

/** Zone cuts that only some servers show or that TCP does not confirm, and look-ups that attackers mislead. */
export const CUT_ROWS: Row[] = rowsOf(
  {
    behaviours,
    shows: {
      unconfirmed,
      "ns.shop and ns2": (seen: Observation) => hostsOf(seen) === "ns.shop.acme.test,ns2.acme.test",
      "few packets": ({ packets }: Observation) => packets <= 14,
      "no attacker": avoidsAttacker,
      "two strays": ({ strays }) => strays.length === 2,
    },
  },
  `${STRAYS}
nameserver_sync: one of two servers with other glue for the same nameserver | claim shop
  ${ATTACK}
  at 4 cuts-shop-with-glue | shop NS ns.shop .5 | at 5 zone shop ns.shop .5 | shows no attacker, two strays
nameserver_sync: one of two servers that adds a nameserver to a cut | claim shop
  ${ATTACK}
  at 4 adds-server | shop NS ns.shop .5 | shows no attacker
nameserver_sync: one of two servers with the token, the other delegating the name to a server without it
  at 4 attacker | _ NS ns.far.test. | tld far.test. NS ns.far.test. .5 | no witnesses
  at 5 zone _ ns.far.test.
nameserver_sync: a cut at the challenge name that TCP does not confirm
  ${ATTACK}
  at 3,4 cuts-name-over-udp | shows no attacker
unresolvable: a registry's referral that TCP does not confirm
  ${ATTACK}
  tld cuts-zone-over-udp | shows unconfirmed
unresolvable: a root's referral that TCP does not confirm
  ${ATTACK}
  root cuts-test-over-udp | at 8 cuts-zone
unresolvable: one of a DNS host's three servers with other addresses of the nameservers
  ${ATTACK}
  at 5 lies-of-hosts
  ${LISTED}
unresolvable: one of a DNS host's three servers delegating the nameservers' names elsewhere
  ${ATTACK}
  at 5 cuts-at-hosts
  ${LISTED}
unresolvable: the only honest nameserver of four not asked because another's name used up the referrals
  # Either name alone could be looked up; both together exceed a read's referral limit.
  ${ATTACK}
  listed e1 .9, e2 .9, ns.far0.test., ns.near0.test. | sees {limit: referrals}
${chain("far", 14, "ns.far13.test. .9")}
${chain("near", 12, "ns.near11.test. .5")}
${NEAR}
${HONEST}`,
);
