import { altered, at, rcode, resolver, where } from "./faults.ts";
import type { LabBehaviour, LabQuery } from "./lab-server.ts";
import { toAnswer } from "./lab-zone.ts";
import { rowsOf } from "./row-lines.ts";
import { type Row, type Shows, txt } from "./rows.ts";
import { LABEL, TOKEN } from "./world.ts";

const OTHER = `service_v1_${"f".repeat(40)}`;
const LABEL_63 = "a".repeat(63);
const LONG = `${LABEL_63}.${LABEL_63}.${"b".repeat(63)}.${"c".repeat(37)}.test.`;

/** Resolvers that have an earlier value in their caches for 200 more seconds. */
const holding = (value: string) =>
  resolver((_, { name }) => ({ answers: [toAnswer({ ...txt(name, value), ttl: 200 })] }));
const denied = altered(() => ({ rcode: 3 }));
const behaviours: Record<string, LabBehaviour> = {
  /** The resolvers' earlier negative answer, cached for 77 more seconds. */
  old: resolver(() => ({
    rcode: 3,
    answers: [],
    authorities: [toAnswer({ name: "acme.test", type: "SOA", data: "7", ttl: 77 })],
  })),
  "holding-other": holding(OTHER),
  "holding-spf": holding("v=spf1 -all"),
  "denies-non-terminals": at("b.acme.test", denied),
};
const shows: Record<string, Shows> = {
  "nothing misplaced": (seen) => seen.misplaced.length === 0,
  "both servers": ({ misplaced: [hit] }) => hit?.servers.length === 2,
  "nothing unlisted": (seen) => seen.unlisted.length === 0,
  "234 octets": (seen) => seen.domain.length === 234,
  "77 seconds": (seen) => seen.witnesses?.[0]?.answer?.soa?.ttl === 77 && seen.soa !== null,
};

