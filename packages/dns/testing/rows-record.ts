import { altered } from "./faults.ts";
import type { LabQuery } from "./lab-server.ts";
import { delegation, empty, type LabRecord, labZone, toAnswer } from "./lab-zone.ts";
import {
  absent,
  address,
  aliased,
  answering,
  cname,
  comesTo,
  each,
  found,
  hosting,
  inShop,
  NAME,
  nameservers,
  type Row,
  row,
  type Setup,
  SHOP,
  type Shows,
  syncing,
  txt,
  unpublished,
} from "./rows.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";

const AT_SHOP = `${LABEL}.${SHOP}`;
const OTHER = `service_v1_${"f".repeat(40)}`;
const SPF = "v=spf1 -all";
const LABEL_63 = "a".repeat(63);
const LONG = `${LABEL_63}.${LABEL_63}.${"b".repeat(63)}.${"c".repeat(37)}.test`;

const inZone = (...records: LabRecord[]): WorldSetup => ({ records });
const below = (...records: LabRecord[]): WorldSetup => ({ ...inShop, records });
/** A claim two labels below the zone's own name. */
const deep = (...records: LabRecord[]) => ({ ...below(...records), domain: "a.b.acme.test" });

const isNowhere: Shows = (seen) => seen.misplaced.length === 0;
const wildcardIs =
  (wildcard: string | false): Shows =>
  (seen) =>
    seen.wildcard === wildcard;
const isAlias = (type: string, name: string) => ({ record: { type, name } });

const misplaced = (name: string, kind: string, at: string, code: string): Row =>
  row(name, inZone(txt(at)), `absent ${code}`, (seen) =>
    seen.misplaced.some((one) => one.kind === kind && one.name === at && one.servers.length === 2),
  );
const near = (name: string, kind: string, at: string, setup: Setup = inZone(txt(at))): Row =>
  absent(name, setup, { nearMiss: { kind, name: at } });
/** A record at `host`, and how its name is shown. */
const strange = (name: string, host: string, shown: string, kind = "misspelled"): Row =>
  absent(name, inZone(txt(`${host}.acme.test`)), {
    nearMiss: { kind, name: `${shown}.acme.test` },
  });
/** A label that holds dots: the codec of the lab takes it for several. */
const dotted = (name: string, shown: string): Row => {
  const plain = `${shown.replaceAll("\\", "")}.acme.test`;
  const label =
    shown
      .split(/(?<!\\)\./)
      .at(-1)
      ?.replaceAll("\\", "") ?? "";
  const octets = String.fromCharCode(label.length) + label;
  const isMeant = ({ bytes }: LabQuery) => bytes.toString("latin1").toLowerCase().includes(octets);
  const behaviour = altered((answer, query) =>
    query.name === plain && !isMeant(query) ? empty(3, true) : answer,
  );
  const nearMiss = { kind: "misspelled", name: `${shown}.acme.test` };
  return absent(name, { records: [txt(plain)], ...answering(behaviour) }, { nearMiss });
};
const nothingNear = (name: string, setup: Setup): Row =>
  absent(name, setup, { nearMiss: null }, isNowhere);
const formatted = comesTo("absent value_formatted");
const unmatched = comesTo("absent no_matching_record");
const cached = comesTo("absent negative_cache");

