import { at, opt, rcode, refusing, silent, TRUNCATED } from "./faults.ts";
import { encodeAnswer, type LabBehaviour } from "./lab-server.ts";
import { empty } from "./lab-zone.ts";
import { patterns, setupIn } from "./row-lines.ts";
import { NAME, txt } from "./rows.ts";
import { LABEL, type Net, TOKEN, type WorldSetup } from "./world.ts";
import { ZoneSigner } from "./zone-signer.ts";

/** A zone that users may have, and what a friend who knows DNS would say, written before Deed read any of them. */
export type Situation = {
  id: string;
  /** What is wrong, in the friend's words. */
  wrong: string;
  setup: (net: Net) => WorldSetup;
  /** The right code or wait; if there are several, any will do. */
  code: string;
  awaits?: string;
  /** Read again after so many minutes; then only that read counts. */
  laterMinutes?: number;
  /** What cause and fix must contain, and must not. */
  says: RegExp[];
  never?: RegExp[];
};

const OLD = `service_v1_${"fedcba98".repeat(5)}`;
/** The token under a host that somebody typed or pasted: the name must change, the value is right. */
const host = (id: string, typed: string, wrong: string, says: RegExp[]): Situation => ({
  id,
  wrong,
  setup: () => ({ records: [txt(`${typed}.acme.test`)] }),
  code: "record_absent",
  awaits: "claimant",
  says: [/_service-challenge/, /\b(change|edit|rename|replace|type|leave only)\b/i, ...says],
});
/** A wrong value: the token alone must replace it. */
const value = (id: string, is: string | string[], wrong: string, says: RegExp[]): Situation => ({
  id,
  wrong,
  setup: () => ({ records: [txt(NAME, is)] }),
  code: "value_formatted",
  awaits: "claimant",
  says: [new RegExp(TOKEN), ...says],
});
/** A label with dots, which the lab's codec cannot write. */
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
/** Questions for TXT, or for names with an underscore, get this result. */
const txtTo =
  (refusal: LabBehaviour): LabBehaviour =>
  (query, lab) =>
    query.type === "TXT" ? refusal(query, lab) : [lab.honest(query)];
const behaviours: Record<string, LabBehaviour> = {
  "dotted-label": dottedLabel,
  "refuses-txt": txtTo(rcode(5)),
  "drops-txt": txtTo(silent),
  "misreads-underscores": (query, lab) =>
    query.name.startsWith("_") ? rcode(1)(query, lab) : [lab.honest(query)],
  "small-only": (query, lab) =>
    query.rawName === query.name ? [lab.honest(query)] : rcode(3)(query, lab),
  "wants-cookie": (query, lab) =>
    query.transport === "tcp"
      ? [lab.honest(query)]
      : [
          encodeAnswer(query, {
            ...empty(7, false),
            additionals: [opt(10, Buffer.alloc(16, 7), 1)],
          }),
        ],
  cut: at(NAME, (query) => [encodeAnswer(query, empty(0, true), TRUNCATED)]),
  "filters-17": refusing(17),
  "filters-15": refusing(15),
  unreached: refusing(22, "no reachable"),
};
const ended = (proved: boolean) => () => ({
  history: {
    endedTokens: [{ token: OLD, endedAt: Date.UTC(2026, 9, 1), ...(proved && { proved }) }],
  },
});
const worlds: Record<string, () => WorldSetup> = {
  "an ended claim": ended(false),
  "a proof": ended(true),
  "another domain": () => ({ history: { domainOf: () => "acme-shop.test" } }),
  "uk.com": () => ({ registry: "com", domain: "acme.uk.com", zone: "uk.com" }),
  /** A DS record of the right key, with a wrong digest. */
  "a wrong digest": () => {
    const signer = new ZoneSigner("acme.test");
    const data = signer.ds.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    return { signed: true, signer, tld: { records: [{ name: "acme.test", type: "DS", data }] } };
  },
};
const world = (lines: string) => (net: Net) =>
  setupIn(lines.split(" | "), { behaviours, worlds }, net);

