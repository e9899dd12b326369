import { ATTACKER, attacker, delegating } from "./attacker.ts";
import type { LabBehaviour } from "./lab-server.ts";
import { delegation, type LabZone, labZone } from "./lab-zone.ts";
import { address, type Row } from "./rows.ts";
import type { Net, WorldSetup } from "./world.ts";

/**
 * The claimed zone's nameservers have names in host.test. The servers of host.test are the liar at .5, whose address
 * comes from the registry, so that it is asked first, and two at .6 and .7, which must be looked up.
 */
const hosted = (net: Net, liar: LabBehaviour): WorldSetup => {
  const other = { "dns.other.test": [net.at(8)] };
  const own = { "dns1.host.test": [net.at(5)], "dns2.other.test": [], "dns3.other.test": [] };
  const zones: LabZone[] = [
    labZone("host.test", own, [
      address("ns1.host.test", net.at(3)),
      address("ns2.host.test", net.at(4)),
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
            address("dns2.other.test", net.at(6)),
            address("dns3.other.test", net.at(7)),
          ]),
        ],
      },
      [ATTACKER]: attacker(net),
    },
    witnesses: [],
  };
};

/** Look-ups of nameserver addresses that one server leads astray. */
export const MISLED_LOOKUP_ROWS: Row[] = [
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
