import { resolving, silent } from "./faults.ts";
import { delegation, type LabRecord, labZone } from "./lab-zone.ts";
import {
  found,
  hostsOf,
  inShop,
  lame,
  NAME,
  nameservers,
  type Row,
  row,
  SHOP,
  syncing,
  three,
  txt,
  zoneIs,
} from "./rows.ts";
import { atShop, believing } from "./rows-stray-cuts.ts";
import { LABEL, type Net } from "./world.ts";

const farAway = (net: Net) => ({ "ns.far.test": [net.at(6)] });
const shopOf = (own: Record<string, string[]>, ...records: LabRecord[]) =>
  labZone(SHOP, own, records);
const AT_SHOP = txt(`${LABEL}.${SHOP}`);

/** Cuts that every server shows, each in a different way, combined with other server faults. */
export const HONEST_CUT_ROWS: Row[] = [
  syncing(
    "a cut at the challenge name, one of three servers dead",
    (net) => ({
      records: delegation(NAME, { "ns.far.test": [] }),
      nameservers: nameservers(net, 3),
      tld: { records: delegation("far.test", farAway(net)) },
      servers: {
        5: { behaviour: silent },
        6: {
          zones: [
            labZone("far.test", farAway(net)),
            labZone(NAME, { "ns.far.test": [] }, [txt(NAME)]),
          ],
        },
      },
      witnesses: [],
    }),
    zoneIs(NAME),
  ),
  lame("a cut at the challenge name, two of three servers dead", (net) => {
    const own = { [`ns.${NAME}`]: [net.at(6)] };
    return {
      records: delegation(NAME, own),
      nameservers: nameservers(net, 3),
      servers: {
        4: { behaviour: silent },
        5: { behaviour: silent },
        6: { zones: [labZone(NAME, own, [txt(NAME)])] },
      },
      witnesses: [],
    };
  }),
  ...["with", "without"].map((has) =>
    row(
      `a subdomain whose zone one of its parent's two servers holds too, ${has} the token`,
      (net) => {
        const names = { "ns2.acme.test": [], ...atShop(net) };
        const shop = shopOf(names, ...(has === "with" ? [AT_SHOP] : []));
        const parent = labZone("acme.test", nameservers(net, 2), delegation(SHOP, names));
        return {
          ...inShop,
          records: delegation(SHOP, names),
          servers: { 4: { zones: [parent, shop] }, 5: { zones: [shop] } },
          witnesses: three(
            has === "with" ? believing(`ns.${SHOP}`, "ns2.acme.test") : { behaviour: resolving },
          ),
        };
      },
      has === "with" ? "found" : "absent record_absent",
      zoneIs(SHOP),
      (seen) => hostsOf(seen) === `ns.${SHOP},ns2.acme.test`,
    ),
  ),
  syncing(
    "a subdomain on its parent's servers, with another nameserver that lacks the token",
    (net) => {
      const own = { ...nameservers(net, 2), ...atShop(net) };
      const zones = [labZone("acme.test", nameservers(net, 2)), shopOf(own, AT_SHOP)];
      return {
        ...inShop,
        servers: { 3: { zones }, 4: { zones }, 5: { zones: [shopOf(own)] } },
        witnesses: [],
      };
    },
    zoneIs(SHOP),
  ),
  found(
    "cuts in a row",
    (net) => {
      const inner = `in.${SHOP}`;
      const outer = { ...atShop(net), [`ns2.${SHOP}`]: [net.at(6)] };
      const inside = { [`ns.${inner}`]: [net.at(7)] };
      const zones = [shopOf(outer, ...delegation(inner, inside))];
      const last = labZone(inner, inside, [txt(`${LABEL}.${inner}`)]);
      return {
        domain: inner,
        zone: "acme.test",
        records: delegation(SHOP, outer),
        servers: { 5: { zones }, 6: { zones }, 7: { zones: [last] } },
        witnesses: [],
      };
    },
    ({ packets }) => packets <= 14,
  ),
  syncing(
    "a subdomain of which one parent server holds an old copy",
    (net) => {
      const own = atShop(net);
      const parent = labZone("acme.test", nameservers(net, 2), delegation(SHOP, own));
      return {
        ...inShop,
        records: delegation(SHOP, own),
        servers: { 4: { zones: [parent, shopOf(own)] }, 5: { zones: [shopOf(own, AT_SHOP)] } },
        witnesses: [],
      };
    },
    (seen) => hostsOf(seen) === `ns.${SHOP},ns2.acme.test`,
  ),
];
