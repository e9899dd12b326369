import {
  absent,
  both,
  type Case,
  diagnosis,
  ENDED,
  FOREIGN,
  LABEL,
  record,
  TOKEN,
  zone,
} from "./case.ts";
import { NS1, NS2, TLD } from "./zones.ts";

/** Zones with the record missing or wrong, on nameservers that answer. */
export const MISTAKES: Case[] = [
  {
    title: "nothing at all: NXDOMAIN",
    zone: zone("nothing.com", both()),
    decision: absent({ type: "nxdomain" }),
  },
  {
    title: "another type at the name: NODATA",
    zone: zone("nodata.com", both(`${LABEL} A 192.0.2.1`)),
    decision: absent({ type: "nodata", types: ["A"] }),
  },
  {
    title: "an empty non-terminal",
    zone: zone("ent.com", both(record("x", `below.${LABEL}`))),
    decision: absent({ type: "nodata", types: [] }),
  },
  {
    title: "NXDOMAIN of a signed zone",
    zone: zone("denied.example", both(), { signed: "good" }),
    decision: absent({ type: "nxdomain" }),
  },
  ...(
    [
      ["no_underscore", "service-challenge"],
      ["misspelled", "_service_challenge"],
      ["host_doubled", `${LABEL}.${LABEL}`],
      ["quoted_host", `"${LABEL}"`],
    ] as const
  ).map(([kind, host]) => {
    const name = `${kind.replace("_", "-")}.com`;
    return {
      title: `the token at a near miss: ${kind}`,
      zone: zone(name, both(record(TOKEN, host.replaceAll('"', "\\034")))),
      decision: absent({}, { kind, name: `${host}.${name}` }),
    };
  }),
  {
    title: "a space instead of the hyphen",
    zone: zone("spaced.com", both(record(TOKEN, "_service\\032challenge"))),
    decision: absent({}, { kind: "misspelled", name: "_service challenge.spaced.com" }),
  },
  {
    title: "the underscore omitted, and another instead of the hyphen",
    zone: zone("underscored.com", both(record(TOKEN, "service_challenge"))),
    decision: absent({}, { kind: "misspelled", name: "service_challenge.underscored.com" }),
  },
  {
    title: "a part of the domain appended",
    zone: zone("repeated.com", both(record(TOKEN, `${LABEL}.repeated`))),
    decision: absent({}, { kind: "domain_repeated", name: `${LABEL}.repeated.repeated.com` }),
  },
  {
    title: "the token at the zone's own name, above the name claimed",
    zone: zone("zone-apex.com", both(record(TOKEN, "@"), record("v=spf1 -all", "@"))),
    domain: "shop.zone-apex.com",
    decision: absent({}, { kind: "zone_apex", name: "zone-apex.com", others: 1 }),
  },
  {
    title: "the token at a name between zone and domain",
    zone: zone("between.com", both(record(TOKEN, "b"))),
    domain: "a.b.between.com",
    decision: absent({}, { kind: "between", name: "b.between.com" }),
  },
  {
    title: "the token in an SPF record",
    zone: zone("as-spf.com", both(`${LABEL} SPF "${TOKEN}"`)),
    decision: absent({ types: ["SPF"] }, { kind: "spf_type", name: `${LABEL}.as-spf.com` }),
  },
  {
    title: "the token as a mail server",
    zone: zone("as-mx.com", both(`${LABEL} MX 10 ${TOKEN}`)),
    decision: absent({ types: ["MX"] }, { kind: "mx_target", name: `${LABEL}.as-mx.com` }),
  },
  {
    title: "the token as a nameserver",
    zone: zone("as-ns.com", both(`${LABEL} NS ${TOKEN}`)),
    decision: absent({ types: ["NS"] }, { kind: "ns_target", name: `${LABEL}.as-ns.com` }),
  },
  {
    title: "the record in the parent zone, hidden below the cut",
    zone: zone("hidden.com", both(`shop NS ${TLD}.`, record(TOKEN, `${LABEL}.shop`))),
    others: [zone("shop.hidden.com", { tld: [] }, { delegatedTo: [TLD] })],
    domain: "shop.hidden.com",
    decision: diagnosis("record_absent", {
      delegated: { zone: "shop.hidden.com", parent: "hidden.com", nameservers: [TLD] },
    }),
  },
  {
    title: "the token as a host name",
    zone: zone("as-host.com", both(record("verification", TOKEN))),
    decision: absent({}, { kind: "token_as_host", name: `${TOKEN}.as-host.com` }),
  },
  {
    title: "the token at the zone's own challenge name, above the name claimed",
    zone: zone("parent.com", both(record(TOKEN), "shop A 192.0.2.1")),
    domain: "shop.parent.com",
    decision: absent({}, { kind: "parent", name: `${LABEL}.parent.com` }),
  },
  {
    title: "the domain appended",
    zone: zone("appended.com", both(record(TOKEN, `${LABEL}.appended.com`))),
    decision: diagnosis("domain_appended", { name: `${LABEL}.appended.com.appended.com` }),
  },
  {
    title: "the token at the apex",
    zone: zone("apex.com", both(record(TOKEN, "@"))),
    decision: diagnosis("record_at_apex", { name: "apex.com", value: TOKEN }),
  },
  {
    title: "the token on www",
    zone: zone("on-www.com", both(record(TOKEN, `${LABEL}.www`))),
    decision: diagnosis("record_on_www", { name: `${LABEL}.www.on-www.com`, value: TOKEN }),
  },
  {
    title: "quotation marks kept in the value",
    zone: zone("quoted.com", both(`${LABEL} TXT "\\"${TOKEN}\\""`)),
    decision: diagnosis("value_formatted", { value: `"${TOKEN}"`, damage: ["quoted"] }),
  },
  {
    title: "a truncated value",
    zone: zone("cut.com", both(record(TOKEN.slice(0, -4)))),
    decision: diagnosis("value_formatted", { value: TOKEN.slice(0, -4), damage: ["truncated"] }),
  },
  {
    title: "the token of an ended claim",
    zone: zone("expired.com", both(record(ENDED))),
    history: { endedTokens: [{ token: ENDED, endedAt: 0 }] },
    decision: diagnosis("expired_token", {
      value: ENDED,
      claimEndedAt: "1970-01-01T00:00:00.000Z",
    }),
  },
  {
    title: "somebody else's token",
    zone: zone("foreign.com", both(record(FOREIGN))),
    decision: diagnosis("foreign_token", { value: FOREIGN }),
  },
  {
    title: "another text",
    zone: zone("other-text.com", both(record("hello"))),
    decision: diagnosis("no_matching_record", { values: ["hello"], wildcard: false }),
  },
  {
    title: "a wildcard with another text",
    zone: zone("wild.com", both(record("hello", "*"))),
    decision: diagnosis("no_matching_record", { values: ["hello"], wildcard: true }),
  },
  {
    title: "a CNAME at the name, though its target has the token",
    zone: zone(
      "alias.com",
      both(`${LABEL} CNAME elsewhere.alias.com.`, record(TOKEN, "elsewhere")),
    ),
    decision: diagnosis("cname_conflict", { target: "elsewhere.alias.com" }),
  },
  {
    title: "a wildcard CNAME",
    zone: zone("wild-alias.com", both("* CNAME parked.example.")),
    decision: diagnosis("cname_conflict", {
      target: "parked.example",
      record: { type: "CNAME", name: "*.wild-alias.com" },
    }),
  },
  {
    title: "a CNAME that points at itself",
    zone: zone("loop.com", both(`${LABEL} CNAME ${LABEL}.loop.com.`)),
    decision: diagnosis("cname_conflict", { target: `${LABEL}.loop.com` }),
  },
  {
    title: "a DNAME above the name",
    zone: zone("dname.com", both("shop DNAME moved.dname.com.", record(TOKEN, `${LABEL}.moved`))),
    domain: "shop.dname.com",
    decision: diagnosis("cname_conflict", { record: { type: "DNAME", name: "shop.dname.com" } }),
  },
  {
    title: "a wildcard address above the name claimed",
    zone: zone("wild-address.com", both("* A 192.0.2.1")),
    domain: "shop.wild-address.com",
    decision: diagnosis("record_absent", {
      answer: { type: "nodata", types: ["A"] },
      wildcardName: "*.wild-address.com",
    }),
  },
  {
    title: "an unchanged serial in a zone whose serial is known to move with changes",
    zone: zone("unsaved.com", both()),
    history: {
      firstSerial: 1,
      serials: { zone: "unsaved.com", name: `${LABEL}.unsaved.com`, counts: true, servers: [] },
    },
    decision: diagnosis("not_published", {
      nameservers: [NS1, NS2],
      publishedOn: [],
      serial: 1,
      unchanged: true,
    }),
  },
  {
    title: "an unchanged serial in an unknown zone",
    zone: zone("unknown-serial.com", both()),
    history: { firstSerial: 1 },
    decision: absent({ type: "nxdomain" }),
  },
  {
    title: "the record only on a server the registry does not list",
    zone: zone(
      "moved.com",
      { ns1: [], ns2: [record(TOKEN)] },
      { delegatedTo: [NS1], ownNameservers: [NS1, NS2] },
    ),
    decision: diagnosis(
      "not_published",
      { nameservers: [NS1], publishedOn: [NS2], elsewhere: { type: "unlisted" } },
      "registrar",
    ),
  },
  {
    title: "a partial publication that outlasted the zone's refresh",
    zone: zone("stuck.com", { ns1: [record(TOKEN)], ns2: [] }, { refresh: 60 }),
    history: { partialSince: Date.now() - 61_000 },
    decision: diagnosis("not_published", { nameservers: [NS2], publishedOn: [NS1] }, "provider"),
  },
  {
    title: "signatures that do not match the registry's DS record",
    zone: zone("bogus.example", both(record(TOKEN)), { signed: "bogus" }),
    decision: diagnosis("servfail", { resolvers: ["north", "east", "west"] }, "registrar"),
    observation: { witnesses: [1, 2, 3].map(() => ({ uncheckedRcode: "NOERROR", ad: false })) },
  },
];
