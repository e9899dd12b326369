import { rowsOf } from "./row-lines.ts";
import { hostsOf, type Row } from "./rows.ts";
import { believing } from "./rows-stray-cuts.ts";

const words = {
  behaviours: { believing: believing("ns.shop.acme.test", "ns2.acme.test") },
  shows: {
    "ns.shop and ns2": (seen: Parameters<typeof hostsOf>[0]) =>
      hostsOf(seen) === "ns.shop.acme.test,ns2.acme.test",
    "few packets": ({ packets }: { packets: number }) => packets <= 14,
  },
};
const IS_SHOP = "sees {delegation: {type: delegated, zone: shop.acme.test}}";
const IS_NAME = "sees {delegation: {type: delegated, zone: _service-challenge.acme.test}}";
/** One of the parent's two servers also has the subdomain's zone, which has its own server. */
const SHARED = `claim shop | shop NS ns2, ns.shop .5
  at 4 zone acme.test. 2 | + shop NS ns2, ns.shop .5 | at 4,5 zone shop ns2, ns.shop .5`;

/** Cuts that every server shows, each in another way, combined with other server faults. */
export const HONEST_CUT_ROWS: Row[] = rowsOf(
  words,
  `
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
`,
);