/** shop.acme.test is a separate zone at .6; the records are those of acme.test. */
const apart = (net: Net, ...records: LabRecord[]): WorldSetup => {
  const child = { "ns.shop.acme.test": [net.at(6)] };
  return {
    ...below(...delegation(SHOP, child), ...records),
    servers: { ...each({}), 6: { zones: [labZone(SHOP, child)] } },
  };
};
const PARENTS = ["ns1.acme.test", "ns2.acme.test"];
const inParent = (name: string, at: string): Row =>
  unpublished(name, (net) => apart(net, txt(at)), {
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
const held = (name: string, value: string, what: string): Row => {
  const behaviour = altered((answer, query) => ({
    ...answer,
    aa: false,
    answers: [toAnswer({ ...txt(query.name, value), ttl: 200 })],
  }));
  return cached(
    name,
    {
      witnesses: [{ behaviour }, { behaviour }, {}],
      history: { endedTokens: [{ token: OTHER, endedAt: 0 }] },
    },
    { held: what, secondsRemaining: 200 },
  );
};
/** Resolvers' negative answer of before, for 77 s more. */
const old = {
  behaviour: altered((answer) => ({
    ...answer,
    aa: false,
    rcode: 3,
    answers: [],
    authorities: [toAnswer({ name: "acme.test", type: "SOA", data: "7", ttl: 77 })],
  })),
};

/** What may be at the challenge name. */
const AT_NAME: Row[] = [
  aliased("CNAME loop", inZone(cname(NAME, "x.acme.test"), cname("x.acme.test", NAME))),
  aliased(
    "CNAME to a name that has the token",
    inZone(cname(NAME, "x.acme.test"), txt("x.acme.test")),
    isAlias("CNAME", NAME),
  ),
  aliased(
    "a wildcard alias above the name claimed",
    below(cname("*.acme.test", "x.test")),
    isAlias("CNAME", "*.acme.test"),
    wildcardIs("*.acme.test"),
    isNowhere,
  ),
  aliased(
    "a wildcard alias right below the name claimed",
    below(cname(`*.${SHOP}`, "x.test"), cname("*.acme.test", "y.test")),
    isAlias("CNAME", `*.${SHOP}`),
  ),
  aliased(
    "an alias of its own beside a wildcard",
    below(cname(AT_SHOP, "x.test"), cname("*.acme.test", "y.test")),
    isAlias("CNAME", AT_SHOP),
  ),
  aliased(
    "a DNAME at the zone's name",
    inZone({ name: "acme.test", type: "DNAME", data: "elsewhere.test" }),
    isAlias("DNAME", "acme.test"),
  ),
  aliased("the token as an alias's target", inZone(cname(NAME, `${TOKEN}.acme.test`)), {
    target: `${TOKEN}.acme.test`,
    ...isAlias("CNAME", NAME),
  }),
  absent("a wildcard address above the name claimed", below(address("*.acme.test", "192.0.2.1")), {
    wildcardName: "*.acme.test",
    answer: { type: "nodata", types: ["A"] },
  }),
  unmatched(
    "a wildcard TXT above the name claimed",
    below(txt("*.acme.test", SPF)),
    { wildcard: true, wildcardName: "*.acme.test" },
    wildcardIs("*.acme.test"),
  ),
  found("wildcard TXT with the token", inZone(txt("*.acme.test"))),
  unmatched("another value, no wildcard", inZone(txt(NAME, SPF)), wildcardIs(false)),
  found(
    "TXT in several strings",
    inZone(txt(NAME, [TOKEN.slice(0, 7), TOKEN.slice(7, 20), TOKEN.slice(20)])),
  ),
  found("several TXT of which one matches", inZone(txt(NAME, SPF), txt(NAME), txt(NAME, "other"))),
  formatted("a damaged token beside others", inZone(txt(NAME, `"${TOKEN}"`), txt(NAME, SPF)), {
    others: 1,
  }),
  formatted(
    "the token cut into two records, beside another",
    inZone(txt(NAME, TOKEN.slice(31)), txt(NAME, SPF), txt(NAME, TOKEN.slice(0, 31))),
    { value: TOKEN.slice(0, 31), damage: ["truncated"], pieces: 2, others: 1 },
  ),
  row(
    "this account's token for another domain",
    { records: [txt(NAME, OTHER)], history: { domainOf: () => "other.test" } },
    "absent foreign_token",
    { value: OTHER, domain: "other.test" },
  ),
  syncing(
    "one server of two missing the record",
    (net) => ({ servers: { 4: { zones: [labZone("acme.test", nameservers(net, 2))] } } }),
    (seen) => seen.soa?.serial === 7 && seen.witnesses === null,
    isNowhere,
  ),
  absent("NODATA", inZone(address(NAME, "192.0.2.1")), (seen) => seen.typesAtName.join() === "A"),
  absent("NXDOMAIN", inZone(), (seen) =>
    seen.servers.every((one) => one.answer?.rcode === "NXDOMAIN"),
  ),
  absent(
    "empty non-terminal",
    inZone(txt(`x.${NAME}`, "below")),
    ({ typesAtName, servers }) =>
      typesAtName.length === 0 && servers.every(({ answer }) => answer?.rcode === "NOERROR"),
  ),
  found("servers that deny empty non-terminals", {
    domain: "a.b.acme.test",
    zone: "acme.test",
    servers: each({
      behaviour: altered((answer, query) =>
        query.name === "b.acme.test" ? { ...answer, rcode: 3 } : answer,
      ),
    }),
  }),
  found("IDN zone", { domain: "xn--bcher-kva.test" }),
  found("name of 234 octets", { domain: LONG }, (seen) => seen.domain.length === 234),
  cached(
    "witnesses hold the old answer",
    { witnesses: [old, old, {}] },
    (seen) => seen.witnesses?.[0]?.answer?.soa?.ttl === 77 && seen.soa !== null,
  ),
  held("resolvers hold the earlier token", OTHER, "earlier_token"),
  held("resolvers hold other values", SPF, "other_values"),
];

/** The token at a wrong name, or of a wrong type. */
const MISPLACED: Row[] = [
  misplaced("domain appended", "domain_appended", `${NAME}.acme.test`, "domain_appended"),
  misplaced("record at the apex", "apex", "acme.test", "record_at_apex"),
  misplaced("record on www", "www", "www.acme.test", "record_on_www"),
  misplaced("challenge on www", "challenge_on_www", `${LABEL}.www.acme.test`, "record_on_www"),
  misplaced("no underscore", "no_underscore", "service-challenge.acme.test", "record_absent"),
  misplaced("host doubled", "host_doubled", `${LABEL}.${NAME}`, "record_absent"),
  row(
    "the token beside others at the apex",
    inZone(txt("acme.test"), txt("acme.test", SPF), txt("acme.test", "x=1")),
    "absent record_at_apex",
    { others: 2 },
  ),
  absent(
    "another dash in the host and quotation marks in the value",
    inZone(txt(`${LABEL.replace("-", "\u2011")}.acme.test`, `"${TOKEN}"`)),
    {
      nearMiss: {
        kind: "misspelled",
        name: `${LABEL.replace("-", "\\226\\128\\145")}.acme.test`,
        value: `"${TOKEN}"`,
      },
    },
  ),
  row("damaged value at the apex", inZone(txt("acme.test", `"${TOKEN}"`)), "absent record_at_apex"),
  ...["_service_challenge", "service_challenge", "_service challenge", "service challenge"].map(
    (label) => near(`the host ${label}`, "misspelled", `${label}.acme.test`),
  ),
  near("quotation marks in the host", "quoted_host", `"${LABEL}".acme.test`),
  near(
    "quotation marks around a host of two labels",
    "quoted_host",
    `"${LABEL}.shop".acme.test`,
    below(txt(`"${LABEL}.shop".acme.test`)),
  ),
  near("a part of the domain appended", "domain_repeated", `${LABEL}.acme.acme.test`),
  strange("a space after the host", `${LABEL} `, `${LABEL}\\032`),
  strange("a no-break space before the host", `\u00a0${LABEL}`, `\\194\\160${LABEL}`),
  strange("a zero-width space after the host", `${LABEL}\u200b`, `${LABEL}\\226\\128\\139`),
  strange("a byte order mark before the host", `\ufeff${LABEL}`, `\\239\\187\\191${LABEL}`),
  ...(
    [
      ["\u2010", "\\144"],
      ["\u2011", "\\145"],
      ["\u2013", "\\147"],
    ] as const
  ).map(([dash, last]) =>
    strange(
      `${dash} in place of the hyphen`,
      LABEL.replace("-", dash),
      LABEL.replace("-", `\\226\\128${last}`),
    ),
  ),
  ...["xn--_servicechallenge-xz2j", "xn--_servicechallenge-h12j"].map((host) =>
    strange(`a dash that the panel encoded as ${host}`, host, host),
  ),
  strange("an @ in the host", "@", "@"),
  strange("an @ after the host", `${LABEL}.@`, `${LABEL}.@`),
  strange("a backslash in the host", `${LABEL}.acme\\.test`, `${LABEL}.acme\\\\.test`),
  dotted("an escaped dot in the domain", `${LABEL}.acme\\.test`),
  dotted("escaped dots alone", `${LABEL}\\.acme\\.test`),
  strange("www in front of the host", `www.${LABEL}`, `www.${LABEL}`, "www_in_front"),
  strange("the domain twice, without the host", "acme.test", "acme.test", "domain_doubled"),
  near("the zone's own name", "zone_apex", "acme.test", below(txt("acme.test"))),
  near("a name between", "between", "b.acme.test", deep(txt("b.acme.test"))),
  near(
    "the challenge name of a name between",
    "parent",
    `${LABEL}.b.acme.test`,
    deep(txt(`${LABEL}.b.acme.test`)),
  ),
  near(
    "the token as a host of the zone",
    "token_as_host",
    `${TOKEN}.acme.test`,
    below(txt(`${TOKEN}.acme.test`, LABEL)),
  ),
  ...(
    [
      ["the token as a nameserver", "ns_target", "NS", `${TOKEN}.acme.test`],
      ["type SPF", "spf_type", "SPF", TOKEN],
      ["the token as a mail server", "mx_target", "MX", `${TOKEN}.acme.test`],
    ] as const
  ).map(([name, kind, type, data]) => near(name, kind, NAME, inZone({ name: NAME, type, data }))),
  row(
    "a nameserver at the challenge name that is not the token",
    inZone({ name: NAME, type: "NS", data: "ns.nowhere.test" }),
    "absent lame_delegation",
    {
      parent: "acme.test",
      nameservers: [{ host: "ns.nowhere.test", result: "no_address", reason: "unregistered" }],
    },
  ),
  nothingNear(
    "a wildcard mail server is no evidence",
    inZone({ name: "*.acme.test", type: "MX", data: `${TOKEN}.acme.test` }),
  ),
  nothingNear(
    "a wildcard between is no evidence",
    deep(
      txt("*.acme.test"),
      address("b.acme.test", "192.0.2.1"),
      address("a.b.acme.test", "192.0.2.1"),
    ),
  ),
  nothingNear(
    "wildcard below www is no evidence",
    inZone(txt("*.www.acme.test"), txt(`*.${NAME}`)),
  ),
];

/** The token on servers of another zone, or of another host. */
const ELSEWHERE: Row[] = [
  unpublished(
    "the record at the host that the zone left",
    (net) => moved(net),
    { elsewhere: { type: "former" }, publishedOn: ["old1.host.test"], nameservers: PARENTS },
    (seen) =>
      seen.former.map(({ host, result }) => `${host} ${result}`).join() ===
      "old1.host.test answered,old2.host.test blocked_address",
  ),
  unpublished(
    "the host that the zone left still in its own NS set",
    (net) => moved(net, { ownNameservers: { "ns1.acme.test": [net.at(3)], "old1.host.test": [] } }),
    { elsewhere: { type: "former" } },
    (seen) => seen.unlisted.length === 0,
  ),
  unpublished(
    "the record on servers that only the zone lists",
    (net) => {
      const own = { "ns8.acme.test": [net.at(8)] };
      const zones = [labZone("acme.test", own, [txt(NAME)])];
      return { records: [], ownNameservers: own, servers: { 8: { zones } } };
    },
    { elsewhere: { type: "unlisted" }, publishedOn: ["ns8.acme.test"] },
  ),
  unpublished(
    "the record on servers that only a zone below another lists",
    (net) => {
      const own = { "ns.shop.acme.test": [net.at(6)], "ns8.shop.acme.test": [net.at(8)] };
      return {
        ...apart(net),
        servers: {
          6: { zones: [labZone(SHOP, own)] },
          8: { zones: [labZone(SHOP, own, [txt(AT_SHOP)])] },
        },
      };
    },
    {
      elsewhere: { type: "unlisted", parent: "acme.test" },
      publishedOn: ["ns8.shop.acme.test"],
    },
  ),
  inParent("the challenge name of the zone above", NAME),
  inParent("the full name in the zone above", `${AT_SHOP}.acme.test`),
  absent("the record below the cut, where the parent refers", (net) => apart(net, txt(AT_SHOP)), {
    nearMiss: null,
    delegated: { zone: SHOP, parent: "acme.test", nameservers: ["ns.shop.acme.test"] },
  }),
  absent(
    "a wildcard in the zone above is no evidence",
    (net) => apart(net, txt("*.acme.test")),
    { nearMiss: null },
    (seen) => seen.parent?.name === null,
  ),
];

/** Records at the challenge name and elsewhere. */
export const RECORD_ROWS: Row[] = [...AT_NAME, ...MISPLACED, ...ELSEWHERE];
