import { at, opt, rcode, refusing, silent, TRUNCATED } from "./faults.ts";
import { encodeAnswer, type LabBehaviour } from "./lab-server.ts";
import { empty, type LabRecord, type LabZone, labZone } from "./lab-zone.ts";
import { address, cname, NAME, txt } from "./rows.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

/** A zone as a user would meet it, with what a friend who knows DNS would say, written before Deed read any of them. */
export type Situation = {
  id: string;
  /** What the friend says is wrong. */
  wrong: string;
  /** The one thing to change. */
  change: string;
  setup: (net: Net) => WorldSetup;
  /** The code or wait that is right; of several, any. */
  code: string;
  awaits?: string;
  /** Read again after so many minutes; the later read counts. */
  laterMinutes?: number;
  /** What cause and fix must contain, and must not. */
  says: RegExp[];
  never?: RegExp[];
};

const OLD = `service_v1_${"fedcba98".repeat(5)}`;
const ASKS = /\b(add|create)\b/i;
const zoned = (...records: LabRecord[]) => ({ records });
const rename = { code: "record_absent", awaits: "claimant" };
/** The token under a host that somebody typed or pasted. */
const host = (id: string, typed: string, wrong: string, says: RegExp[]): Situation => ({
  id,
  wrong,
  change: `Change the record's name to ${LABEL}; the value is right.`,
  setup: () => zoned(txt(`${typed}.acme.test`)),
  ...rename,
  says: [/_service-challenge/, /\b(change|edit|rename|replace|type|leave only)\b/i, ...says],
});
const value = (id: string, is: string | string[], wrong: string, says: RegExp[]): Situation => ({
  id,
  wrong,
  change: `Replace the value by the token alone.`,
  setup: () => zoned(txt(NAME, is)),
  code: "value_formatted",
  awaits: "claimant",
  says: [new RegExp(TOKEN), ...says],
});
const server = (behaviour: LabBehaviour): WorldSetup["servers"] => ({
  3: { behaviour },
  4: { behaviour },
});
const oldCopy = (net: Net, hosts: Record<string, number>, records: LabRecord[], serial = 3) => [
  labZone(
    "acme.test",
    Object.fromEntries(Object.entries(hosts).map(([name, last]) => [name, [net.at(last)]])),
    records,
    serial,
  ),
];
/** A label that has dots in it, which the codec of the lab cannot write. */
const dottedLabel: LabBehaviour = (query, lab) => {
  const label = `${LABEL}.acme.test`;
  const asked = query.bytes.toString("latin1").toLowerCase();
  const isThat = query.type === "TXT" && asked.includes(String.fromCharCode(label.length) + label);
  if (!isThat)
    return query.name.startsWith(`${label}.acme`) ? rcode(3)(query, lab) : [lab.honest(query)];
  return [
    encodeAnswer(query, {
      ...empty(0, true),
      answers: [{ name: query.rawName, type: "TXT", ttl: 300, data: TOKEN }],
    }),
  ];
};
const txtRefused =
  (refusal: LabBehaviour): LabBehaviour =>
  (query, lab) =>
    query.type === "TXT" ? refusal(query, lab) : [lab.honest(query)];
const underscores =
  (refusal: LabBehaviour): LabBehaviour =>
  (query, lab) =>
    query.name.startsWith("_") ? refusal(query, lab) : [lab.honest(query)];
const smallOnly: LabBehaviour = (query, lab) =>
  query.rawName === query.name ? [lab.honest(query)] : rcode(3)(query, lab);
const wantsCookie: LabBehaviour = (query, lab) =>
  query.transport === "tcp"
    ? [lab.honest(query)]
    : [encodeAnswer(query, { ...empty(7, false), additionals: [opt(10, Buffer.alloc(16, 7), 1)] })];
/** A server whose owner put every name there is into one zone. */
const parking: LabZone[] = [
  labZone(".", {}, [address("*", "192.0.2.80"), txt("*", "v=spf1 -all")]),
];