const FULL_WIDTH = TOKEN.replace(/[!-~]/g, (one) =>
  String.fromCharCode(one.charCodeAt(0) + 0xfee0),
);
const AT_NAME = `
cname_conflict: CNAME loop | _ CNAME x | x CNAME _
cname_conflict: CNAME to a name that has the token | _ CNAME x | x TXT
  tells {record: {type: CNAME, name: _service-challenge.acme.test}}
cname_conflict: a wildcard alias above the name claimed | claim shop | * CNAME x.test.
  tells {record: {type: CNAME, name: "*.acme.test"}} | sees {wildcard: "*.acme.test"}
  shows nothing misplaced
cname_conflict: a wildcard alias right below the name claimed | claim shop | *.shop CNAME x.test.
  * CNAME y.test. | tells {record: {type: CNAME, name: "*.shop.acme.test"}}
cname_conflict: an alias of its own beside a wildcard | claim shop | _.shop CNAME x.test.
  * CNAME y.test. | tells {record: {type: CNAME, name: _service-challenge.shop.acme.test}}
cname_conflict: a DNAME at the zone's name | @ DNAME elsewhere.test.
  tells {record: {type: DNAME, name: acme.test}}
cname_conflict: the token as an alias's target | _ CNAME ${TOKEN}
  tells {target: ${TOKEN}.acme.test}
  tells {record: {type: CNAME, name: _service-challenge.acme.test}}
record_absent: a wildcard address above the name claimed | claim shop | * A 192.0.2.1
  tells {wildcardName: "*.acme.test", answer: {type: nodata, types: [A]}}
no_matching_record: a wildcard TXT above the name claimed | claim shop | * TXT v=spf1 -all
  tells {wildcard: true, wildcardName: "*.acme.test"} | sees {wildcard: "*.acme.test"}
domain_appended: the full name, where the name claimed lives by a wildcard | claim shop
  _.shop.acme.test.acme.test. TXT | * A 192.0.2.1 | * AAAA 2001:db8::1 | * MX mail
  tells {wildcardName: "*.acme.test", wildcardTypes: [A, AAAA, MX]}
record_absent: one label too high, where the name claimed lives by a wildcard | claim shop | _ TXT
  * A 192.0.2.1 | tells {wildcardName: "*.acme.test", wildcardTypes: [A]}
  tells {nearMiss: {kind: parent, name: _service-challenge.acme.test}}
record_absent: at the zone's name, where the name claimed lives by an alias | claim shop | @ TXT
  * CNAME x.test. | tells {nearMiss: {kind: zone_apex, name: acme.test}, wildcardTypes: [CNAME]}
value_formatted: a damaged token that a wildcard gives | claim shop | * TXT "${TOKEN}"
  * A 192.0.2.1 | tells {wildcardName: "*.acme.test", wildcardTypes: [A, TXT]}
record_absent: a name of its own beside a wildcard | claim shop | shop A 192.0.2.1 | * A 192.0.2.1
  tells {answer: {type: nxdomain}} | lacks wildcardName
record_absent: a name of its own between two wildcards that are alike | claim shop
  shop A 192.0.2.1 | *.shop A 192.0.2.1 | * A 192.0.2.1 | tells {wildcardName: "*.shop.acme.test"}
found: wildcard TXT with the token | * TXT
no_matching_record: another value, no wildcard | _ TXT v=spf1 -all | sees {wildcard: false}
found: TXT in several strings
  _ TXT "${TOKEN.slice(0, 7)}" "${TOKEN.slice(7, 20)}" "${TOKEN.slice(20)}"
found: several TXT of which one matches | _ TXT v=spf1 -all | _ TXT | _ TXT other
value_formatted: Cyrillic letters in the token | _ TXT ${TOKEN.replace("c", "\u0441").replace("e", "\u0435")}
  tells {damage: [lookalike]}
value_formatted: the token in full width | _ TXT ${FULL_WIDTH} | tells {damage: [lookalike]}
value_formatted: letters for digits, in quotation marks | _ TXT "${TOKEN.replace("1", "l").replace("0", "O")}"
  tells {damage: [quoted, lookalike]}
no_matching_record: another value of letters that look alike | _ TXT ${"Ol".repeat(30)}
value_formatted: a damaged token beside others | _ TXT "${TOKEN}" | _ TXT v=spf1 -all
  tells {others: 1}
value_formatted: the token cut into two records, beside another | _ TXT ${TOKEN.slice(31)}
  _ TXT v=spf1 -all | _ TXT ${TOKEN.slice(0, 31)}
  tells {value: ${TOKEN.slice(0, 31)}, damage: [truncated], pieces: 2, others: 1}
no_matching_record: its own name as the value | _ TXT _service-challenge.acme.test
  tells {values: [_service-challenge.acme.test], wildcard: false}
expired_token: the token of a proof | of a proof | _ TXT ${OTHER}
  tells {value: ${OTHER}, proved: true, claimEndedAt: 1970-01-01T00:00:00.000Z}
foreign_token: this account's token for another domain | of another domain | _ TXT ${OTHER}
  tells {value: ${OTHER}, domain: other.test}
nameserver_sync: one server of two missing the record | at 4 zone acme.test. 2
  sees {soa: {serial: 7}, witnesses: null} | shows nothing misplaced
record_absent: NODATA | _ A 192.0.2.1 | sees {typesAtName: [A]}
record_absent: NXDOMAIN | no records
  sees {servers: [{answer: {rcode: NXDOMAIN}}, {answer: {rcode: NXDOMAIN}}]}
record_absent: empty non-terminal | x._ TXT below | sees {typesAtName: []}
  sees {servers: [{answer: {rcode: NOERROR}}, {answer: {rcode: NOERROR}}]}
found: servers that deny empty non-terminals | claim a.b | at 3,4 denies-non-terminals
found: IDN zone | zone xn--bcher-kva.test.
found: name of 234 octets | zone ${LONG}
  shows 234 octets
negative_cache: witnesses hold the old answer | witnesses old / old / honest | shows 77 seconds
negative_cache: resolvers hold the earlier token | of an ended claim
  witnesses holding-other / holding-other / honest
  tells {held: earlier_token, secondsRemaining: 200}
negative_cache: resolvers hold other values | of an ended claim
  witnesses holding-spf / holding-spf / honest | tells {held: other_values, secondsRemaining: 200}
`;

/** The domain shop.acme.test is its own zone, at .6. */
const APART = "claim shop | shop NS ns.shop .6 | at 3,4 | at 6 zone shop ns.shop .6";
/** The zone moved from old1.host.test at .5 to the servers that the registry lists. */
const MOVED = `no records | former ns1 old1.host.test. old2.host.test. | hosting
  + old1.host.test. A .5 | + old2.host.test. A 192.168.7.7
  at 5 zone acme.test. old1.host.test. | + _ TXT | tells {elsewhere: {type: former}}`;
