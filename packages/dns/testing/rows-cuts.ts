import { isAtOrBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { saying, silent, where } from "./faults.ts";
import type { LabBehaviour, LabOptions, LabQuery } from "./lab-server.ts";
import { delegation, type LabRecord, toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import {
  address,
  each,
  hostsOf,
  NAME,
  nameservers,
  type Row,
  SHOP,
  type Shows,
  three,
  txt,
  unconfirmed,
} from "./rows.ts";
import { type Net, TOKEN, type WorldSetup } from "./world.ts";

/** The attacker's server: answers every TXT question with the token and every A question with its own address. */
const ATTACKER = 9;
const attacker = (net: Net): LabOptions => ({
  behaviour: saying(({ name, type }) => {
    const [one] = [txt(name), address(name, net.at(ATTACKER))].filter((each) => each.type === type);
    return { answers: one ? [toAnswer(one)] : [] };
  }),
});
/** No question reached the attacker, and none of its answers is in the observation. */
const avoidsAttacker: Shows = (seen, world) =>
  world.seenBy(ATTACKER) === 0 && !JSON.stringify(seen.servers).includes(TOKEN);
/** A world without witnesses and without the record, but with the attacker. */
const attacked =
  (setup: (net: Net) => WorldSetup = () => ({})) =>
  (net: Net): WorldSetup => {
    const { servers, ...rest } = setup(net);
    return {
      records: [],
      witnesses: [],
      ...rest,
      servers: { ...servers, [ATTACKER]: attacker(net) },
    };
  };

/** Delegates a name and everything below it: by a referral, or by an authoritative answer if asked for NS. */
const delegating = (zone: string, records: readonly LabRecord[], isAnswered = false) => {
  const names = records.filter(({ type }) => type === "NS").map(toAnswer);
  const additionals = records.filter(({ type }) => type !== "NS").map(toAnswer);
  const cut = saying(({ name, type }) =>
    isAnswered && type === "NS" && name === zone
      ? { answers: names, additionals }
      : { aa: false, authorities: names, additionals },
  );
  return where(({ name }) => isAtOrBelow(name, zone), cut);
};
/** A delegation of a zone to the attacker's server. */
const withoutGlue = (zone: string) => () => delegation(zone, { "ns.far.test": [] });
const withGlue = (zone: string) => (net: Net) =>
  delegation(zone, { [`ns.${zone}`]: [net.at(ATTACKER)] });

/** A resolver with these NS records for any zone, and the token for any name. */
const believing = (...names: string[]): LabBehaviour =>
  saying(({ name, type }) => {
    const list: LabRecord[] = names.map((data) => ({ name, type: "NS", data }));
    return { aa: false, answers: (type === "NS" ? list : [txt(name)]).map(toAnswer) };
  });
/** Resolvers that know both the true names and the attacker's, or no names. */
const deceived = believing("ns1.acme.test", `ns.${SHOP}`, "ns.far.test", `ns.${NAME}`);
const WITNESSES: [string, LabOptions[]][] = [
  ["no witnesses", []],
  ["three witnesses that follow it", three({ behaviour: deceived })],
];

type Cut = [
  name: string,
  domain: string,
  zone: string,
  records: (net: Net) => LabRecord[],
  authoritative?: boolean,
];
const CUTS: Cut[] = [
  ["a cut at the challenge name", "acme.test", NAME, withoutGlue(NAME)],
  ["a cut with glue at the challenge name", "acme.test", NAME, withGlue(NAME)],
  ["a cut at the claimed subdomain", SHOP, SHOP, withoutGlue(SHOP)],
  ["a cut with glue at the subdomain", SHOP, SHOP, withGlue(SHOP)],
  ["an authoritative NS answer for the subdomain", SHOP, SHOP, withoutGlue(SHOP), true],
  ["a cut above the subdomain", `a.b.${SHOP}`, `b.${SHOP}`, withGlue(`b.${SHOP}`)],
];

/** The last of several servers delegates the name to an attacker; the others answer that it does not exist. */
const STRAYS: Row[] = CUTS.flatMap(([name, domain, zone, records, authoritative]) =>
  [2, 4].flatMap((count) =>
    WITNESSES.map(
      ([witnessed, witnesses]): Row => ({
        name: `${name} on one of ${count} servers, ${witnessed}`,
        setup: attacked((net) => ({
          domain,
          zone: "acme.test",
          nameservers: nameservers(net, count),
          tld: { records: delegation("far.test", { "ns.far.test": [net.at(ATTACKER)] }) },
          servers: {
            ...each({}, count),
            [2 + count]: { behaviour: delegating(zone, records(net), authoritative) },
          },
          witnesses,
        })),
        expected: "absent nameserver_sync",
        checks: [avoidsAttacker, (seen) => seen.strays.map((stray) => stray.zone).join() === zone],
      }),
    ),
  ),
);

/** The server has this fault over UDP, but not over TCP. */
const overUdp = (fault: LabBehaviour): LabOptions => ({
  behaviour: where(({ transport }) => transport === "udp", fault),
});
/** Names in host.test: by glue its lying server at .5 is asked first; those at .6 and .7 must be looked up. */
const isOfHost = ({ name }: LabQuery) => /^ns[12]\.host\.test$/.test(name);
const lying = (liar: (net: Net) => LabBehaviour) =>
  attacked((net) => ({ servers: { 5: { behaviour: liar(net) } } }));
const worlds: Record<string, (net: Net) => WorldSetup> = {
  "an attack": attacked(),
  "other glue": attacked((net) => ({
    servers: { 4: { behaviour: delegating(SHOP, withGlue(SHOP)(net)) } },
  })),
  "a nameserver added": attacked((net) => {
    const more = { [`ns.${SHOP}`]: [net.at(5)], [`ns2.${SHOP}`]: [net.at(ATTACKER)] };
    return { servers: { 4: { behaviour: delegating(SHOP, delegation(SHOP, more)) } } };
  }),
  "the token on one": (net) => ({ servers: { 4: attacker(net) } }),
  "a cut over UDP": attacked((net) => ({
    servers: each(overUdp(delegating(NAME, withGlue(NAME)(net)))),
  })),
  "a registry's over UDP": attacked((net) => ({
    tld: overUdp(delegating("acme.test", withGlue("acme.test")(net))),
  })),
  "a root's over UDP": attacked((net) => ({
    root: overUdp(delegating("test", delegation("test", { "ns.test": [net.at(8)] }))),
    servers: { 8: { behaviour: delegating("acme.test", withGlue("acme.test")(net)) } },
  })),
  "other addresses": lying((net) => where(isOfHost, attacker(net).behaviour ?? silent)),
  "names elsewhere": lying((net) =>
    where(isOfHost, (query, server) => {
      const { name } = query;
      return delegating(name, delegation(name, { [name]: [net.at(ATTACKER)] }))(query, server);
    }),
  ),
};
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
export const CUT_ROWS: Row[] = [
  ...STRAYS,
  ...rowsOf(
    {
      worlds,
      behaviours: { believing: believing("ns.shop.acme.test", "ns2.acme.test") },
      shows: {
        unconfirmed,
        "ns.shop and ns2": (seen: Observation) =>
          hostsOf(seen) === "ns.shop.acme.test,ns2.acme.test",
        "few packets": ({ packets }: Observation) => packets <= 14,
        "no attacker": avoidsAttacker,
        "two strays": ({ strays }) => strays.length === 2,
      },
    },
    `
nameserver_sync: one of two servers with other glue for the same nameserver | of other glue
  claim shop | shop NS ns.shop .5 | at 5 zone shop ns.shop .5 | shows no attacker, two strays
nameserver_sync: one of two servers that adds a nameserver to a cut | of a nameserver added
  claim shop | shop NS ns.shop .5 | shows no attacker
nameserver_sync: one of two servers with the token, the other delegating the name to a server without it
  of the token on one | _ NS ns.far.test. | tld far.test. NS ns.far.test. .5 | no witnesses
  at 5 zone _ ns.far.test.
nameserver_sync: a cut at the challenge name that TCP does not confirm | of a cut over UDP
  shows no attacker
unresolvable: a registry's referral that TCP does not confirm | of a registry's over UDP
  shows unconfirmed
unresolvable: a root's referral that TCP does not confirm | of a root's over UDP
unresolvable: one of a DNS host's three servers with other addresses of the nameservers
  of other addresses
  ${LISTED}
unresolvable: one of a DNS host's three servers delegating the nameservers' names elsewhere
  of names elsewhere
  ${LISTED}
unresolvable: the only honest nameserver of four not asked because another's name used up the referrals
  # Either name alone could be looked up; both together exceed a read's referral limit.
  of an attack | listed e1 .9, e2 .9, ns.far0.test., ns.near0.test. | sees {limit: referrals}
${chain("far", 14, "ns.far13.test. .9")}
${chain("near", 12, "ns.near11.test. .5")}
${NEAR}
${HONEST}`,
  ),
];