/** `id: what is wrong`, then indented: `is` the code or codes and who must act, `later` minutes, `says`, `never`, world. */
function situations(text: string): Situation[] {
  return text
    .trim()
    .split(/\n(?=\S)/)
    .map((block) => {
      const [head = "", ...lines] = block.split(/\n| \| /).map((line) => line.trim());
      const [, id = "", wrong = ""] = /^(\S+): (.*)$/.exec(head) ?? [];
      const rest = (word: string) =>
        lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
      const [code = "", awaits] = rest("is")?.split(" awaits ") ?? [];
      const later = rest("later");
      return {
        id,
        wrong,
        setup: world(lines.filter((line) => !/^(is|later|says|never) /.test(line)).join(" | ")),
        code,
        ...(awaits && { awaits }),
        ...(later && { laterMinutes: Number(later) }),
        says: patterns(rest("says")),
        ...(rest("never") && { never: patterns(rest("never")) }),
      };
    });
}

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
    setup: world("no records | at 3,4 dotted-label"),
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
    setup: world(`${TOKEN} TXT ${LABEL}`),
  },
  {
    ...host("idn-appended", "", "The domain in its own letters was added to the zone.", [
      /bücher|xn--bcher-kva/,
    ]),
    setup: world(`zone xn--bcher-kva.test. | ${LABEL}.bücher.test.xn--bcher-kva.test. TXT`),
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
    setup: world(`_ TXT ${TOKEN.slice(0, 30)} | _ TXT ${TOKEN.slice(30)}`),
  },
  {
    ...value("name-as-value", NAME, "The value is the record's name.", [
      /(is|has) (the|its own|this) (record's )?name|name (is|as|in) .*value/i,
    ]),
    code: "no_matching_record",
  },
];