const IN_PARENT =
  "tells {publishedOn: [ns1.acme.test, ns2.acme.test], nameservers: [ns.shop.acme.test]}";

/** The token on servers of another zone, or of another host. */
const ELSEWHERE = `
not_published: the record at the host that the zone left
  ${MOVED}
  tells {publishedOn: [old1.host.test], nameservers: [ns1.acme.test, ns2.acme.test]}
  sees {former: [{host: old1.host.test, result: answered}, \
{host: old2.host.test, result: blocked_address}]}
not_published: the host that the zone left still in its own NS set | own ns1 .3, old1.host.test.
  ${MOVED}
  shows nothing unlisted
not_published: the record on servers that only the zone lists | no records | own ns8 .8
  at 8 zone acme.test. ns8 .8 | + _ TXT
  tells {elsewhere: {type: unlisted}, publishedOn: [ns8.acme.test]}
not_published: the record on servers that only a zone below another lists | claim shop
  shop NS ns.shop .6 | at 6 zone shop ns.shop .6, ns8.shop .8
  at 8 zone shop ns.shop .6, ns8.shop .8 | + _.shop TXT
  tells {elsewhere: {type: unlisted, parent: acme.test}, publishedOn: [ns8.shop.acme.test]}
not_published: the challenge name of the zone above | ${APART} | _ TXT
  tells {elsewhere: {type: parent, zone: acme.test, name: _service-challenge.acme.test}}
  ${IN_PARENT}
not_published: the full name in the zone above | ${APART}
  _.shop.acme.test.acme.test. TXT | tells {elsewhere: {type: parent, zone: acme.test, \
name: _service-challenge.shop.acme.test.acme.test}}
  ${IN_PARENT}
record_absent: the record below the cut, where the parent refers | ${APART}
  _.shop TXT | tells {nearMiss: null} | tells {delegated: {zone: shop.acme.test, \
parent: acme.test, nameservers: [ns.shop.acme.test]}}
record_absent: a wildcard in the zone above is no evidence | ${APART} | * TXT
  tells {nearMiss: null} | sees {parent: {name: null}}
`;

/** A host in the zone as somebody typed it, and how we show its name if that differs. */
const HOSTS: [name: string, host: string, shown?: string, kind?: string][] = [
  ...["_service_challenge", "service_challenge", "_service challenge", "service challenge"].map(
    (label): [string, string] => [`the host ${label}`, label],
  ),
  ["quotation marks in the host", `"${LABEL}"`, undefined, "quoted_host"],
  ["a part of the domain appended", `${LABEL}.acme`, undefined, "domain_repeated"],
  ["a space after the host", `${LABEL} `, `${LABEL}\\032`],
  ["a no-break space before the host", `\u00a0${LABEL}`, `\\194\\160${LABEL}`],
  ["a zero-width space after the host", `${LABEL}\u200b`, `${LABEL}\\226\\128\\139`],
  ["a byte order mark before the host", `\ufeff${LABEL}`, `\\239\\187\\191${LABEL}`],
  ...["\u2010 144", "\u2011 145", "\u2013 147"].map((one): [string, string, string] => {
    const [dash = "", last] = one.split(" ");
    const shown = LABEL.replace("-", `\\226\\128\\${last}`);
    return [`${dash} in place of the hyphen`, LABEL.replace("-", dash), shown];
  }),
  ...["xn--_servicechallenge-xz2j", "xn--_servicechallenge-h12j"].map((host): [string, string] => [
    `a dash that the panel encoded as ${host}`,
    host,
  ]),
  ["an @ in the host", "@"],
  ["an @ after the host", `${LABEL}.@`],
  ["a backslash in the host", `${LABEL}.acme\\.test`, `${LABEL}.acme\\\\.test`],
  ["www in front of the host", `www.${LABEL}`, undefined, "www_in_front"],
  ["the domain twice, without the host", "acme.test", undefined, "domain_doubled"],
  ["an asterisk in front", `*.${LABEL}`, undefined, "asterisk"],
  ["an asterisk after the host", `${LABEL}.*`],
  ["a tab after the host", `${LABEL}\t`, `${LABEL}\\009`],
  ["a line break after the host", `${LABEL}\n`, `${LABEL}\\010`],
  ["a carriage return after the host", `${LABEL}\r`, `${LABEL}\\013`],
  ["a dot in place of the hyphen", "_service.challenge"],
  ["the name of the mail policy", "_dmarc", undefined, "mail_policy"],
  ["host and domain in another order", `acme.test.${LABEL}`, undefined, "labels_swapped"],
  ["host and part of the domain in another order", `acme.${LABEL}`, undefined, "labels_swapped"],
];
const STRANGE = HOSTS.map(
  ([name, host, shown = host, kind = "misspelled"]): Row => ({
    name,
    setup: () => ({ records: [txt(`${host}.acme.test`)] }),
    expected: "absent record_absent",
    checks: [{ nearMiss: { kind, name: `${shown}.acme.test` } }],
  }),
);

