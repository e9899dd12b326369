import { isAtOrBelow } from "../names.ts";
import type { Observation } from "../verdict/observation.ts";
import { resolving, silent } from "./faults.ts";
import { encodeAnswer, type LabBehaviour, type LabOptions } from "./lab-server.ts";
import { delegation, empty, type LabRecord, type LabZone, labZone, toAnswer } from "./lab-zone.ts";
import type { Row } from "./rows.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";

const NAME = `${LABEL}.acme.test`;
const SHOP = "shop.acme.test";
const token = (name: string): LabRecord => ({ name, type: "TXT", data: TOKEN });

/** The attacker's server: answers every TXT question with the token and every A question with its own address. */
const ATTACKER = 9;
const attacker = (net: Net): LabOptions => ({
  behaviour: (query) => [
    encodeAnswer(query, {
      ...empty(0, true),
      answers:
        query.type === "TXT"
          ? [toAnswer(token(query.name))]
          : query.type === "A"
            ? [toAnswer({ name: query.name, type: "A", data: net.at(ATTACKER) })]
            : [],
    }),
  ],
});

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

/** NS records that a deceived resolver gives for any zone: the true names and the attacker's. */
const KNOWN = ["ns1.acme.test", `ns.${SHOP}`, "ns.far.test", `ns.${NAME}`];
const deceived: LabBehaviour = (query) => {
  const { name } = query;
  const answers: LabRecord[] =
    query.type === "NS" ? KNOWN.map((data) => ({ name, type: "NS", data })) : [token(name)];
  return [encodeAnswer(query, { ...empty(0, false), answers: answers.map(toAnswer) })];
};

/** Resolvers that the attacker has deceived, or none. */
const WITNESSES: [string, LabOptions[]][] = [
  ["no witnesses", []],
  ["three witnesses that follow it", [1, 2, 3].map(() => ({ zones: [], behaviour: deceived }))],
];

/** `count` nameservers from .3 on, as listed in a delegation. */
const nameservers = (net: Net, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`ns${index + 1}.acme.test`, [net.at(3 + index)]]),
  );

/** No question reached the attacker, and none of its answers is in the observation. */
const avoidsAttacker = (seen: Observation, world: { seenBy(host: number): number }) =>
  world.seenBy(ATTACKER) === 0 && !JSON.stringify(seen.servers).includes(TOKEN);

type Cut = {
  name: string;
  domain?: string;
  zone: string;
  records: (net: Net) => LabRecord[];
  authoritative?: boolean;
};

const withoutGlue = (zone: string): LabRecord[] => delegation(zone, { "ns.far.test": [] });
const withGlue = (zone: string) => (net: Net) =>
  delegation(zone, { [`ns.${zone}`]: [net.at(ATTACKER)] });

const CUTS: Cut[] = [
  { name: "a cut at the challenge name", zone: NAME, records: () => withoutGlue(NAME) },
  { name: "a cut with glue at the challenge name", zone: NAME, records: withGlue(NAME) },
  {
    name: "a cut at the claimed subdomain",
    domain: SHOP,
    zone: SHOP,
    records: () => withoutGlue(SHOP),
  },
  { name: "a cut with glue at the subdomain", domain: SHOP, zone: SHOP, records: withGlue(SHOP) },
  {
    name: "an authoritative NS answer for the subdomain",
    domain: SHOP,
    zone: SHOP,
    records: () => withoutGlue(SHOP),
    authoritative: true,
  },
  {
    name: "a cut above the subdomain",
    domain: `a.b.${SHOP}`,
    zone: `b.${SHOP}`,
    records: withGlue(`b.${SHOP}`),
  },
];

/** One of several servers, the last, delegates the name to an attacker; the others answer that it does not exist. */
const strays: Row[] = CUTS.flatMap(({ name, domain, zone, records, authoritative }) =>
  [2, 4].flatMap((count) =>
    WITNESSES.map(
      ([witnessed, witnesses]): Row => ({
        name: `${name} on one of ${count} servers, ${witnessed}`,
        setup: (net) => {
          const liar = 2 + count;
          return {
            ...(domain && { domain }),
            zone: "acme.test",
            records: [],
            nameservers: nameservers(net, count),
            tld: { records: delegation("far.test", { "ns.far.test": [net.at(ATTACKER)] }) },
            servers: {
              ...Object.fromEntries(
                Array.from({ length: count }, (_, index) => [3 + index, {} as LabOptions]),
              ),
              [liar]: { behaviour: delegating(zone, records(net), authoritative) },
              [ATTACKER]: attacker(net),
            },
            witnesses,
          };
        },
        expected: "absent nameserver_sync",
        shows: (seen, world) =>
          avoidsAttacker(seen, world) && seen.strays.map((stray) => stray.zone).join() === zone,
      }),
    ),
  ),
);

