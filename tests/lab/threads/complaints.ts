import type { History } from "@deed/dns/verdict/history.ts";
import { FOREIGN, TOKEN } from "../case.ts";
import { type Thread, threadsIn } from "./thread.ts";

/** A thread of another project, its mistake as a zone of the lab, and the right answer. `thread`: `owner/name#1`. */
export type Complaint = Thread & { thread: string; history: Partial<History> };

const EARLIER = `service_v1_${"0d".repeat(20)}`;
const HISTORIES: Record<string, Partial<History>> = {
  "anonaddy-278": { domainOf: () => "first.example" },
  "social-app-6493": { endedTokens: [{ token: EARLIER, endedAt: 0 }] },
};

/** `was`: the cause. `notes`: "plain" if "not found" or "no match" was all they said, "chance" if it depends on the server. */
const appended = (head: string) => `
${head}
  was The panel added the domain to the full name that was typed.
  zone {N}.com: {L}.{N}.com TXT "{T}"
  is domain_appended
  says /added the domain/ /leave only this/`;
const tooHigh = (label: string, head: string) => `
${head}
  was The record is one label too high: below the zone's name, not below the claimed name.
  claim ${label}.{N}.com
  zone {N}.com: {L} TXT "{T}"
  is record_absent
  says /is at {L}.{N}.com/ /{L}.${label}/`;
const remembered = (head: string) => `
${head}
  was Resolvers had asked before the record was there, and cached “not found”.
  zone {N}.com:
  then {L} TXT "{T}"
  is negative_cache
  says /“not found”/ /minute/`;
const leftOver = (head: string) => `
${head}
  was An old value is still at the name, and the new record is missing.
  notes plain
  zone {N}.com: {L} TXT "J2ZbcDPsYwQqEYgLzKb9Lz6W4kcR8h0ubrXWBzOtqVg"
  is no_matching_record
  says /another value/ /add/`;

