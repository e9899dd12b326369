import { threadsIn } from "./thread.ts";

/** Records at another name, of another type or value, or with a wildcard or an alias. */
export const RECORD_THREADS = threadsIn(String.raw`
dot-typed dnsimple/dnsimple-support/issues/882: A full stop was typed after the host, and the panel kept it.
  zone punctuated.com: {L}\. TXT "{T}"
  is record_absent awaits claimant
  says /\bdot\b|full stop|period|\\\./i /_service-challenge/ /leave only|change/i
star-inside acme-dns/acme-dns-client/issues/13: The panel took the star of a wildcard only in front of the label.
  zone star-inside.com: *.{L} TXT "{T}"
  is record_absent awaits claimant
  says /\*\._service-challenge\.star-inside\.com/ /leave only|change/i
star-behind acmesh-official/acme.sh/issues/1165: A wildcard certificate was wanted, so the star is in the name.
  zone star-behind.com: {L}.* TXT "{T}"
  is record_absent awaits claimant
  says /_service-challenge\.\\?\*\.star-behind\.com/ /leave only|change/i
tab-typed open-domains/register/pull/1227: The host was copied from a page with a line break in it.
  zone copied-host.com: {L}\009 TXT "{T}"
  is record_absent awaits claimant
  says /tab|space|invisible|blank|\\009|special character/i /leave only|change|type/i
no-underscore acmesh-official/acme.sh/issues/1383: The panel refuses underscores, so it was left out.
  zone plain-label.com: service-challenge TXT "{T}"
  is record_absent awaits claimant
  says /is at service-challenge\.plain-label\.com|underscore/i /_service-challenge/
two-underscores webstudio-is/webstudio/issues/3124: Two underscores instead of one.
  zone two-underscores.com: _{L} TXT "{T}"
  is record_absent awaits claimant
  says /__service-challenge/ /leave only|change/i
dot-for-hyphen EasyEngine/easyengine/issues/1159: The label was split into two by a dot.
  zone split-label.com: _service.challenge TXT "{T}"
  is record_absent awaits claimant
  says /_service\.challenge\.split-label\.com/ /leave only|change/i
at-dmarc lieser/dkim_verifier/issues/69: The value was added at the name of the mail policy, beside it.
  zone at-dmarc.com: _dmarc TXT "v=DMARC1; p=reject" | _dmarc TXT "{T}"
  is record_absent awaits claimant
  says /_dmarc\.at-dmarc\.com/ /_service-challenge/
  harm /(delete|remove|change|replace) (the|all|every)[^.]*records (at|of) _dmarc/i
exchanged MicrosoftDocs/dynamics-365-customer-engagement/issues/2253: Two names got each other's record.
  claim promo.exchanged.com
  zone exchanged.com: {L} TXT "{T}" | {L}.promo TXT "service_v1_9999999999888888888877777777776666666666"
  is record_absent foreign_token awaits claimant
  says /_service-challenge\.exchanged\.com|another/ /_service-challenge\.promo/
name-is-value postalserver/postal/pull/906: The value was entered as the name, and the name as the value.
  zone name-is-value.com: {T} TXT "{L}"
  is record_absent awaits claimant
  says /value[^.]*name|name[^.]*value|swap|exchang/i /_service-challenge/
unicode-zone acmesh-official/acme.sh/issues/7038: The panel of an IDN appended the domain in Unicode.
  zone xn--bro-hoa.com: {L}.b\195\188ro.com TXT "{T}"
  is domain_appended record_absent awaits claimant
  says /leave only/ /added the domain|twice/
level-skipped tobychui/zoraxy/issues/991: Of a name two levels deep, one level was left out.
  claim sub2.sub1.level-skipped.com
  zone level-skipped.com: sub2.sub1 A 192.0.2.1 | {L}.sub2 TXT "{T}"
  is record_absent awaits claimant
  says /_service-challenge\.sub2\.level-skipped\.com/ /_service-challenge\.sub2\.sub1/
order-swapped srvrco/getssl/issues/308: The subdomain is in front of the label.
  claim shop.order-swapped.com
  zone order-swapped.com: shop A 192.0.2.1 | shop.{L} TXT "{T}"
  is record_absent awaits claimant
  says /shop\._service-challenge\.order-swapped\.com/ /_service-challenge\.shop/
other-tld serverless-components/domain/issues/12: The full name was typed with the ending of the other domain.
  zone other-tld.com: {L}.other-tld.com.br TXT "{T}"
  is record_absent domain_appended awaits claimant
  says /_service-challenge\.other-tld\.com\.br\.other-tld\.com/ /leave only|change/i
put-at-target caddy-dns/porkbun/issues/7: The name claimed is an alias; the record was put at the alias's target.
  claim test.alias-two.com
  zone alias-two.com: test CNAME other-two.com.
  zone other-two.com: @ A 192.0.2.1 | {L} TXT "{T}"
  is record_absent awaits claimant
  says /_service-challenge\.other-two\.com/ /_service-challenge\.test/
  harm /(replace|delete|remove) (this|the|that) (alias|CNAME)/i
label-at lobovkin/forward-domain/issues/22: "_.@" was advised where the panel refuses the underscore.
  zone label-at.com: {L}.\@ TXT "{T}"
  is record_absent awaits claimant
  says /@/ /leave only|change/i
alias-at-apex keybase/keybase-issues/issues/2251: The domain itself is a CNAME of a web app; the record is right.
  zone alias-at-apex.com on pdns: @ CNAME app.farm.example. | {L} TXT "{T}"
  is found cname_conflict
type-ns is-a-dev/register/pull/16879: NS was chosen as the type, with the host of a web hoster.
  zone type-ns.com: {L} NS ns1.byet.example.
  is lame_delegation awaits claimant provider
  says /_service-challenge\.type-ns\.com/ /\bNS\b/ /remove|delete|replace/i
  never /registrar/i
dummy-address kubernetes/k8s.io/issues/160: An address was put at the name to keep a wildcard alias off.
  claim docs.dummy-a.com
  zone dummy-a.com: docs A 192.0.2.1 | *.docs CNAME docs.dummy-a.com. | {L}.docs A 192.0.2.1
  is record_absent awaits claimant
  says /TXT/ /_service-challenge\.docs/
  harm /(delete|remove|replace)[^.]*(\*|wildcard)/i
alias-with-token acme-dns/acme-dns/issues/357: The challenge name is an alias of a name that has the token.
  zone alias-token.com: {L} CNAME 1821f647.auth.alias-token.com. | 1821f647.auth TXT "{T}"
  is cname_conflict awaits claimant
  says /1821f647\.auth/ /TXT/ /replace|instead/i
alias-nowhere acme-dns/acme-dns-client/issues/6: The alias leads to a zone whose server is gone.
  zone alias-gone.com: {L} CNAME ec471a93.auth-gone.com.
  zone auth-gone.com on nobody to ns.auth-gone.com:
  glue ns.auth-gone.com. A 127.0.40.97
  is cname_conflict awaits claimant
  says /ec471a93\.auth-gone\.com/ /TXT/
hyphen-stripped Automattic/wp-calypso/issues/3328: The panel sanitised what was typed: the hyphen is gone.
  zone sanitised.com: _servicechallenge TXT "{T}"
  is record_absent awaits claimant
  says /_servicechallenge\.sanitised\.com/ /leave only|change/i
star-alias-below tobychui/zoraxy/issues/562: The name claimed lives by a wildcard alias alone.
  claim test.home.star-below.com
  zone star-below.com: *.home CNAME myhome.star-below.com. | myhome A 192.0.2.1
  is cname_conflict record_absent awaits claimant
  says /TXT/ /_service-challenge\.test\.home/
  harm /(replace|delete|remove|edit) (this|the|that) (alias|CNAME|wildcard)/i
  warns /of its own|give test\.home\S+ and \S+ the CNAME records of/i
star-address-below polymind-inc/acmebot/issues/152: The name claimed lives by a wildcard address alone.
  claim bookinfo.cloud.star-a.com
  zone star-a.com: *.cloud A 192.0.2.9
  is record_absent awaits claimant
  says /TXT/ /_service-challenge\.bookinfo\.cloud/
  warns /of its own|give (bookinfo|app)\.\S+ and \S+ the \S+ records of/i
star-beside desec-io/desec-stack/issues/411: There is a wildcard, but the name claimed has its own address.
  claim shop.star-beside.com
  zone star-beside.com: shop A 192.0.2.1 | * A 192.0.2.9
  is record_absent awaits claimant
  says /TXT/ /_service-challenge\.shop/ /\badd\b/i
  never /of its own|wildcard/i
star-heritage kubernetes-sigs/external-dns/issues/262: A controller wrote its registry record for a wildcard.
  claim app.heritage.com
  zone heritage.com: * A 192.0.2.9 | * TXT "heritage=external-dns,external-dns/owner=extdns"
  is no_matching_record record_absent awaits claimant
  says /TXT/ /_service-challenge\.app/ /\badd\b/i
  harm /(delete|remove|replace|edit) (this|the|that)/i
  warns /of its own|give (bookinfo|app)\.\S+ and \S+ the \S+ records of/i
star-spf dehydrated-io/dehydrated/issues/643: The error shows an SPF text: a wildcard's.
  zone star-spf.com: @ A 192.0.2.1 | * TXT "v=spf1 -all"
  is no_matching_record awaits claimant
  says /wildcard|\*/i /\badd\b/i
  harm /(delete|remove|replace|edit) (this|the|that)/i
empty-text c-ares/c-ares/issues/921: The TXT record is there, with an empty text.
  zone hollow.com: {L} TXT ""
  is no_matching_record value_formatted awaits claimant
  says /empty/i
backslashes hashicorp/terraform/issues/13421: A tool escaped the quotation marks, and the panel kept it all.
  zone backslashes.com: {L} TXT "\\\"{T}\\\""
  is value_formatted awaits claimant
  says /backslash|quotation|wrong: \\/i
gap-between timohirt/terraform-provider-hetznerdns/issues/7: Two strings, the first with a space at its end.
  zone parted.com: {L} TXT "service_v1_7d0f3b9ae41c58206fd " "2b7c3910e84a5d6f12c3b"
  is value_formatted awaits claimant
  says /space|gap/i
key-of-docs WalletConnect/walletconnect-monorepo/issues/3662: The value has the key that older documentation shows.
  zone key-of-docs.com: {L} TXT "service-verification={T}"
  is value_formatted awaits claimant
  says /service-verification=/
placeholder zordhalo/runs-on.dev/pull/33: The placeholder of the documentation was pasted as it is.
  zone as-shown.com: {L} TXT "service_v1_PASTE-YOUR-TOKEN"
  is no_matching_record value_formatted foreign_token awaits claimant
  says /PASTE-YOUR-TOKEN|example|placeholder|another value/i /change Value|replace|\badd\b/i
line-ended openspeedtest/Speed-Test/issues/71: The value ends in a line break.
  zone tailed.com: {L} TXT "{T}\013\010"
  is value_formatted found awaits claimant
  says /line|space|end|\\010|\\n|wrong/i
alias-site https://richstone.io/dns-brain-teaser-for-your-engineering-brain: The subdomain is an alias; its TXT hides.
  claim devs.alias-site.com
  zone alias-site.com: devs CNAME target.funnels.com.
  zone funnels.com: * A 192.0.2.7 | * TXT "v=spf1 -all"
  is record_absent awaits claimant
  says /TXT/ /_service-challenge\.devs/ /\badd\b/i
  harm /(replace|delete|remove) (this|the|that) (alias|CNAME)/i
`);
