import { altered } from "./faults.ts";
import { delegation, type LabRecord, labZone, toAnswer } from "./lab-zone.ts";
import { address, cname, hosting, NAME, type Row, row, SHOP, txt } from "./rows.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";

const AT_SHOP = `${LABEL}.${SHOP}`;
const OTHER = `service_v1_${"f".repeat(40)}`;

const inZone = (records: LabRecord[]): WorldSetup => ({ records });
const below = (records: LabRecord[], domain = SHOP): WorldSetup => ({
  domain,
  zone: "acme.test",
  records,
});

const alias = (name: string, setup: WorldSetup, type: string, owner: string): Row =>
  row(name, setup, "absent cname_conflict", { record: { type, name: owner } });

const near = (name: string, setup: WorldSetup, kind: string, at: string): Row =>
  row(name, setup, "absent record_absent", { nearMiss: { kind, name: at } });

const nothingNear = (name: string, setup: WorldSetup): Row =>
  row(
    name,
    setup,
    "absent record_absent",
    { nearMiss: null },
    (seen) => seen.misplaced.length === 0,
  );

/** shop.acme.test is a separate zone at .6; the records are those of acme.test. */
const apart = (
  net: Net,
  records: LabRecord[],
  parent: NonNullable<WorldSetup["servers"]>[number] = {},
): WorldSetup => {
  const child = { "ns.shop.acme.test": [net.at(6)] };
  return {
    domain: SHOP,
    zone: "acme.test",
    records: [...delegation(SHOP, child), ...records],
    servers: { 3: parent, 4: parent, 6: { zones: [labZone(SHOP, child)] } },
  };
};
const PARENTS = ["ns1.acme.test", "ns2.acme.test"];
const inParent = (name: string, at: string, parent?: Parameters<typeof apart>[2]): Row =>
  row(name, (net) => apart(net, [txt(at)], parent), "absent not_published", {
    elsewhere: { type: "parent", zone: "acme.test", name: at },
    publishedOn: PARENTS,
    nameservers: ["ns.shop.acme.test"],
  });

/** The zone moved from old1.host.test at .5 to the servers that the registry lists. */
const moved = (net: Net, own: WorldSetup = {}): WorldSetup => {
  const { tld, zone } = hosting(net, [
    address("old1.host.test", net.at(5)),
    address("old2.host.test", "192.168.7.7"),
  ]);
  return {
    ...own,
    records: [],
    former: ["ns1.acme.test", "old1.host.test", "old2.host.test"],
    tld,
    servers: { 5: { zones: [zone, labZone("acme.test", { "old1.host.test": [] }, [txt(NAME)])] } },
  };
};

/** Resolvers that still cache the earlier value of the name, for 200 s. */
const holding = (value: string) => ({
  behaviour: altered((answer, query) => ({
    ...answer,
    aa: false,
    answers: [toAnswer({ ...txt(query.name, value), ttl: 200 })],
  })),
});
const held = (name: string, value: string, what: string): Row =>
  row(
    name,
    {
      witnesses: [holding(value), holding(value), {}],
      history: { endedTokens: [{ token: OTHER, endedAt: 0 }] },
    },
    "absent negative_cache",
    { held: what, secondsRemaining: 200 },
  );