const OTHERS = situations(String.raw`
appended-quoted: The domain was added to the host, and there are quotes in the value.
  _.acme.test.acme.test. TXT "${TOKEN}" | is domain_appended awaits claimant
  says /quot|wrong: /i /_service-challenge/ /${TOKEN}/
www-cut: It is below www, and the value's end was not copied.
  _.www TXT ${TOKEN.slice(0, -6)} | is record_on_www awaits claimant
  says /missing|cut|end|incomplete|short/i /_service-challenge/ /${TOKEN}/
in-spf: The token was added to the SPF record.
  @ TXT v=spf1 include:_spf.mail.test ~all ${TOKEN} | is record_at_apex awaits claimant
  says /\b(add|create)\b/i /_service-challenge/ /SPF|mail|rest|take .* out|remove/i
  never /change (its|the) (name|host)|change Name|rename|move the record/i
in-other-proof: The token was added behind Google's.
  @ TXT google-site-verification=Zq1 ${TOKEN} | is record_at_apex awaits claimant
  says /\b(add|create)\b/i /_service-challenge/
  never /change (its|the) (name|host)|change Name|rename|move the record/i
old-token-appended: The value of an ended claim, and the domain added to the host.
  _.acme.test.acme.test. TXT ${OLD} | of an ended claim
  is domain_appended expired_token record_absent awaits claimant
  says /earlier|old|ended|previous|expired/i /_service-challenge/ /${TOKEN}/
proved-again: The record of the proof is there and stays; the new claim has its own value.
  _ TXT ${OLD} | of a proof | is expired_token awaits claimant
  says /second|another|new/i /\b(add|create)\b/i /${TOKEN}/
  never /\b(replace|overwrite|edit the record|delete)\b/i
of-another-domain: The value is that of the account's other domain.
  _ TXT ${OLD} | of another domain | is foreign_token awaits claimant
  says /acme-shop\.test/ /${TOKEN}/
agency: Another account's record is right where it is; one's own lacks its underscore.
  _ TXT ${OLD} | service-challenge TXT | is record_absent foreign_token awaits claimant
  says /service-challenge\.acme\.test|underscore/i /_service-challenge/
  never /\b(delete|replace)\b/i
star-alias: Every name that has no record is an alias of the site builder.
  * CNAME sites.test. | @ TXT v=spf1 -all | is cname_conflict record_absent awaits claimant
  says /\b(add|create)\b/i /TXT/ /wildcard|\*/i
  never /\b(delete|remove|replace)\b(?!.*\bnot\b)/i
mirror: A DNAME makes every name of the domain that of another domain.
  @ DNAME brand.test. | @ A 192.0.2.1 | is cname_conflict awaits claimant
  says /DNAME/ /brand\.test/
moved: The domain moved; the record was added where the zone was.
  no records | listed ns1.new.test. .3, ns2.new.test. .4 | tld ns1.old.test. A .5
  former ns1.old.test. | at 5 zone acme.test. ns1.old.test. .5 serial 3 | + _ TXT
  is not_published awaits claimant
  says /ns1\.old\.test/ /ns[12]\.new\.test/ /\b(add|create)\b/i
  never /at the registrar/i
former-still-listed: The registry still lists the old host's server, which has an old copy.
  listed ns1.new.test. .3, ns2.new.test. .4, ns1.old.test. .5
  own ns1.new.test. .3, ns2.new.test. .4 | at 5 zone acme.test. ns1.old.test. .5 serial 3
  later 120 | is not_published awaits registrar
  says /ns1\.old\.test/ /registrar/i /\b(remove|take|delete)\b/i
stale-glue: The registry has an old address of ns1, where an old copy is served.
  listed ns1 .5, ns2 .4 | own ns1 .3, ns2 .4 | at 5 zone acme.test. ns1 .5, ns2 .4 serial 3
  later 120 | is not_published awaits registrar
  says /\.3\b/ /\.5\b/ /registrar/i
ns-unregistered: The nameservers' own domain is not registered: anybody may take it, and the domain.
  listed ns1.gone.test., ns2.gone.test. | is lame_delegation awaits registrar
  says /gone\.test/ /registrar/i /register|nobody|no one|anyone|not exist/i
ns-is-address: An IP address was entered as the nameserver's name.
  listed 203.0.113.5. | is lame_delegation awaits registrar
  says /203\.0\.113\.5/ /registrar/i /address/i /name/i
two-hosts: Nameservers of two DNS hosts are listed, each with a zone of its own.
  listed ns1.one.test. .3, ns2.one.test. .4, ns1.two.test. .5, ns2.two.test. .6
  own ns1.one.test. .3, ns2.one.test. .4 | later 120 | is not_published
  at 5,6 zone acme.test. ns1.two.test. .5, ns2.two.test. .6 serial 2026010101
  says /ns1\.two\.test/ /\b(add|create|remove|take)\b/i
private-registry: Nobody has registered acme.uk.com at the private registry uk.com, or it lists no nameservers.
  of uk.com | uk.com. A 192.0.2.1 | is lame_delegation record_absent
  says /registrar|registry|company that runs uk\.com/i /nameserver/i
  never /^In your DNS panel/m
parking: The listed servers are a parking host's, which answers every name alike and has no zone for this one.
  at 3,4 zone . | + *. A 192.0.2.80 | + *. TXT v=spf1 -all | is lame_delegation
  says /zone|set up|does not have|any name|every name/i /registrar|host|provider/i
  never /keep|leave the wildcard/i
txt-refused: The host's servers refuse questions for TXT; they answer others.
  at 3,4 refuses-txt | is lame_delegation awaits provider
  says /refuse|but not those/i /TXT/
  never /resolver|not (set up|have the zone)/i
txt-dropped: A load balancer's DNS drops questions for TXT; it answers others.
  at 3,4 drops-txt | is lame_delegation awaits provider
  says /TXT/ /not answer|but not those|drop|silent/i
underscore-refused: The host's servers refuse names that begin with an underscore.
  at 3,4 misreads-underscores | is lame_delegation awaits provider | says /underscore/i
small-letters-only: The servers take a name with capital letters for another name (against RFC 4343).
  at 3,4 small-only | is lame_delegation found | says /capital|letter case|upper/i
cut-over-tcp: The answer is cut over TCP too: nobody can read it whole.
  at 3,4 cut | is lame_delegation awaits provider | says /cut|truncat|incomplete/i /TCP/
cookies: Nothing: the servers ask for cookies over UDP and answer over TCP (RFC 7873).
  at 3,4 wants-cookie | is found
one-serial-two-zones: Two servers have one serial and different records: the copy to ns2 is broken.
  at 4 zone acme.test. ns1 .3, ns2 .4 | later 120 | is not_published awaits provider
  says /ns2\.acme\.test/
  never /(save|publish) (the|your) (zone|changes)/i
asker-refused: The servers refuse this asker alone: resolvers get the record.
  at 3,4 rcode 5 | is lame_delegation
  says /refuse/i /resolver|elsewhere|others|this address|Deed/i
  never /registrar|not nameservers/i
filtered: Two resolvers filter the domain; the record is right.
  witnesses filters-17 / filters-15 / honest | is servfail
  says /filter|block/i /witness1/ /witness2/
  never /DNSSEC/
resolvers-dropped: The servers drop the public resolvers; the record is right.
  witnesses unreached | is servfail awaits provider
  says /reach|drop|answer|block|firewall/i /nameserver|server/i
  never /DNSSEC/
ds-digest: The DS record has the key's tag, and a digest with a wrong character.
  of a wrong digest | is servfail awaits registrar | says /DS/ /registrar/i /digest/i
`);

export const SITUATIONS: Situation[] = [...HOSTS, ...VALUES, ...OTHERS];