/** Two servers with the same delegation of the subdomain but a different address for its nameserver. */
const otherGlue: Row = {
  name: "one of two servers with other glue for the same nameserver",
  setup: (net) => ({
    domain: SHOP,
    zone: "acme.test",
    records: delegation(SHOP, { [`ns.${SHOP}`]: [net.at(5)] }),
    servers: {
      4: { behaviour: delegating(SHOP, withGlue(SHOP)(net)) },
      5: { zones: [labZone(SHOP, { [`ns.${SHOP}`]: [net.at(5)] })] },
      [ATTACKER]: attacker(net),
    },
    witnesses: [],
  }),
  expected: "absent nameserver_sync",
  shows: (seen, world) => avoidsAttacker(seen, world) && seen.strays.length === 2,
};

const otherNames: Row = {
  name: "one of two servers that adds a nameserver to a cut",
  setup: (net) => ({
    domain: SHOP,
    zone: "acme.test",
    records: delegation(SHOP, { [`ns.${SHOP}`]: [net.at(5)] }),
    servers: {
      4: {
        behaviour: delegating(
          SHOP,
          delegation(SHOP, { [`ns.${SHOP}`]: [net.at(5)], [`ns2.${SHOP}`]: [net.at(ATTACKER)] }),
        ),
      },
      [ATTACKER]: attacker(net),
    },
    witnesses: [],
  }),
  expected: "absent nameserver_sync",
  shows: avoidsAttacker,
};

const tokenAnswered: Row = {
  name: "one of two servers with the token, the other delegating the name to a server without it",
  setup: (net) => ({
    records: delegation(NAME, { "ns.far.test": [] }),
    tld: { records: delegation("far.test", { "ns.far.test": [net.at(5)] }) },
    servers: { 4: attacker(net), 5: { zones: [labZone(NAME, { "ns.far.test": [] })] } },
    witnesses: [],
  }),
  expected: "absent nameserver_sync",
};

/** A fault over UDP that the same server does not repeat over TCP. */
const overUdp =
  (behaviour: LabBehaviour): LabBehaviour =>
  (query, server) =>
    query.transport === "udp" ? behaviour(query, server) : [server.honest(query)];

const unconfirmed: Row[] = [
  {
    name: "a cut at the challenge name that TCP does not confirm",
    setup: (net) => {
      const lying = { behaviour: overUdp(delegating(NAME, withGlue(NAME)(net))) };
      return {
        records: [],
        servers: { 3: lying, 4: lying, [ATTACKER]: attacker(net) },
        witnesses: [],
      };
    },
    expected: "absent nameserver_sync",
    shows: avoidsAttacker,
  },
  {
    name: "a registry's referral that TCP does not confirm",
    setup: (net) => ({
      records: [],
      tld: {
        behaviour: overUdp(
          delegating("acme.test", delegation("acme.test", { "ns.acme.test": [net.at(ATTACKER)] })),
        ),
      },
      servers: { [ATTACKER]: attacker(net) },
      witnesses: [],
    }),
    expected: "unresolvable",
    shows: (seen) => seen.confirmation?.confirmed === false,
  },
  {
    name: "a root's referral that TCP does not confirm",
    setup: (net) => ({
      records: [],
      root: {
        behaviour: overUdp(delegating("test", delegation("test", { "ns.test": [net.at(8)] }))),
      },
      servers: {
        8: {
          behaviour: delegating(
            "acme.test",
            delegation("acme.test", { "ns.acme.test": [net.at(ATTACKER)] }),
          ),
        },
        [ATTACKER]: attacker(net),
      },
      witnesses: [],
    }),
    expected: "unresolvable",
  },
];

/**
 * The claimed zone's nameservers have names in host.test. The servers of host.test are the liar at .5, whose address
 * comes from the registry, so that it is asked first, and two at .6 and .7, which must be looked up.
 */
