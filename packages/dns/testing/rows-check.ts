import type { RecordType } from "../verdict/observation.ts";
import { flowIn, patterns, setupIn } from "./row-lines.ts";
import type { Facts } from "./rows.ts";
import type { Net, WorldSetup } from "./world.ts";

export type CheckRow = {
  name: string;
  setup: (net: Net) => WorldSetup;
  question: { name: string; type: RecordType; value: string };
  /** "found", or the code, or the reason for waiting. */
  expected: string;
  tells: Facts[];
  says: RegExp[];
  never: RegExp[];
};

const GOOGLE = "google-site-verification=lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM";
const MINE = "lVXLFmpqKPmkAo0hBsKd1nVzOtxEQ-rNgFb7yqJJtSM";
const THEIRS = "google-site-verification=Zk3uT0n8dQwYvR1mXhLbC7fEpJg5sAo-2iKxD9NrW4c";
const NEAR = GOOGLE.replace("lVXL", "mWXL").replace("jJtSM", "xxx");
const KEY = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA".repeat(8)}IDAQAB`;
const ACM = "_3f0c9a7d5b1e42868d2a6c40e97b51f3";
const AT_ACM = "_9d1e5c7b3a2f48609f8e7d6c5b4a3921.djqtsrsxkq.acm-validations.aws";
const CHALLENGE = "gfj9Xq_Rg85nM0kz3YwUt1bVd7cL2eHs6AoPi4xNQlE";
/** A host elsewhere at .5; the record that replaces an alias has the same addresses. */
const HOSTED =
  "no witnesses | hosting | + app.host.test. A 192.0.2.7 | + app.host.test. A 192.0.2.8";

/**
 * `outcome: name`, then separated by bars or lines: `ask NAME TYPE VALUE`, the records of the zone acme.test, and what the
 * check `tells` as fields, `says` and `never` says.
 */