const HOSTS: Situation[] = [
  host("space-after", `${LABEL} `, "A space was copied behind the host.", [/space/i]),
  host("no-break-space", `\u00a0${LABEL}`, "A no-break space was pasted in front of it.", [
    /space|invisible/i,
  ]),
  host("zero-width", `\u200b${LABEL}`, "An invisible character was pasted in front of it.", [
    /invisible|zero-width|hidden/i,
  ]),
  host("u2011", "_service\u2011challenge", "Word made the hyphen a non-breaking one.", [
    /hyphen|dash|character/i,
  ]),
  host("at-sign", "@", "The panel took @ as a name and not as the domain itself.", [/@/]),
  host("www-in-front", `www.${LABEL}`, "www. was typed in front of the host.", [/www/]),
  host("underscores", "_service_challenge", "An underscore is where the hyphen must be.", [
    /_service_challenge/,
  ]),
  host("star-below", `*.${LABEL}`, "A star was typed in front: that is every name below.", [/\*/]),
  host("domain-without-label", "acme.test", "The host is the domain, which the panel adds again.", [
    /acme\.test\.acme\.test/,
  ]),
  {
    ...host("escaped-dots", "", "The panel took the dots of the full name as letters.", [
      /dot|backslash|full name/i,
    ]),
    setup: () => ({ records: [], servers: server(dottedLabel) }),
  },
  {
    ...host("appended-twice", `${LABEL}.acme.test.acme.test`, "The domain is there three times.", [
      /acme\.test/,
    ]),
    code: "domain_appended record_absent",
  },
  {
    ...host("fields-swapped", "", "Host and value are in each other's field.", [
      new RegExp(TOKEN),
      /swap|exchange|each other|Name.*Value/i,
    ]),
    setup: () => zoned(txt(`${TOKEN}.acme.test`, LABEL)),
  },
  {
    ...host("idn-appended", "", "The domain in its own letters was added to the zone.", [
      /bücher|xn--bcher-kva/,
    ]),
    setup: () => ({
      domain: "xn--bcher-kva.test",
      ...zoned(txt(`${LABEL}.bücher.test.xn--bcher-kva.test`)),
    }),
    code: "domain_appended record_absent",
  },
];