/** Records whose diagnosis once sent people to the wrong place. */
export const PLACE_ROWS: Row[] = [
  alias("an alias at the name itself", inZone([cname(NAME, "x.test")]), "CNAME", NAME),
  alias(
    "a wildcard alias above the name claimed",
    below([cname("*.acme.test", "x.test")]),
    "CNAME",
    "*.acme.test",
  ),
  alias(
    "a wildcard alias right below the name claimed",
    below([cname(`*.${SHOP}`, "x.test"), cname("*.acme.test", "y.test")]),
    "CNAME",
    `*.${SHOP}`,
  ),
  alias(
    "an alias of its own beside a wildcard",
    below([cname(AT_SHOP, "x.test"), cname("*.acme.test", "y.test")]),
    "CNAME",
    AT_SHOP,
  ),
  alias(
    "a DNAME at the zone's name",
    inZone([{ name: "acme.test", type: "DNAME", data: "elsewhere.test" }]),
    "DNAME",
    "acme.test",
  ),
  row(
    "the token as an alias's target",
    inZone([cname(NAME, `${TOKEN}.acme.test`)]),
    "absent cname_conflict",
    { target: `${TOKEN}.acme.test`, record: { type: "CNAME", name: NAME } },
  ),
  row(
    "a wildcard address above the name claimed",
    below([address("*.acme.test", "192.0.2.1")]),
    "absent record_absent",
    { wildcardName: "*.acme.test", answer: { type: "nodata", types: ["A"] } },
  ),
  row(
    "a wildcard TXT above the name claimed",
    below([txt("*.acme.test", "v=spf1 -all")]),
    "absent no_matching_record",
    { wildcard: true, wildcardName: "*.acme.test" },
  ),
  row(
    "the token beside others at the apex",
    inZone([txt("acme.test"), txt("acme.test", "v=spf1 -all"), txt("acme.test", "x=1")]),
    "absent record_at_apex",
    { others: 2 },
  ),
  row(
    "a damaged token beside others",
    inZone([txt(NAME, `"${TOKEN}"`), txt(NAME, "v=spf1 -all")]),
    "absent value_formatted",
    { others: 1 },
  ),
  row(
    "the token cut into two records, beside another",
    inZone([txt(NAME, TOKEN.slice(31)), txt(NAME, "v=spf1 -all"), txt(NAME, TOKEN.slice(0, 31))]),
    "absent value_formatted",
    { value: TOKEN.slice(0, 31), damage: ["truncated"], pieces: 2, others: 1 },
  ),
  ...["service_challenge", "_service challenge", "service challenge"].map((label) =>
    near(
      `the host ${label}`,
      inZone([txt(`${label}.acme.test`)]),
      "misspelled",
      `${label}.acme.test`,
    ),
  ),
  near(
    "quotation marks in the host",
    inZone([txt(`"${LABEL}".acme.test`)]),
    "quoted_host",
    `"${LABEL}".acme.test`,
  ),
  near(
    "quotation marks around a host of two labels",
    below([txt(`"${LABEL}.shop".acme.test`)]),
    "quoted_host",
    `"${LABEL}.shop".acme.test`,
  ),
  near(
    "a part of the domain appended",
    inZone([txt(`${LABEL}.acme.acme.test`)]),
    "domain_repeated",
    `${LABEL}.acme.acme.test`,
  ),
  near("the zone's own name", below([txt("acme.test")]), "zone_apex", "acme.test"),
  near("a name between", below([txt("b.acme.test")], "a.b.acme.test"), "between", "b.acme.test"),
  near(
    "the challenge name of a name between",
    below([txt(`${LABEL}.b.acme.test`)], "a.b.acme.test"),
    "parent",
    `${LABEL}.b.acme.test`,
  ),
  near(
    "the token as a host of the zone",
    below([txt(`${TOKEN}.acme.test`, LABEL)]),
    "token_as_host",
    `${TOKEN}.acme.test`,
  ),
  near(
    "the token as a nameserver",
    inZone([{ name: NAME, type: "NS", data: `${TOKEN}.acme.test` }]),
    "ns_target",
    NAME,
  ),
  row(
    "a nameserver at the challenge name that is not the token",
    inZone([{ name: NAME, type: "NS", data: "ns.nowhere.test" }]),
    "absent lame_delegation",
    { parent: "acme.test", nameservers: [{ host: "ns.nowhere.test", result: "no_address" }] },
  ),
  near("type SPF", inZone([{ name: NAME, type: "SPF", data: TOKEN }]), "spf_type", NAME),
  near(
    "the token as a mail server",
    inZone([{ name: NAME, type: "MX", data: `${TOKEN}.acme.test` }]),
    "mx_target",
    NAME,
  ),
  nothingNear("a wildcard mail server is no evidence", {
    records: [{ name: "*.acme.test", type: "MX", data: `${TOKEN}.acme.test` }],
  }),
  nothingNear(
    "a wildcard between is no evidence",
    below(
      [
        txt("*.acme.test"),
        address("b.acme.test", "192.0.2.1"),
        address("a.b.acme.test", "192.0.2.1"),
      ],
      "a.b.acme.test",
    ),
  ),
  row(
    "this account's token for another domain",
    { records: [txt(NAME, OTHER)], history: { domainOf: () => "other.test" } },
    "absent foreign_token",
    { value: OTHER, domain: "other.test" },
  ),
  row(
    "the record at the host that the zone left",
    (net) => moved(net),
    "absent not_published",
    {
      elsewhere: { type: "former" },
      publishedOn: ["old1.host.test"],
      nameservers: ["ns1.acme.test", "ns2.acme.test"],
    },
    (seen) =>
      seen.former.map(({ host, result }) => `${host} ${result}`).join() ===
      "old1.host.test answered,old2.host.test blocked_address",
  ),
  row(
    "the host that the zone left still in its own NS set",
    (net) => moved(net, { ownNameservers: { "ns1.acme.test": [net.at(3)], "old1.host.test": [] } }),
    "absent not_published",
    { elsewhere: { type: "former" } },
    (seen) => seen.unlisted.length === 0,
  ),
  row(
    "the record on servers that only the zone lists",
    (net) => ({
      records: [],
      ownNameservers: { "ns8.acme.test": [net.at(8)] },
      servers: {
        8: { zones: [labZone("acme.test", { "ns8.acme.test": [net.at(8)] }, [txt(NAME)])] },
      },
    }),
    "absent not_published",
    { elsewhere: { type: "unlisted" }, publishedOn: ["ns8.acme.test"] },
  ),
  row(
    "the record on servers that only a zone below another lists",
    (net) => {
      const own = { "ns.shop.acme.test": [net.at(6)], "ns8.shop.acme.test": [net.at(8)] };
      return {
        ...apart(net, []),
        servers: {
          6: { zones: [labZone(SHOP, own)] },
          8: { zones: [labZone(SHOP, own, [txt(AT_SHOP)])] },
        },
      };
    },
    "absent not_published",
    {
      elsewhere: { type: "unlisted", parent: "acme.test" },
      publishedOn: ["ns8.shop.acme.test"],
    },
  ),
  inParent("the challenge name of the zone above", NAME),
  inParent("the full name in the zone above", `${AT_SHOP}.acme.test`),
  row(
    "the record below the cut, where the parent refers",
    (net) => apart(net, [txt(AT_SHOP)]),
    "absent record_absent",
    {
      nearMiss: null,
      delegated: { zone: SHOP, parent: "acme.test", nameservers: ["ns.shop.acme.test"] },
    },
  ),
  row(
    "a wildcard in the zone above is no evidence",
    (net) => apart(net, [txt("*.acme.test")]),
    "absent record_absent",
    { nearMiss: null },
    (seen) => seen.parent?.name === null,
  ),
  held("resolvers hold the earlier token", OTHER, "earlier_token"),
  held("resolvers hold other values", "v=spf1 -all", "other_values"),
];
