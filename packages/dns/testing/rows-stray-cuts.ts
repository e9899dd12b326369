import {
  ATTACKER,
  attacker,
  avoidsAttacker,
  deceived,
  delegating,
  withGlue,
  withoutGlue,
} from "./attacker.ts";
import type { LabBehaviour, LabOptions } from "./lab-server.ts";
import { delegation, type LabRecord, labZone } from "./lab-zone.ts";
import { NAME, nameservers, type Row, SHOP } from "./rows.ts";
import type { Net } from "./world.ts";

/** Resolvers that the attacker has deceived, or none. */
const WITNESSES: [string, LabOptions[]][] = [
  ["no witnesses", []],
  ["three witnesses that follow it", [1, 2, 3].map(() => ({ zones: [], behaviour: deceived }))],
];

type Cut = {
  name: string;
  domain?: string;
  zone: string;
  records: (net: Net) => LabRecord[];
  authoritative?: boolean;
};

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

/** Zone cuts that only some servers show, or that TCP does not confirm. */
export const STRAY_CUT_ROWS: Row[] = [
  ...strays,
  otherGlue,
  otherNames,
  tokenAnswered,
  ...unconfirmed,
];
