import { threadsIn } from "./thread.ts";

/** Delegations, nameservers, registrations and signatures. */
export const SERVER_THREADS = threadsIn(String.raw`
child-no-address acme-dns/acme-dns/issues/258: A subdomain is delegated to a name within itself, without an address.
  claim acme.no-addr.com
  zone acme.no-addr.com on ns1 to ns.acme.no-addr.com: {L} TXT "{T}"
  zone no-addr.com: acme NS ns.acme.no-addr.com.
  is lame_delegation awaits claimant
  says /ns\.acme\.no-addr\.com/ /address|A record|glue/i /no-addr\.com/
  never /registrar/i
label-delegated go-acme/lego/issues/361: The challenge name is delegated to a small server that is gone.
  zone label-cut.com: {L} NS ns.challenges.label-cut.com. | ns.challenges A 127.0.40.97
  is lame_delegation awaits claimant provider
  says /_service-challenge\.label-cut\.com/ /\bNS\b/ /remove|delete|replace/i
  never /registrar/i
child-deleted cert-manager/cert-manager/issues/909: The subdomain's hosted zone was deleted, its NS records stayed.
  claim swissarmy.deleted.com
  zone deleted.com: swissarmy NS nsd1.farm.example. | swissarmy NS nsd2.farm.example.
  zone swissarmy.deleted.com on nobody to nsd1 nsd2:
  is lame_delegation awaits claimant provider
  says /nsd1\.farm\.example/ /in the (DNS )?(zone|panel)[^.]*\bdeleted\.com|\bDNS (panel|host|provider) of deleted\.com/i
  never /registrar/i
above-the-cut AnalogJ/lexicon/issues/233: The record was put in the zone above, though zy has a zone of its own.
  claim xyz.zy.above-cut.com
  zone zy.above-cut.com: xyz A 192.0.2.1
  zone above-cut.com: zy NS ns1.dns.example. | zy NS ns2.dns.example. | {L}.xyz.zy TXT "{T}"
  is record_absent awaits claimant
  says /zone (of )?zy\.above-cut\.com|zy\.above-cut\.com (as|is) a|panel of zy\.above-cut\.com/i /_service-challenge\.xyz/
twice-delegated ustaxcourt/ef-cms/issues/775: dev is delegated in the zone of its parent, to servers without it.
  claim dev.shop.twice.com
  zone shop.twice.com: dev NS nsd1.farm.example. | dev NS nsd2.farm.example.
  zone twice.com: shop NS ns1.dns.example. | shop NS ns2.dns.example.
  zone dev.shop.twice.com on nobody to nsd1 nsd2:
  is lame_delegation awaits claimant provider
  says /(?<!dev\.)shop\.twice\.com/ /nsd1\.farm\.example/
  never /registrar/i
half-an-address mail-in-a-box/mailinabox/issues/942: One of two nameservers has no address, the other has the record.
  zone half-glue.com on ns2 to ns1.half-glue.com ns2.half-glue.com: ns2 A 127.0.40.4 | {L} TXT "{T}"
  glue ns2.half-glue.com. A 127.0.40.4
  is nameserver_sync not_published lame_delegation
  says /ns1\.half-glue\.com/ /address/i
no-glue mail-in-a-box/mailinabox/issues/930: The registrar has "not set" for the addresses of the domain's own servers.
  zone bare-box.com on nobody to ns1.box.bare-box.com ns2.box.bare-box.com:
  is lame_delegation awaits registrar
  says /ns1\.box\.bare-box\.com/ /address|glue/i /registrar/i
  never /does not answer|did not answer/i
each-other SIDN/CycleHunter/issues/22: Two domains have their nameservers in each other.
  zone cycle-a.com on nobody to ns1.cycle-b.com:
  zone cycle-b.com on nobody to ns1.cycle-a.com:
  is lame_delegation awaits registrar
  says /ns1\.cycle-b\.com/ /address|glue|each other/i /registrar/i
old-glue cunnie/sslip.io/issues/111: The host renumbered its servers; its own registry still has the old address.
  zone old-glue.com on nobody to ns1.glue-host.com:
  zone glue-host.com on nobody to ns1.glue-host.com:
  glue ns1.glue-host.com. A 127.0.40.97
  is lame_delegation awaits provider registrar
  says /ns1\.glue-host\.com/ /\bglue-host\.com/
  never /at the registrar of old-glue\.com[^.]*address/i
contact-check SSC-ICT-Innovatie/nl-kat-coordination/pull/3290: The registrar swapped the nameservers until the contact is confirmed.
  zone swapped-out.com on nobody to ns1.registrant-verification.ispapi.net ns2.registrant-verification.ispapi.net:
  is lame_delegation awaits registrar
  says /confirm|verif/i /contact|e-?mail|address|registrant/i
  never /add a TXT record|ask your DNS provider/i
contact-page cpwood/Pico-Go/issues/42: Suspended until the contact is verified: every name leads to a page that says so.
  zone page-only.com on pdns to failed-whois-verification.namecheap.com verify-contact-details.namecheap.com: @ A 192.0.2.8 | * A 192.0.2.8
  zone namecheap.com: failed-whois-verification A 127.0.42.41 | verify-contact-details A 127.0.42.42
  is lame_delegation record_absent awaits registrar
  says /confirm|verif/i /contact|e-?mail|registrant/i /registrar/i
  never /add a TXT record/i
on-hold montagejs/collectionsjs.com/issues/48: Not renewed: the registry has taken the domain out (clientHold).
  zone dns-of-hold.com: {L} TXT "{T}"
  claim lapsed.com
  is lame_delegation awaits registrar
  says /registrar/i /renew|pay|lift/i
  never /add a TXT record|ask your DNS provider/i
held-above stackryze/FreeDomains/issues/315: The domain above the free subdomain is on hold.
  zone other-free.com: {L} TXT "{T}"
  claim user.held-above.com
  is lame_delegation awaits registrar provider
  says /(?<!user\.)held-above\.com/ /registrar|who(ever)? (runs|gave|owns)/i
  never /registrar of user\.|add a TXT record/i
parked-host zonemaster/zonemaster/issues/1208: The registry lists a parking service, which answers every TXT question.
  zone leads-away.com on pdns to ns1.sedoparking.com ns2.sedoparking.com: @ A 192.0.2.8 | * A 192.0.2.8 | * TXT "v=spf1 -all"
  zone sedoparking.com: ns1 A 127.0.42.41 | ns2 A 127.0.42.42
  is lame_delegation no_matching_record awaits registrar
  says /park/i /registrar/i
  never /\badd (a|another)\b[^.]*TXT/i
two-dead win-acme/win-acme/issues/2485: Of three listed servers two are gone, and the zone itself names one.
  zone two-dead.com on ns1 to ns1 ns8.two-dead.com ns9.two-dead.com own ns1: {L} TXT "{T}"
  glue ns8.two-dead.com. A 127.0.40.96 | ns9.two-dead.com. A 127.0.40.97
  later 120
  is lame_delegation not_published awaits registrar
  says /ns8\.two-dead\.com/ /ns9\.two-dead\.com/ /registrar/i /remove|take/i
old-servers vancluever/terraform-provider-acme/issues/286: New servers have the record; the registrar still lists the old.
  zone old-servers.com to ns1 ns2 own nsd1 nsd2: @ A 192.0.2.1
  zone old-servers.com on nsd own nsd1 nsd2: {L} TXT "{T}"
  is record_absent not_published awaits registrar claimant
  says /nsd1\.farm\.example/ /registrar|add it [^.]*ns1\.dns\.example/i
www-alone jed/certbot-route53/issues/12: The host has a zone for www alone, the registry lists its servers for the domain.
  zone www-alone.com on nobody to nsd1 nsd2:
  zone www.www-alone.com on nsd: {L} TXT "{T}"
  is lame_delegation record_on_www awaits provider
  says /nsd1\.farm\.example/ /(not have|set up) the zone www-alone\.com/i
six-only eferdman/dehydrated-hook-ddns-tsig/issues/28: One of two nameservers has an IPv6 address only: nothing is wrong.
  zone six-only.com on ns1 to ns1 ns6.six-host.com: {L} TXT "{T}"
  zone six-host.com: ns6 AAAA 2001:4860:4802:32::a
  is found nameserver_sync negative_cache
  never /ns6\.six-host\.com[^.]*(broken|remove|at fault)/i
server-at-home siilike/certbot-dns-standalone/issues/1: The nameserver is a program that runs only during a challenge.
  zone at-home.com on nobody to ns.at-home.com:
  glue ns.at-home.com. A 127.0.40.98
  is lame_delegation awaits provider claimant
  says /ns\.at-home\.com/ /port 53|not answer|no question|not running/i
  never /add a TXT record/i
parent-denial PublicFreeSuffix/PublicFreeSuffix/issues/113: The free suffix above is signed, its denials are broken.
  zone ikun.htu-above.example: {L} TXT "{T}"
  zone htu-above.example: ikun NS ns1.dns.example. | ikun NS ns2.dns.example.
  signed -86400 86400 without \s(NSEC|RRSIG\s+NSEC)\s
  is servfail awaits provider
  says /\bhtu-above\.example/ /DNSSEC/ /denial|NSEC|no DS|prove/i
  never /registrar of ikun|add a TXT record/i
expired-before dswd/vpncloud/issues/388: The signatures ran out; the record is not there yet.
  claim vpncloud.ran-out.example
  zone ran-out.example: vpncloud A 192.0.2.1
  signed -172800 -86400
  is servfail awaits provider
  says /expired|ran out|no longer valid/i /ran-out\.example/ /sign/i
ds-before dnsimple/dnsimple-support/issues/195: A DS record is at the registrar, the host does not sign; no record yet.
  zone ds-before.example: @ A 192.0.2.1
  ds foreign
  is servfail awaits registrar
  says /\bDS\b/ /registrar/i /remove|delete/i
  never /ask your DNS provider|add a TXT record/i
moved-signed DK-Hostmaster/Roadmap/issues/8: Moved to a host that signs with other keys; the DS stayed; no record yet.
  zone moved-signed.example: @ A 192.0.2.1
  signed -86400 86400
  ds foreign
  is servfail awaits registrar
  says /\bDS\b/ /registrar/i /replace|new DS/i
keys-expired PowerDNS/pdns/issues/10936: Only the signature over the keys is bad; the record is there.
  zone keys-bad.example: {L} TXT "{T}"
  signed -86400 86400 spoiled RRSIG\s+DNSKEY
  is servfail awaits provider
  says /sign/i /keys-bad\.example/ /DNSKEY|keys/i
  never /add a TXT record/i
inside-only caddy-dns/route53/issues/39: A tool wrote into the private zone of the same name.
  zone inside-only.com on bind: @ A 192.0.2.1
  inside {L} TXT "{T}"
  is record_absent awaits claimant
  says /public|nameservers? (of|for)|bind1\.farm\.example/i /TXT/
long-negative ProtonMail/WebClients/issues/292: Resolvers asked before, and "not found" may be kept for a day.
  zone long-no.com: @ A 192.0.2.1
  minimum 86400
  then @ A 192.0.2.1 | {L} TXT "{T}"
  is negative_cache awaits resolvers
  says /hour|day/i /leave/i
`);