const hosted = (net: Net, liar: LabBehaviour): WorldSetup => {
  const other = { "dns.other.test": [net.at(8)] };
  const own = { "dns1.host.test": [net.at(5)], "dns2.other.test": [], "dns3.other.test": [] };
  const zones: LabZone[] = [
    labZone("host.test", own, [
      { name: "ns1.host.test", type: "A", data: net.at(3) },
      { name: "ns2.host.test", type: "A", data: net.at(4) },
    ]),
  ];
  const names = { "ns1.host.test": [], "ns2.host.test": [] };
  return {
    records: [],
    nameservers: names,
    ownNameservers: names,
    tld: { records: [...delegation("host.test", own), ...delegation("other.test", other)] },
    servers: {
      5: { zones, behaviour: liar },
      6: { zones },
      7: { zones },
      8: {
        zones: [
          labZone("other.test", other, [
            { name: "dns2.other.test", type: "A", data: net.at(6) },
            { name: "dns3.other.test", type: "A", data: net.at(7) },
          ]),
        ],
      },
      [ATTACKER]: attacker(net),
    },
    witnesses: [],
  };
};

const misled: Row[] = [
  {
    name: "one of a DNS host's three servers with other addresses of the nameservers",
    setup: (net) => {
      const here: LabBehaviour = (query, server) =>
        /^ns[12]\.host\.test$/.test(query.name)
          ? (attacker(net).behaviour?.(query, server) ?? [])
          : [server.honest(query)];
      return hosted(net, here);
    },
    expected: "unresolvable",
    shows: (seen) => seen.confirmation?.confirmed === false,
  },
  {
    name: "one of a DNS host's three servers delegating the nameservers' names elsewhere",
    setup: (net) => {
      const both = ["ns1.host.test", "ns2.host.test"].map((name) =>
        delegating(name, delegation(name, { [name]: [net.at(ATTACKER)] })),
      );
      const here: LabBehaviour = (query, server) => {
        const index = ["ns1.host.test", "ns2.host.test"].indexOf(query.name);
        return both[index]?.(query, server) ?? [server.honest(query)];
      };
      return hosted(net, here);
    },
    expected: "unresolvable",
    shows: (seen) => seen.confirmation?.confirmed === false,
  },
  {
    name: "the only honest nameserver of four not asked because another's name used up the referrals",
    setup: (net) => {
      // Either name alone could be looked up; both together exceed a read's referral limit.
      const chain = (label: string, length: number) =>
        Array.from({ length }, (_, index) => `${label}${index}.test`);
      const handed = (zones: string[], last: Record<string, string[]>) =>
        zones.flatMap((zone, index) => {
          const next = zones[index + 1];
          return delegation(zone, next ? { [`ns.${next}`]: [] } : last);
        });
      return {
        records: [],
        nameservers: {
          "e1.acme.test": [net.at(ATTACKER)],
          "e2.acme.test": [net.at(ATTACKER)],
          "ns.far0.test": [],
          "ns.near0.test": [],
        },
        tld: {
          records: [
            ...handed(chain("far", 14), { "ns.far13.test": [net.at(ATTACKER)] }),
            ...handed(chain("near", 12), { "ns.near11.test": [net.at(5)] }),
          ],
        },
        servers: {
          5: {
            zones: chain("near", 12).map((zone) =>
              labZone(zone, {}, [
                { name: `ns.${zone}`, type: "A", data: net.at(zone === "near0.test" ? 3 : 5) },
              ]),
            ),
          },
          [ATTACKER]: attacker(net),
        },
        witnesses: [],
      };
    },
    expected: "unresolvable",
    shows: (seen) => seen.limit === "referrals",
  },
];

