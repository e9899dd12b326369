import { isAtOrBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, type LabRecord, labZone, toAnswer } from "./lab-zone.ts";
import {
  address,
  each,
  inShop,
  limitIs,
  NAME,
  nameservers,
  type Row,
  type Setup,
  SHOP,
  syncing,
  three,
  txt,
  unconfirmed,
  unresolvable,
} from "./rows.ts";
import { type Net, TOKEN, type World, type WorldSetup } from "./world.ts";

/** The attacker's server: answers every TXT question with the token and every A question with its own address. */
const ATTACKER = 9;
const attacker = (net: Net): LabOptions => ({
  behaviour: (query) => [
    encodeAnswer(query, {
      ...empty(0, true),
      answers:
        query.type === "TXT"
          ? [toAnswer(txt(query.name))]
          : query.type === "A"
            ? [toAnswer(address(query.name, net.at(ATTACKER)))]
            : [],
    }),
  ],
});
/** No question reached the attacker, and none of its answers is in the observation. */
const avoidsAttacker = (seen: Observation, world: World) =>
  world.seenBy(ATTACKER) === 0 && !JSON.stringify(seen.servers).includes(TOKEN);
/** A world without witnesses, without the record, and with the attacker. */
const attacked =
  (setup: (net: Net) => WorldSetup): Setup =>
  (net) => {
    const { servers, ...rest } = setup(net);
    return {
      records: [],
      witnesses: [],
      ...rest,
      servers: { ...servers, [ATTACKER]: attacker(net) },
    };
  };

/** Delegates a name and everything below it: by a referral, or, if asked for NS, by an authoritative answer. */
const delegating =
  (zone: string, records: readonly LabRecord[], authoritative = false): LabBehaviour =>
  (query, server) => {
    if (!isAtOrBelow(query.name, zone)) return [server.honest(query)];
    const names = records.filter(({ type }) => type === "NS").map(toAnswer);
    const additionals = records.filter(({ type }) => type !== "NS").map(toAnswer);
    const answered = authoritative && query.type === "NS" && query.name === zone;
    const sections = answered ? { answers: names } : { authorities: names };
    return [encodeAnswer(query, { ...empty(0, answered), ...sections, additionals })];
  };
/** A delegation of a zone to the attacker's server. */
const withoutGlue = (zone: string) => () => delegation(zone, { "ns.far.test": [] });
const withGlue = (zone: string) => (net: Net) =>
  delegation(zone, { [`ns.${zone}`]: [net.at(ATTACKER)] });