const ROWS = String.raw`
${appended("microsoft/vsmarketplace/issues/256: Not verified after 72 hours, although the record is in DNS.")}
${appended("mailgun/documentation/issues/344: Two domains at GoDaddy are not verified, although every record was added.")}
${appended("github/docs/issues/3834: Verification failed for years at Namecheap and Google Domains.")}
${appended("Agenta-AI/agenta/pull/4042: Users get the domain in the host name twice.")}
maillab/cloud-mail/issues/356: “All required records are missing”, although all were added at Cloudflare.
  was The zone is the subdomain itself, so its label is in the name twice.
  zone {N}.com: {L}.{N} TXT "{T}"
  is record_absent
  says /part of the domain twice/ /leave only this/
dreamhunter2333/cloudflare_temp_email/issues/515: Every try took ten hours and failed.
  was The zone is the subdomain itself, so the names shown have one level too many.
  zone mail.{N}.com: {L}.mail TXT "{T}"
  zone {N}.com: mail NS ns1.dns.example. | mail NS ns2.dns.example.
  is record_absent
  says /part of the domain twice/ /leave only this/
${tooHigh("gterminal", "js-org/js.org/issues/8550: GitHub finds no TXT record, although it was added.")}
${tooHigh("quack", "is-a-good-dev/register/pull/972: GitHub Pages does not recognize the domain.")}
${tooHigh("user", "bluesky-social/social-app/issues/9562: A handle below a domain is never verified.")}
is-a-dev/register/pull/12150: The TXT record for GitHub Pages has no effect.
  was The record is at the claimed name, not at the host below it.
  claim dev.{N}.com
  zone {N}.com: dev TXT "{T}"
  is record_at_apex
  says /is at dev.{N}.com itself/ /{L}/
keybase/keybase-issues/issues/2426: The proof fails, although dig shows the record.
  was Route 53 treated @ as a name: the record is at “@.” below the domain.
  zone {N}.com: \@ TXT "{T}"
  is record_absent
  says /@/ /_service-challenge/ /change|leave only/
is-a-dev/register/pull/16048: There is a TXT record at the label, but nothing is verified.
  was The value is the name of the record.
  zone {N}.com: {L} TXT "{L}"
  is no_matching_record value_formatted
  says /value .*name|name .*value/i /replace|only|change Value/
zordhalo/runs-on.dev/pull/19: There is no error anywhere, but the site is never verified.
  was The value was copied from a display that shortens it, so it ends in three dots.
  zone {N}.com: {L} TXT "${TOKEN.slice(0, -3)}..."
  is value_formatted
  says /missing|end/ /{T}/
zordhalo/runs-on.dev/pull/207: The record is never verified.
  was The value is the whole JSON.
  zone {N}.com: {L} TXT "{\"type\": \"TXT\", \"value\": \"{T}\"}"
  is value_formatted
  says /start|text|quot|wrong: / /{T}/
simple-acme/simple-acme/issues/280: An unclear error, after the reporter typed quotation marks as advised.
  was The quotation marks are part of the value.
  zone {N}.com: {L} TXT "\"{T}\""
  is value_formatted
  says /quotation marks|wrong: \\?"/ /{T}/
hackclub/dns/pull/1790: The reporter was not sure whether the record is right.
  was It is a CNAME, with the value as its target.
  zone {N}.com: {L} CNAME {T}.
  is cname_conflict
  says /target of a CNAME/ /TXT/
cert-manager/cert-manager/issues/3927: The TXT record is refused.
  was The CNAME of a CDN is at the name, so no other record can be there.
  zone {N}.com: {L} CNAME ff762516.stackpath-tls.example.
  is cname_conflict
  says /is a CNAME for ff762516|with a CNAME for ff762516/ /TXT/
acmesh-official/acme.sh/issues/2524: The record was there, but the check followed a CNAME to a host of DuckDNS.
  was Resolvers still had the wildcard's CNAME for the name.
  zone {N}.com: * CNAME home.duckdns.example.
  then * CNAME home.duckdns.example. | {L} TXT "{T}"
  is negative_cache
  says /old value|cached/ /minute/
${leftOver("acmesh-official/acme.sh/issues/5078: “Incorrect TXT record found”.")}
${leftOver("cloudflare/cloudflare-docs/pull/33304: Validation stays pending, with no error to act on.")}
anonaddy/anonaddy/issues/278: The second domain added cannot be verified.
  was The service still showed the first domain's value.
  zone {N}.com: {L} TXT "${FOREIGN}"
  is foreign_token
  says /value for first.example/ /{T}/
bluesky-social/social-app/issues/6493: The check finds the old account's value after a change.
  was Resolvers still had the earlier value.
  zone {N}.com: {L} TXT "${EARLIER}"
  then {L} TXT "{T}"
  is negative_cache
  says /value of an earlier claim/ /minute/
${remembered("zitadel/zitadel/issues/4646: “Verification failed”, but after dinner it passed.")}
${remembered("wintermeyer/vutuv/issues/1466: It failed for a long time, at a provider with a short TTL.")}
zitadel/zitadel/issues/6550: “ORG-GH3s”: nobody could tell whether the record or the service was wrong.
  was There was no record.
  notes plain
  zone {N}.com:
  is record_absent
  says /no TXT record at _service-challenge/ /add a TXT record/
certbot/certbot/issues/9378: It fails now and then. Running it again sometimes helps.
  was The secondary nameserver never got the record.
  notes chance
  zone {N}.com on ns1: {L} TXT "{T}"
  zone {N}.com on ns2:
  later 120
  is not_published
  says /on ns1\.dns\.example, but ns2\.dns\.example/ /ns2/
acmesh-official/acme.sh/issues/4863: The client's own check passes, but the authority's fails.
  was Not every nameserver had the new record yet.
  notes chance
  zone {N}.com on ns1:
  zone {N}.com on ns2: {L} TXT "{T}"
  is nameserver_sync
  says /on ns2\.dns\.example, but ns1\.dns\.example still/
cert-manager/cert-manager/issues/3659: A timeout, although the record is in DNS.
  was One of the nameservers does not answer.
  zone {N}.com on ns1 to ns1 ns3.{N}.com: {L} TXT "{T}" | ns3.{N}.com. A 127.0.40.99
  glue ns3.{N}.com. A 127.0.40.99
  is nameserver_sync
  says /ns3\.\S+ does not answer/
virtualmin/virtualmin-gpl/issues/418: SERVFAIL after the server moved.
  was The registrar still had the DS record of the old keys.
  zone {N}.example: {L} TXT "{T}"
  signed -86400 86400
  ds foreign
  is servfail
  says /DS record/ /registrar/
jed/certbot-route53/issues/4: SERVFAIL, although Route 53 shows the record.
  was The nameservers that the registry lists do not have the zone.
  zone {N}.com on nobody:
  is lame_delegation
  says /refuse/ /ns1\.dns\.example/ /zone/
`;

export const COMPLAINTS: Complaint[] = threadsIn(ROWS).map((one) => ({
  ...one,
  thread: one.source.replace("https://github.com/", "").replace(/\/(?:issues|pull)\/(?=\d+$)/, "#"),
  history: HISTORIES[one.id] ?? {},
}));