/** Cuts that every server shows, each in a different way, combined with other server faults. */
const honest: Row[] = [
  {
    name: "a cut at the challenge name, one of three servers dead",
    setup: (net) => ({
      records: delegation(NAME, { "ns.far.test": [] }),
      nameservers: nameservers(net, 3),
      tld: { records: delegation("far.test", { "ns.far.test": [net.at(6)] }) },
      servers: {
        5: { behaviour: silent },
        6: {
          zones: [
            labZone("far.test", { "ns.far.test": [net.at(6)] }),
            labZone(NAME, { "ns.far.test": [] }, [token(NAME)]),
          ],
        },
      },
      witnesses: [],
    }),
    expected: "found",
    shows: (seen) => seen.delegation.type === "delegated" && seen.delegation.zone === NAME,
  },
  {
    name: "a cut at the challenge name, two of three servers dead",
    setup: (net) => ({
      records: delegation(NAME, { [`ns.${NAME}`]: [net.at(6)] }),
      nameservers: nameservers(net, 3),
      servers: {
        4: { behaviour: silent },
        5: { behaviour: silent },
        6: { zones: [labZone(NAME, { [`ns.${NAME}`]: [net.at(6)] }, [token(NAME)])] },
      },
      witnesses: [],
    }),
    expected: "absent lame_delegation",
  },
  ...["with", "without"].map((has): Row => {
    const own = { "ns2.acme.test": [], [`ns.${SHOP}`]: [] as string[] };
    return {
      name: `a subdomain whose zone one of its parent's two servers holds too, ${has} the token`,
      setup: (net) => {
        const names = { ...own, [`ns.${SHOP}`]: [net.at(5)] };
        const shop = labZone(SHOP, names, has === "with" ? [token(`${LABEL}.${SHOP}`)] : []);
        const parent = labZone("acme.test", nameservers(net, 2), delegation(SHOP, names));
        return {
          domain: SHOP,
          zone: "acme.test",
          records: delegation(SHOP, names),
          servers: { 4: { zones: [parent, shop] }, 5: { zones: [shop] } },
          witnesses: [{}, {}, {}].map(() => ({
            behaviour: has === "with" ? deceived : resolving,
          })),
        };
      },
      expected: has === "with" ? "found" : "absent record_absent",
      shows: (seen) =>
        seen.delegation.type === "delegated" &&
        seen.delegation.zone === SHOP &&
        seen.servers.map(({ host }) => host).join() === `ns.${SHOP},ns2.acme.test`,
    };
  }),
  {
    name: "a subdomain on its parent's servers, with another nameserver that lacks the token",
    setup: (net) => {
      const own = { ...nameservers(net, 2), [`ns.${SHOP}`]: [net.at(5)] };
      const shop = labZone(SHOP, own, [token(`${LABEL}.${SHOP}`)]);
      const parent = labZone("acme.test", nameservers(net, 2));
      return {
        domain: SHOP,
        zone: "acme.test",
        servers: {
          3: { zones: [parent, shop] },
          4: { zones: [parent, shop] },
          5: { zones: [labZone(SHOP, own)] },
        },
        witnesses: [],
      };
    },
    expected: "absent nameserver_sync",
    shows: (seen) => seen.delegation.type === "delegated" && seen.delegation.zone === SHOP,
  },
  {
    name: "cuts in a row",
    setup: (net) => {
      const inner = `in.${SHOP}`;
      const outer = { [`ns.${SHOP}`]: [net.at(5)], [`ns2.${SHOP}`]: [net.at(6)] };
      const inside = { [`ns.${inner}`]: [net.at(7)] };
      const zones = [labZone(SHOP, outer, delegation(inner, inside))];
      return {
        domain: inner,
        zone: "acme.test",
        records: delegation(SHOP, outer),
        servers: {
          5: { zones },
          6: { zones },
          7: { zones: [labZone(inner, inside, [token(`${LABEL}.${inner}`)])] },
        },
        witnesses: [],
      };
    },
    expected: "found",
    shows: (seen) => seen.packets <= 14,
  },
];

/** A server of the parent that still answers for a delegated name itself, without the token. */
const stale: Row = {
  name: "a subdomain of which one parent server holds an old copy",
  setup: (net) => {
    const own = { [`ns.${SHOP}`]: [net.at(5)] };
    const parent = labZone("acme.test", nameservers(net, 2), delegation(SHOP, own));
    return {
      domain: SHOP,
      zone: "acme.test",
      records: delegation(SHOP, own),
      servers: {
        4: { zones: [parent, labZone(SHOP, own)] },
        5: { zones: [labZone(SHOP, own, [token(`${LABEL}.${SHOP}`)])] },
      },
      witnesses: [],
    };
  },
  expected: "absent nameserver_sync",
  shows: (seen) => seen.servers.map(({ host }) => host).join() === `ns.${SHOP},ns2.acme.test`,
};

/** Zone cuts: which servers must show one for it to count, and what a single server's word must not change. */
export const CUT_ROWS: Row[] = [
  ...strays,
  otherGlue,
  otherNames,
  tokenAnswered,
  ...unconfirmed,
  ...misled,
  ...honest,
  stale,
];