const ROWS = `
found: Google's code among the values of a domain
  ask Acme.test. TXT ${GOOGLE} | @ TXT v=spf1 include:_spf.host.test ~all | @ TXT ${GOOGLE}
  @ TXT MS=ms12345678 | tells {name: acme.test, others: 2, vendor: {name: Google}}
  tells {code: null, cause: null, fix: null}
value_formatted: quotation marks that were typed around Google's code
  ask acme.test TXT ${GOOGLE} | @ TXT v=spf1 -all | @ TXT "${GOOGLE}"
  tells {others: 1, nearest: {how: altered}} | says /quotation marks/ /keep the other values/
value_formatted: Google's code without what is in front of it
  ask acme.test TXT ${GOOGLE} | @ TXT ${MINE} | @ TXT v=spf1 -all
  tells {others: 1, nearest: {value: ${MINE}}} | says /it lacks .google-site-.*=. at the start/
value_formatted: Google's code merged into the SPF record
  ask acme.test TXT ${GOOGLE} | @ TXT v=spf1 include:_spf.host.test ${GOOGLE} ~all
  says /other text, which must stay/ /take (only )?the value out .* add a TXT record/
  never /change Value to/
no_matching_record: the code of another account of Google's
  ask acme.test TXT ${GOOGLE} | @ TXT v=spf1 -all | @ TXT ${THEIRS}
  tells {others: 1, nearest: {how: other_code, value: ${THEIRS}}}
  says /another code of Google/ /keep/ | never /replace|change Value/
value_formatted: a code with other letters, among other values
  ask acme.test TXT ${GOOGLE} | @ TXT v=spf1 -all | @ TXT ${NEAR} | @ TXT MS=ms12345678
  tells {others: 2, nearest: {value: ${NEAR}}}
no_matching_record: another policy of mail, of which there can be one
  ask _dmarc.acme.test TXT v=DMARC1; p=reject | _dmarc TXT v=DMARC1; p=none
  says /kind, and can have only one/ /^In your DNS panel, edit the record and change Value to: v=DMARC1; p=reject$/m
no_matching_record: another account of Bluesky, of which there can be one
  ask _atproto.acme.test TXT did=did:plc:z72i7h | _atproto TXT did=did:plc:ewvi7n
  says /kind, and can have only one/ /edit the record and change Value to: did=did:plc:z72i7h$/
no_matching_record: many values at a domain, and none is like it
  ask acme.test TXT ${GOOGLE} | @ TXT v=spf1 -all | @ TXT MS=ms1 | @ TXT apple-domain=x | @ TXT facebook=1
  @ TXT docusign=2 | @ TXT zoom=3 | @ TXT slack=4 | @ TXT adobe=5 | @ TXT stripe=6 | @ TXT cisco=7
  @ TXT dropbox=8 | @ TXT atlassian=9 | tells {others: 12, nearest: null} | says /12 (other )?(TXT )?values/
record_absent: no TXT at a domain with a website and mail
  ask acme.test TXT ${GOOGLE} | @ A 192.0.2.1 | @ MX mail | says /no TXT record at acme.test/ /@/
domain_appended: the domain typed as the name of its own record
  ask acme.test TXT ${GOOGLE} | acme.test.acme.test. TXT ${GOOGLE} | @ TXT v=spf1 -all
  says /is at acme.test.acme.test/ /: @$/
record_on_www: the record of the domain under www
  ask acme.test TXT ${GOOGLE} | www TXT ${GOOGLE} | says /is at www.acme.test/ /leave the record/
record_absent: an @ that the panel took for a name
  ask acme.test TXT ${GOOGLE} | @.acme.test. TXT ${GOOGLE} | says /with an @ in it/ /change Name/
found: a long DKIM key in strings
  ask s1._domainkey.acme.test TXT ${KEY}
  s1._domainkey TXT "${KEY.slice(0, 200)}" "${KEY.slice(200, 300)}" "${KEY.slice(300)}"
  tells {others: 0}
value_formatted: a DKIM key that the panel cut off
  ask s1._domainkey.acme.test TXT ${KEY} | s1._domainkey TXT ${KEY.slice(0, 255)}
  says /it lacks .* at the end/
value_formatted: a short code in quotation marks
  ask _github-challenge-acme-org.acme.test TXT a1b2c3d4e5 | _github-challenge-acme-org TXT "a1b2c3d4e5"
  tells {vendor: {name: GitHub}, nearest: {how: altered}} | says /quotation marks/
domain_appended: a short code at the name with the domain twice
  ask _github-challenge-acme-org.acme.test TXT a1b2c3d4e5
  _github-challenge-acme-org.acme.test.acme.test. TXT a1b2c3d4e5 | says /leave only this/
no_matching_record: a short code that is within another by chance
  ask acme.test TXT MS=ms123 | @ TXT MS=ms1234567 | @ TXT v=spf1 -all
  tells {nearest: {how: other_code}, others: 1} | never /replace|change Value/
found: a CNAME, whatever its letter case and the dot at its end
  ask www.acme.test CNAME App.Host.Test. | www CNAME app.host.test. | ${HOSTED}
  tells {value: app.host.test, target: {exists: true}}
domain_appended: the whole name typed for a certificate's CNAME
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM}.acme.test.acme.test. CNAME ${AT_ACM}.
  tells {vendor: {name: AWS}} | says /is at ${ACM}.acme.test.acme.test/ /leave only this/
value_formatted: a CNAME's target with the domain appended
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM} CNAME ${AT_ACM}.acme.test.
  tells {nearest: {how: altered}} | says /\\.acme\\.test.* at the end/ /dot/
value_formatted: a CNAME's target that lacks characters
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM} CNAME ${AT_ACM.replace("1e5c", "")}.
  tells {nearest: {how: altered}} | tells {headline: The value is not exact} | says /it lacks .1e5c. in the middle/ | never /TXT/
no_matching_record: a CNAME with another target
  ask www.acme.test CNAME app.host.test | www CNAME old.host.test. | ${HOSTED}
  says /old.host.test, which does not exist/ /change Value to: app.host.test/ | never /TXT/
no_matching_record: a wildcard with another CNAME, and a host with records of its own names below it
  ask ${ACM}.app.acme.test CNAME ${AT_ACM} | * CNAME lb | lb A 192.0.2.200
  tells {where: {typesAtName: []}} | says /give app.acme.test and \\*.app.acme.test the records of/ | never /AAAA|MX/
wrong_type: the target typed as TXT
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM} TXT ${AT_ACM} | says /in a TXT record/ /CNAME record/
wrong_type: a TXT record at the name, beside which no CNAME can be
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM} TXT 9d1e5c7b3a2f4860
  says /a CNAME cannot exist beside/ /no longer needed/
flattened: the target's own addresses in place of the CNAME
  ask www.acme.test CNAME app.host.test | www A 192.0.2.7 | www A 192.0.2.8 | ${HOSTED}
  says /addresses of app.host.test/ | never /proxy/i
proxied: other addresses in place of the CNAME
  ask www.acme.test CNAME app.host.test | www A 192.0.2.200 | ${HOSTED}
  says /prox/i /www.acme.test/
record_absent: addresses of a wildcard, where the CNAME was never added
  ask app.acme.test CNAME app.host.test | * A 192.0.2.200 | ${HOSTED}
  says /wildcard \\*\\.acme\\.test/ /add a CNAME record/ | never /delete|replace|prox/
record_absent: a text of a wildcard, where the CNAME was never added
  ask app.acme.test CNAME app.host.test | * TXT v=spf1 -all | never /delete|replace/
record_absent: the CNAME without its underscore
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM.slice(1)} CNAME ${AT_ACM}. | never /TXT/
  says /without the underscore/ /change Name/
record_absent: the CNAME of another host, with a letter more
  ask doc.acme.test CNAME app.host.test | docs CNAME app.host.test. | ${HOSTED}
  says /leave the record at docs.acme.test/ | never /change Name/
not_published: the CNAME on servers that only the zone lists
  ask ${ACM}.acme.test CNAME ${AT_ACM} | no records | own ns8 .8 | at 8 zone acme.test. ns8 .8
  + ${ACM} CNAME ${AT_ACM}. | never /TXT/
found: a CNAME whose target does not exist
  ask ${ACM}.acme.test CNAME ${AT_ACM} | ${ACM} CNAME ${AT_ACM}. | tells {target: {exists: false}}
found: the challenge of a certificate where an alias leads
  ask _acme-challenge.acme.test TXT ${CHALLENGE} | _acme-challenge CNAME 1f6e.auth | 1f6e.auth TXT ${CHALLENGE}
  tells {aliases: [{name: _acme-challenge.acme.test, target: 1f6e.auth.acme.test}]}
found: a value behind four aliases
  ask a.acme.test TXT ${CHALLENGE} | a CNAME b | b CNAME c | c CNAME d | d CNAME e | e TXT ${CHALLENGE}
  tells {aliases: [{target: b.acme.test}, {target: c.acme.test}, {target: d.acme.test}, {target: e.acme.test}]}
alias_elsewhere: a value behind five aliases
  ask a.acme.test TXT ${CHALLENGE} | a CNAME b | b CNAME c | c CNAME d | d CNAME e | e CNAME f | f TXT ${CHALLENGE}
  says /too many|more than four/
alias_elsewhere: an alias of a name that has another value
  ask _acme-challenge.acme.test TXT ${CHALLENGE} | _acme-challenge CNAME 1f6e.auth | 1f6e.auth TXT old
  says /1f6e.auth.acme.test/ | never /replace/
alias_elsewhere: an alias that leads back to itself
  ask a.acme.test TXT ${CHALLENGE} | a CNAME b | b CNAME a | says /back to/
alias_elsewhere: an alias of a name that does not exist
  ask _acme-challenge.acme.test TXT ${CHALLENGE} | _acme-challenge CNAME gone
  says /gone.acme.test, which does not exist/
alias_elsewhere: an alias of what is no host's name
  ask a.acme.test TXT ${GOOGLE} | a CNAME x y
  says /which is not the name of a host/ /replace this CNAME with a TXT record with Name .* a and/
lame_delegation: a zone without nameservers where a CNAME was wanted
  ask shop.acme.test CNAME app.acme.test | shop NS ns1.gone.test. | app A 192.0.2.7
  says /delete the NS records at shop.acme.test/
alias_elsewhere: the alias of a website, where a code was wanted
  ask www.acme.test TXT ${GOOGLE} | www CNAME app.host.test. | ${HOSTED}
  says /Ask whoever runs host.test to add/ | never /replace|delete/
flattened: the addresses of the target at the domain itself
  ask acme.test CNAME app.host.test | @ A 192.0.2.7 | @ A 192.0.2.8 | ${HOSTED}
  says /can have no CNAME/ | never /replace|add a/
cname_conflict: a wildcard alias, and the record was never added
  ask _acme-challenge.acme.test TXT ${CHALLENGE} | * CNAME x | x A 192.0.2.1
  says /wildcard \\*\\.acme\\.test/ /add a TXT record/ | never /replace/
record_absent: one label too high
  ask _vercel.shop.acme.test TXT vc-domain-verify=shop | _vercel TXT vc-domain-verify=shop
  says /is at _vercel.acme.test/ /_vercel.shop/
value_formatted: Google's code in small letters
  ask acme.test TXT ${GOOGLE} | @ TXT ${GOOGLE.toLowerCase()} | says /in place of/ /change Value to/
record_absent: DMARC of the domain, where that of a host is asked for
  ask _dmarc.mail.acme.test TXT v=DMARC1; p=reject | _dmarc TXT v=DMARC1; p=reject | mail A 192.0.2.1
  says /add a TXT record/ | never /change Name/
`;

const ASK = /^ask (\S+) (TXT|CNAME) (.*)$/;

export const CHECK_ROWS: readonly CheckRow[] = ROWS.trim()
  .split(/\n(?=\S)/)
  .map((block) => {
    const [head = "", ...lines] = block.split(/\n| \| /).map((line) => line.trim());
    const [expected = "", name = ""] = head.split(/: (.*)/);
    const [, asked = "", type = "TXT", value = ""] =
      ASK.exec(lines.find((one) => ASK.test(one)) ?? "") ?? [];
    const after = (word: string) =>
      lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
    const world = lines.filter((line) => !/^(ask|tells|says|never) /.test(line));
    return {
      ...{ name, expected, question: { name: asked, type: type as RecordType, value } },
      setup: (net) => ({ records: [], ...setupIn(world, {}, net) }),
      tells: after("tells").map(flowIn),
      says: after("says").flatMap(patterns),
      never: after("never").flatMap(patterns),
    };
  });