const VALUES: Situation[] = [
  value("whole-line", `${NAME}. 300 IN TXT "${TOKEN}"`, "A whole zone file line is the value.", [
    /only|alone|text (before|around)|extra|wrong: /i,
  ]),
  value("quotes-of-text", `“${TOKEN}”`, "A word processor's quotes are around it.", [
    /quot|wrong: /i,
  ]),
  value("letter-o", TOKEN.replaceAll("0", "O"), "It was typed by hand, with O for 0.", [
    /copy|paste|replace|change|character|letter/i,
  ]),
  value("escaped-quotes", `\\"${TOKEN}\\"`, "The panel kept the backslashes and quotes.", [
    /quot|backslash|wrong: /i,
  ]),
  value(
    "shortened",
    `${TOKEN.slice(0, 15)}…${TOKEN.slice(-4)}`,
    "It is the shortened form of a screen.",
    [/short|cut|middle|missing|complete|whole|…/i],
  ),
  value("two-values", ["other-verification=1", TOKEN], "Two values were put into one record.", [
    /own|only|alone|separate|second|another record|extra|wrong: /i,
  ]),
  {
    ...value("halves", "", "A panel that takes 30 characters was given it in two records.", [
      /in one|together|both|whole|half|part/i,
    ]),
    setup: () => zoned(txt(NAME, TOKEN.slice(0, 30)), txt(NAME, TOKEN.slice(30))),
  },
  {
    ...value("name-as-value", NAME, "The value is the record's name.", [
      /(is|has) (the|its own|this) (record's )?name|name (is|as|in) .*value/i,
    ]),
    code: "no_matching_record",
  },
];

const BOTH: Situation[] = [
  {
    id: "appended-quoted",
    wrong: "The domain was added to the host, and there are quotes in the value.",
    change: "Edit the record: host as given, value without quotes.",
    setup: () => zoned(txt(`${NAME}.acme.test`, `"${TOKEN}"`)),
    code: "domain_appended",
    awaits: "claimant",
    says: [/quot|wrong: /i, /_service-challenge/, new RegExp(TOKEN)],
  },
  {
    id: "www-cut",
    wrong: "It is below www, and the value's end was not copied.",
    change: "Edit the record: host as given, the whole value.",
    setup: () => zoned(txt(`${LABEL}.www.acme.test`, TOKEN.slice(0, -6))),
    code: "record_on_www",
    awaits: "claimant",
    says: [/missing|cut|end|incomplete|short/i, /_service-challenge/, new RegExp(TOKEN)],
  },
  {
    id: "in-spf",
    wrong: "The token was added to the SPF record.",
    change: "Take the token out of the SPF record, and add a record of its own.",
    setup: () => zoned(txt("acme.test", `v=spf1 include:_spf.mail.test ~all ${TOKEN}`)),
    code: "record_at_apex",
    awaits: "claimant",
    says: [ASKS, /_service-challenge/, /SPF|mail|rest|take .* out|remove/i],
    never: [/change (its|the) (name|host)|change Name|rename|move the record/i],
  },
  {
    id: "in-other-proof",
    wrong: "The token was added behind Google's.",
    change: "Take the token out of that record, and add a record of its own.",
    setup: () => zoned(txt("acme.test", `google-site-verification=Zq1 ${TOKEN}`)),
    code: "record_at_apex",
    awaits: "claimant",
    says: [ASKS, /_service-challenge/],
    never: [/change (its|the) (name|host)|change Name|rename|move the record/i],
  },
  {
    id: "old-token-appended",
    wrong: "The value of an ended claim, and the domain added to the host.",
    change: "Edit the record: host and value as given now.",
    setup: () => ({
      ...zoned(txt(`${NAME}.acme.test`, OLD)),
      history: { endedTokens: [{ token: OLD, endedAt: Date.UTC(2026, 9, 1) }] },
    }),
    code: "domain_appended expired_token record_absent",
    awaits: "claimant",
    says: [/earlier|old|ended|previous|expired/i, /_service-challenge/, new RegExp(TOKEN)],
  },
];

const ACCOUNTS: Situation[] = [
  {
    id: "proved-again",
    wrong: "The record of the proof is there and stays; the new claim has its own value.",
    change: "Add a second TXT record with the same host.",
    setup: () => ({
      ...zoned(txt(NAME, OLD)),
      history: { endedTokens: [{ token: OLD, endedAt: Date.UTC(2026, 9, 1), proved: true }] },
    }),
    code: "expired_token",
    awaits: "claimant",
    says: [/second|another|new/i, ASKS, new RegExp(TOKEN)],
    never: [/\b(replace|overwrite|edit the record|delete)\b/i],
  },
  {
    id: "of-another-domain",
    wrong: "The value is that of the account's other domain.",
    change: "Replace the value by this domain's.",
    setup: () => ({ ...zoned(txt(NAME, OLD)), history: { domainOf: () => "acme-shop.test" } }),
    code: "foreign_token",
    awaits: "claimant",
    says: [/acme-shop\.test/, new RegExp(TOKEN)],
  },
  {
    id: "agency",
    wrong: "Another account's record is right where it is; one's own lacks its underscore.",
    change: "Change the name of the own record; leave the other.",
    setup: () => zoned(txt(NAME, OLD), txt("service-challenge.acme.test")),
    code: "record_absent foreign_token",
    awaits: "claimant",
    says: [/service-challenge\.acme\.test|underscore/i, /_service-challenge/],
    never: [/\b(delete|replace)\b/i],
  },
];

const ALIASES: Situation[] = [
  {
    id: "star-alias",
    wrong: "Every name that has no record is an alias of the site builder.",
    change: "Add the TXT record: it hides the wildcard at that name. The wildcard stays.",
    setup: () => zoned(cname("*.acme.test", "sites.test"), txt("acme.test", "v=spf1 -all")),
    code: "cname_conflict record_absent",
    awaits: "claimant",
    says: [ASKS, /TXT/, /wildcard|\*/i],
    never: [/\b(delete|remove|replace)\b(?!.*\bnot\b)/i],
  },
  {
    id: "mirror",
    wrong: "A DNAME makes every name of the domain that of another domain.",
    change: "Take out the DNAME, or claim the other domain.",
    setup: () =>
      zoned(
        { name: "acme.test", type: "DNAME", data: "brand.test" },
        address("acme.test", "192.0.2.1"),
      ),
    code: "cname_conflict",
    awaits: "claimant",
    says: [/DNAME/, /brand\.test/],
  },
];

const DELEGATIONS: Situation[] = [
  {
    id: "moved",
    wrong: "The domain moved; the record was added where the zone was.",
    change: "Add the record at the new DNS host.",
    setup: (net) => ({
      records: [],
      nameservers: { "ns1.new.test": [net.at(3)], "ns2.new.test": [net.at(4)] },
      tld: { records: [address("ns1.old.test", net.at(5))] },
      former: ["ns1.old.test"],
      servers: { 5: { zones: oldCopy(net, { "ns1.old.test": 5 }, [txt(NAME)]) } },
    }),
    code: "not_published",
    awaits: "claimant",
    says: [/ns1\.old\.test/, /ns[12]\.new\.test/, ASKS],
    never: [/at the registrar/i],
  },
  {
    id: "former-still-listed",
    wrong: "The registry still lists the old host's server, which has an old copy.",
    change: "At the registrar, take ns1.old.test off the list.",
    setup: (net) => ({
      nameservers: {
        "ns1.new.test": [net.at(3)],
        "ns2.new.test": [net.at(4)],
        "ns1.old.test": [net.at(5)],
      },
      ownNameservers: { "ns1.new.test": [net.at(3)], "ns2.new.test": [net.at(4)] },
      servers: { 5: { zones: oldCopy(net, { "ns1.old.test": 5 }, []) } },
    }),
    laterMinutes: 120,
    code: "not_published",
    awaits: "registrar",
    says: [/ns1\.old\.test/, /registrar/i, /\b(remove|take|delete)\b/i],
  },
  {
    id: "stale-glue",
    wrong: "The registry has an old address of ns1, where an old copy is served.",
    change: "At the registrar, change the address of ns1.acme.test to the one that the zone gives.",
    setup: (net) => ({
      nameservers: { "ns1.acme.test": [net.at(5)], "ns2.acme.test": [net.at(4)] },
      ownNameservers: { "ns1.acme.test": [net.at(3)], "ns2.acme.test": [net.at(4)] },
      servers: { 5: { zones: oldCopy(net, { "ns1.acme.test": 5, "ns2.acme.test": 4 }, []) } },
    }),
    laterMinutes: 120,
    code: "not_published",
    awaits: "registrar",
    says: [/\.3\b/, /\.5\b/, /registrar/i],
  },
  {
    id: "ns-unregistered",
    wrong: "The nameservers' own domain is not registered: anybody may take it, and the domain.",
    change: "At the registrar, list the nameservers of the DNS host.",
    setup: () => ({ nameservers: { "ns1.gone.test": [], "ns2.gone.test": [] } }),
    code: "lame_delegation",
    awaits: "registrar",
    says: [/gone\.test/, /registrar/i, /register|nobody|no one|anyone|not exist/i],
  },
  {
    id: "ns-is-address",
    wrong: "An IP address was entered as the nameserver's name.",
    change: "At the registrar, enter host names.",
    setup: () => ({ nameservers: { "203.0.113.5": [] } }),
    code: "lame_delegation",
    awaits: "registrar",
    says: [/203\.0\.113\.5/, /registrar/i, /address/i, /name/i],
  },
  {
    id: "two-hosts",
    wrong: "Nameservers of two DNS hosts are listed, each with a zone of its own.",
    change: "Add the record at the other host too, or take its nameservers off the list.",
    setup: (net) => ({
      nameservers: {
        "ns1.one.test": [net.at(3)],
        "ns2.one.test": [net.at(4)],
        "ns1.two.test": [net.at(5)],
        "ns2.two.test": [net.at(6)],
      },
      ownNameservers: { "ns1.one.test": [net.at(3)], "ns2.one.test": [net.at(4)] },
      servers: {
        5: { zones: oldCopy(net, { "ns1.two.test": 5, "ns2.two.test": 6 }, [], 2026010101) },
        6: { zones: oldCopy(net, { "ns1.two.test": 5, "ns2.two.test": 6 }, [], 2026010101) },
      },
    }),
    laterMinutes: 120,
    code: "not_published",
    says: [/ns1\.two\.test/, /\b(add|create|remove|take)\b/i],
  },
  {
    id: "private-registry",
    wrong:
      "Nobody has registered acme.uk.com at the private registry uk.com, or it lists no nameservers.",
    change: "At the registrar of acme.uk.com, register it or list its nameservers.",
    setup: () => ({
      registry: "com",
      domain: "acme.uk.com",
      zone: "uk.com",
      records: [address("uk.com", "192.0.2.1")],
    }),
    code: "lame_delegation record_absent",
    says: [/registrar|registry|company that runs uk\.com/i, /nameserver/i],
    never: [/^In your DNS panel/m],
  },
];

const SERVERS: Situation[] = [
  {
    id: "parking",
    wrong:
      "The listed servers are a parking host's, which answers every name alike and has no zone for this one.",
    change:
      "Add the domain at the DNS host of these servers, or list other nameservers at the registrar.",
    setup: () => ({ servers: { 3: { zones: parking }, 4: { zones: parking } } }),
    code: "lame_delegation",
    says: [/zone|set up|does not have|any name|every name/i, /registrar|host|provider/i],
    never: [/keep|leave the wildcard/i],
  },
  {
    id: "txt-refused",
    wrong: "The host's servers refuse questions for TXT; they answer others.",
    change: "The DNS host has to let TXT through, or the zone has to move.",
    setup: () => ({ servers: server(txtRefused(rcode(5))) }),
    code: "lame_delegation",
    awaits: "provider",
    says: [/refuse|but not those/i, /TXT/],
    never: [/resolver|not (set up|have the zone)/i],
  },
  {
    id: "txt-dropped",
    wrong: "A load balancer's DNS drops questions for TXT; it answers others.",
    change: "The DNS host has to answer TXT.",
    setup: () => ({ servers: server(txtRefused(silent)) }),
    code: "lame_delegation",
    awaits: "provider",
    says: [/TXT/, /not answer|but not those|drop|silent/i],
  },
  {
    id: "underscore-refused",
    wrong: "The host's servers refuse names that begin with an underscore.",
    change: "The DNS host has to allow underscores.",
    setup: () => ({ servers: server(underscores(rcode(1))) }),
    code: "lame_delegation",
    awaits: "provider",
    says: [/underscore/i],
  },
  {
    id: "small-letters-only",
    wrong: "The servers take a name with capital letters for another name (against RFC 4343).",
    change: "The DNS host has to update its server.",
    setup: () => ({ servers: server(smallOnly) }),
    code: "lame_delegation found",
    says: [/capital|letter case|upper/i],
  },
  {
    id: "cut-over-tcp",
    wrong: "The answer is cut over TCP too: nobody can read it whole.",
    change: "The DNS host has to fix TCP, or TXT records at this name must go.",
    setup: () => ({
      servers: server(at(NAME, (query) => [encodeAnswer(query, empty(0, true), TRUNCATED)])),
    }),
    code: "lame_delegation",
    awaits: "provider",
    says: [/cut|truncat|incomplete/i, /TCP/],
  },
  {
    id: "cookies",
    wrong: "Nothing: the servers ask for cookies over UDP and answer over TCP (RFC 7873).",
    change: "Nothing.",
    setup: () => ({ servers: server(wantsCookie) }),
    code: "found",
    says: [],
  },
  {
    id: "one-serial-two-zones",
    wrong: "Two servers have one serial and different records: the copy to ns2 is broken.",
    change: "The DNS host has to have ns2 load the zone again.",
    setup: (net) => ({
      servers: { 4: { zones: oldCopy(net, { "ns1.acme.test": 3, "ns2.acme.test": 4 }, [], 7) } },
    }),
    laterMinutes: 120,
    code: "not_published",
    awaits: "provider",
    says: [/ns2\.acme\.test/],
    never: [/(save|publish) (the|your) (zone|changes)/i],
  },
  {
    id: "asker-refused",
    wrong: "The servers refuse this asker alone: resolvers get the record.",
    change: "The DNS host has to let Deed's address ask, or the operator uses another.",
    setup: () => ({ servers: server(rcode(5)) }),
    code: "lame_delegation",
    says: [/refuse/i, /resolver|elsewhere|others|this address|Deed/i],
    never: [/registrar|not nameservers/i],
  },
];

const RESOLVERS: Situation[] = [
  {
    id: "filtered",
    wrong: "Two resolvers filter the domain; the record is right.",
    change: "Ask the filtering resolvers' operators to unlist the domain.",
    setup: () => ({
      witnesses: [{ behaviour: refusing(17, "") }, { behaviour: refusing(15, "") }, {}],
    }),
    code: "servfail",
    says: [/filter|block/i, /witness1/, /witness2/],
    never: [/DNSSEC/],
  },
  {
    id: "resolvers-dropped",
    wrong: "The servers drop the public resolvers; the record is right.",
    change: "The DNS host has to let the resolvers through its firewall.",
    setup: () => ({
      witnesses: Array.from({ length: 3 }, () => ({ behaviour: refusing(22, "no reachable") })),
    }),
    code: "servfail",
    awaits: "provider",
    says: [/reach|drop|answer|block|firewall/i, /nameserver|server/i],
    never: [/DNSSEC/],
  },
];

/** A DS record of the right key with one thing in it wrong. */
const dsWith = (spoil: (ds: string) => string): WorldSetup => {
  const signer = new ZoneSigner("acme.test");
  const ds = { name: "acme.test", type: "DS" as const, data: spoil(signer.ds) };
  return { signed: true, signer, tld: { records: [ds] } };
};
const SIGNED: Situation[] = [
  {
    id: "ds-digest",
    wrong: "The DS record has the key's tag, and a digest with a wrong character.",
    change: "At the registrar, replace the DS record by the one that the DNS host shows.",
    setup: () => dsWith((ds) => ds.replace(/.$/, (last) => (last === "0" ? "1" : "0"))),
    code: "servfail",
    awaits: "registrar",
    says: [/DS/, /registrar/i, /digest/i],
  },
];

export const SITUATIONS: Situation[] = [
  ...HOSTS,
  ...VALUES,
  ...BOTH,
  ...ACCOUNTS,
  ...ALIASES,
  ...DELEGATIONS,
  ...SERVERS,
  ...RESOLVERS,
  ...SIGNED,
];