/** A label with dots: the lab's codec takes it for several labels. */
const dotted = (name: string, shown: string): Row => {
  const [plain = "", label = ""] = [shown, shown.split(/(?<!\\)\./).at(-1)].map((one) =>
    one?.replaceAll("\\", ""),
  );
  const octets = String.fromCharCode(label.length) + label;
  const isMeant = ({ bytes }: LabQuery) => bytes.toString("latin1").toLowerCase().includes(octets);
  const at = `${plain}.acme.test`;
  const behaviour = where((query) => query.name === at && !isMeant(query), rcode(3));
  return {
    name,
    setup: () => ({ records: [txt(at)], servers: { 3: { behaviour }, 4: { behaviour } } }),
    expected: "absent record_absent",
    checks: [{ nearMiss: { kind: "misspelled", name: `${shown}.acme.test` } }],
  };
};

const OTHER_ZONE =
  "tld other.test. NS dns.other.test. .5 | at 5 zone other.test. dns.other.test. .5";
const DASHED = LABEL.replace("-", "\u2011");
/** The token at a wrong name, or of a wrong type. */
const WRONG = `
domain_appended: domain appended | _.acme.test.acme.test. TXT | shows both servers
  tells {name: _service-challenge.acme.test.acme.test}
record_at_apex: record at the apex | @ TXT | tells {name: acme.test} | shows both servers
record_on_www: record on www | www TXT | tells {name: www.acme.test} | shows both servers
record_on_www: challenge on www | _.www TXT | tells {name: _service-challenge.www.acme.test}
record_absent: no underscore | service-challenge TXT
  tells {nearMiss: {kind: no_underscore, name: service-challenge.acme.test}}
record_absent: host doubled | _._service-challenge TXT
  tells {nearMiss: {kind: host_doubled, name: _service-challenge._service-challenge.acme.test}}
record_at_apex: the token beside others at the apex | @ TXT | @ TXT v=spf1 -all | @ TXT x=1
  tells {others: 2}
record_absent: another dash in the host and quotation marks in the value | ${DASHED} TXT "${TOKEN}"
  tells {nearMiss: {kind: misspelled, name: "_service\\\\226\\\\128\\\\145challenge.acme.test", \
value: "\\"${TOKEN}\\""}}
record_at_apex: damaged value at the apex | @ TXT "${TOKEN}"
record_at_apex: in the SPF record | @ TXT v=spf1 include:_spf.mail.test ~all ${TOKEN}
  tells {value: v=spf1 include:_spf.mail.test ~all ${TOKEN}}
record_at_apex: behind another proof's value | @ TXT google-site-verification=Zq1 ${TOKEN}
domain_appended: damaged value, and the domain appended | _.acme.test.acme.test. TXT "${TOKEN}"
record_on_www: a value cut short on www | _.www TXT ${TOKEN.slice(0, -6)}
record_absent: quotation marks around a host of two labels | claim shop | "${LABEL}.shop" TXT
  tells {nearMiss: {kind: quoted_host, name: "\\"_service-challenge.shop\\".acme.test"}}
record_absent: the zone's own name | claim shop | @ TXT
  tells {nearMiss: {kind: zone_apex, name: acme.test}}
record_absent: a name between | claim a.b | b TXT
  tells {nearMiss: {kind: between, name: b.acme.test}}
record_absent: the challenge name of a name between | claim a.b | _.b TXT
  tells {nearMiss: {kind: parent, name: _service-challenge.b.acme.test}}
domain_appended: the domain appended twice | _.acme.test.acme.test.acme.test. TXT
  tells {name: _service-challenge.acme.test.acme.test.acme.test}
record_absent: host and subdomain in another order | claim shop | shop._ TXT
  tells {nearMiss: {kind: labels_swapped, name: shop._service-challenge.acme.test}}
record_absent: a label between left out | claim a.b.c | a.b.c A 192.0.2.1 | _.a.c TXT
  tells {nearMiss: {kind: misspelled, name: _service-challenge.a.c.acme.test}}
record_absent: beside the mail policy | _dmarc TXT v=DMARC1; p=reject | _dmarc TXT
  tells {nearMiss: {kind: mail_policy, name: _dmarc.acme.test, others: 1}}
record_absent: in the mail policy | _dmarc TXT v=DMARC1; p=reject; ${TOKEN}
  tells {nearMiss: {kind: mail_policy, name: _dmarc.acme.test, value: v=DMARC1; p=reject; ${TOKEN}}}
domain_appended: the domain with another ending | _.acme.com TXT
  tells {name: _service-challenge.acme.com.acme.test}
domain_appended: the domain in Unicode | zone xn--bcher-kva.test. | _.bücher.test.xn--bcher-kva.test. TXT
  tells {name: "_service-challenge.b\\\\195\\\\188cher.test.xn--bcher-kva.test"}
record_absent: at the target of the alias of the name claimed, in the same zone | claim shop
  shop CNAME web.eu | web.eu A 192.0.2.1 | _.web.eu TXT
  tells {nearMiss: {kind: alias_target, name: _service-challenge.web.eu.acme.test}}
record_absent: at the target, in another zone | claim shop | shop CNAME other.test. | ${OTHER_ZONE} | + _.other.test. TXT
  tells {nearMiss: {kind: alias_target, name: _service-challenge.other.test}}
record_absent: a wildcard at the target | claim shop | shop CNAME other.test. | ${OTHER_ZONE}
  + *.other.test. TXT | tells {nearMiss: null} | shows nothing misplaced
record_absent: another value at the target | claim shop | shop CNAME other.test. | ${OTHER_ZONE}
  + _.other.test. TXT other | tells {nearMiss: null}
no_matching_record: an empty value | _ TXT "" "" | tells {values: [""]}
record_absent: an asterisk in front of another value | *._ TXT other | tells {nearMiss: null}
record_absent: the token as a host of the zone | claim shop | ${TOKEN} TXT _service-challenge
  tells {nearMiss: {kind: token_as_host, name: ${TOKEN}.acme.test}}
record_absent: the token as a nameserver | _ NS ${TOKEN}
  tells {nearMiss: {kind: ns_target, name: _service-challenge.acme.test}}
record_absent: type SPF | _ SPF ${TOKEN}
  tells {nearMiss: {kind: spf_type, name: _service-challenge.acme.test}}
record_absent: the token as a mail server | _ MX ${TOKEN}
  tells {nearMiss: {kind: mx_target, name: _service-challenge.acme.test}}
lame_delegation: a nameserver at the challenge name that is not the token | _ NS ns.nowhere.test.
  tells {parent: acme.test}
  tells {nameservers: [{host: ns.nowhere.test, result: no_address, reason: unregistered}]}
record_absent: a wildcard mail server is no evidence | * MX ${TOKEN} | tells {nearMiss: null}
  shows nothing misplaced
record_absent: a wildcard between is no evidence | claim a.b | * TXT | b A 192.0.2.1
  a.b A 192.0.2.1 | tells {nearMiss: null} | shows nothing misplaced
record_absent: wildcard below www is no evidence | *.www TXT | tells {nearMiss: null}
  shows nothing misplaced
`;

const worlds = {
  "another domain": () => ({ history: { domainOf: () => "other.test" } }),
  "an ended claim": () => ({ history: { endedTokens: [{ token: OTHER, endedAt: 0 }] } }),
  "a proof": () => ({ history: { endedTokens: [{ token: OTHER, endedAt: 0, proved: true }] } }),
};
export const RECORD_ROWS: Row[] = [
  ...STRANGE,
  dotted("an escaped dot in the domain", `${LABEL}.acme\\.test`),
  dotted("escaped dots alone", `${LABEL}\\.acme\\.test`),
  ...rowsOf({ behaviours, worlds, shows }, `${AT_NAME}${WRONG}${ELSEWHERE}`),
];
