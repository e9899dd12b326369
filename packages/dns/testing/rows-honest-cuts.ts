import { believing } from "./attacker.ts";
import { resolving, silent } from "./faults.ts";
import { delegation, labZone } from "./lab-zone.ts";
import { NAME, nameservers, type Row, SHOP, txt } from "./rows.ts";
import { LABEL } from "./world.ts";

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
            labZone(NAME, { "ns.far.test": [] }, [txt(NAME)]),
          ],
        },
      },
      witnesses: [],
    }),
    expected: "absent nameserver_sync",
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
        6: { zones: [labZone(NAME, { [`ns.${NAME}`]: [net.at(6)] }, [txt(NAME)])] },
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
        const shop = labZone(SHOP, names, has === "with" ? [txt(`${LABEL}.${SHOP}`)] : []);
        const parent = labZone("acme.test", nameservers(net, 2), delegation(SHOP, names));
        return {
          domain: SHOP,
          zone: "acme.test",
          records: delegation(SHOP, names),
          servers: { 4: { zones: [parent, shop] }, 5: { zones: [shop] } },
          witnesses: [{}, {}, {}].map(() => ({
            behaviour: has === "with" ? believing(`ns.${SHOP}`, "ns2.acme.test") : resolving,
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
      const shop = labZone(SHOP, own, [txt(`${LABEL}.${SHOP}`)]);
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
          7: { zones: [labZone(inner, inside, [txt(`${LABEL}.${inner}`)])] },
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
        5: { zones: [labZone(SHOP, own, [txt(`${LABEL}.${SHOP}`)])] },
      },
      witnesses: [],
    };
  },
  expected: "absent nameserver_sync",
  shows: (seen) => seen.servers.map(({ host }) => host).join() === `ns.${SHOP},ns2.acme.test`,
};

/** Zone cuts that count, and an old copy of the child zone on a server of its parent. */
export const HONEST_CUT_ROWS: Row[] = [...honest, stale];