/** A resolver that gives these NS records for any zone, and the token for any name. */
export const believing = (...names: string[]): LabOptions => ({
  behaviour: (query) => {
    const { name } = query;
    const answers: LabRecord[] =
      query.type === "NS" ? names.map((data) => ({ name, type: "NS", data })) : [txt(name)];
    return [encodeAnswer(query, { ...empty(0, false), answers: answers.map(toAnswer) })];
  },
});
/** Resolvers that know the true names and the attacker's, or none. */
const deceived = believing("ns1.acme.test", `ns.${SHOP}`, "ns.far.test", `ns.${NAME}`);
const WITNESSES: [string, LabOptions[]][] = [
  ["no witnesses", []],
  ["three witnesses that follow it", three(deceived)],
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

/** One of several servers, the last, delegates the name to an attacker; the others answer that it does not exist. */
const STRAYS: Row[] = CUTS.flatMap(([name, domain, zone, records, authoritative]) =>
  [2, 4].flatMap((count) =>
    WITNESSES.map(([witnessed, witnesses]) =>
      syncing(
        `${name} on one of ${count} servers, ${witnessed}`,
        attacked((net) => ({
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
        avoidsAttacker,
        (seen) => seen.strays.map((stray) => stray.zone).join() === zone,
      ),
    ),
  ),
);

/** A fault over UDP that the same server does not repeat over TCP. */
const overUdp = (behaviour: LabBehaviour): LabOptions => ({
  behaviour: (query, server) =>
    query.transport === "udp" ? behaviour(query, server) : [server.honest(query)],
});
export const atShop = (net: Net) => ({ [`ns.${SHOP}`]: [net.at(5)] });

const MISLED: Row[] = [
  syncing(
    "one of two servers with other glue for the same nameserver",
    attacked((net) => ({
      ...inShop,
      records: delegation(SHOP, atShop(net)),
      servers: {
        4: { behaviour: delegating(SHOP, withGlue(SHOP)(net)) },
        5: { zones: [labZone(SHOP, atShop(net))] },
      },
    })),
    avoidsAttacker,
    (seen) => seen.strays.length === 2,
  ),
  syncing(
    "one of two servers that adds a nameserver to a cut",
    attacked((net) => {
      const more = { ...atShop(net), [`ns2.${SHOP}`]: [net.at(ATTACKER)] };
      return {
        ...inShop,
        records: delegation(SHOP, atShop(net)),
        servers: { 4: { behaviour: delegating(SHOP, delegation(SHOP, more)) } },
      };
    }),
    avoidsAttacker,
  ),
  syncing(
    "one of two servers with the token, the other delegating the name to a server without it",
    (net) => ({
      records: delegation(NAME, { "ns.far.test": [] }),
      tld: { records: delegation("far.test", { "ns.far.test": [net.at(5)] }) },
      servers: { 4: attacker(net), 5: { zones: [labZone(NAME, { "ns.far.test": [] })] } },
      witnesses: [],
    }),
  ),
  syncing(
    "a cut at the challenge name that TCP does not confirm",
    attacked((net) => ({ servers: each(overUdp(delegating(NAME, withGlue(NAME)(net)))) })),
    avoidsAttacker,
  ),
  unresolvable(
    "a registry's referral that TCP does not confirm",
    attacked((net) => ({ tld: overUdp(delegating("acme.test", withGlue("acme.test")(net))) })),
    unconfirmed,
  ),
  unresolvable(
    "a root's referral that TCP does not confirm",
    attacked((net) => ({
      root: overUdp(delegating("test", delegation("test", { "ns.test": [net.at(8)] }))),
      servers: { 8: { behaviour: delegating("acme.test", withGlue("acme.test")(net)) } },
    })),
  ),
];

/** Names in host.test, whose server at .5 lies and is asked first, by glue; those at .6 and .7 must be looked up. */
const HOSTED = { "ns1.host.test": [], "ns2.host.test": [] };
const hosted = (liar: (net: Net) => LabBehaviour): Setup =>
  attacked((net) => {
    const other = { "dns.other.test": [net.at(8)] };
    const own = { "dns1.host.test": [net.at(5)], "dns2.other.test": [], "dns3.other.test": [] };
    const zones = [
      labZone("host.test", own, [
        address("ns1.host.test", net.at(3)),
        address("ns2.host.test", net.at(4)),
      ]),
    ];
    const names = [address("dns2.other.test", net.at(6)), address("dns3.other.test", net.at(7))];
    return {
      nameservers: HOSTED,
      ownNameservers: HOSTED,
      tld: { records: [...delegation("host.test", own), ...delegation("other.test", other)] },
      servers: {
        5: { zones, behaviour: liar(net) },
        6: { zones },
        7: { zones },
        8: { zones: [labZone("other.test", other, names)] },
      },
    };
  });

/** Look-ups of nameserver addresses that one server leads astray. */
const MISLED_LOOKUPS: Row[] = [
  unresolvable(
    "one of a DNS host's three servers with other addresses of the nameservers",
    hosted((net) => (query, server) => {
      const isMisled = query.name in HOSTED;
      return (isMisled && attacker(net).behaviour?.(query, server)) || [server.honest(query)];
    }),
    unconfirmed,
  ),
  unresolvable(
    "one of a DNS host's three servers delegating the nameservers' names elsewhere",
    hosted((net) => (query, server) => {
      const { name } = query;
      if (!(name in HOSTED)) return [server.honest(query)];
      return delegating(name, delegation(name, { [name]: [net.at(ATTACKER)] }))(query, server);
    }),
    unconfirmed,
  ),
  unresolvable(
    "the only honest nameserver of four not asked because another's name used up the referrals",
    attacked((net) => {
      // Either name alone could be looked up; both together exceed a read's referral limit.
      const chain = (label: string, length: number) =>
        Array.from({ length }, (_, index) => `${label}${index}.test`);
      const handed = (zones: string[], last: Record<string, string[]>) =>
        zones.flatMap((zone, index) => {
          const next = zones[index + 1];
          return delegation(zone, next ? { [`ns.${next}`]: [] } : last);
        });
      const near = chain("near", 12);
      return {
        nameservers: {
          "e1.acme.test": [net.at(ATTACKER)],
          "e2.acme.test": [net.at(ATTACKER)],
          "ns.far0.test": [],
          "ns.near0.test": [],
        },
        tld: {
          records: [
            ...handed(chain("far", 14), { "ns.far13.test": [net.at(ATTACKER)] }),
            ...handed(near, { "ns.near11.test": [net.at(5)] }),
          ],
        },
        servers: {
          5: {
            zones: near.map((zone, index) =>
              labZone(zone, {}, [address(`ns.${zone}`, net.at(index === 0 ? 3 : 5))]),
            ),
          },
        },
      };
    }),
    limitIs("referrals"),
  ),
];

/** Zone cuts that only some servers show or that TCP does not confirm, and look-ups led astray. */
export const STRAY_CUT_ROWS: Row[] = [...STRAYS, ...MISLED, ...MISLED_LOOKUPS];
