import { HOSTS_OF, type Program } from "../farm.ts";
import { threadsIn } from "./thread.ts";

const CROWD = Array.from({ length: 30 }, (_, at) => `{L} TXT "verify-${at}=${"z".repeat(150)}"`);
/** Each nameserver of a program, with its fault. */
const failing = (program: Program, result: string, reason: string) => {
  const hosts = HOSTS_OF[program].map(
    (host) => `{host: ${host}, result: ${result}, reason: ${reason}}`,
  );
  return `tells {nameservers: [${hosts}]}`;
};
const starOwn = (on: string) => `
star-own-${on}: The name claimed has the wildcard's address, and one below, of its own.
  claim shop.{N}.com
  zone {N}.com on ${on}: {L} TXT "{T}" | * A 192.0.2.9 | shop A 192.0.2.9 | *.shop A 192.0.2.9
  is record_absent awaits claimant
  tells {wildcardName: "*.shop.{N}.com"}
  says /edit the record and change/
  never /give/`;

/** Only what depends on these programs; mistakes with any server are in the fault matrix of packages/dns. */
export const INVENTED = threadsIn(String.raw`
crowd: Thirty long verification records share the name with the token: the answer is 5 KB.
  zone crowd.com on nsd: {L} TXT "{T}" | ${CROWD.join(" | ")}
  is found
refused-half: One of two nameservers was never told of the zone and refuses; the other has it.
  zone refused-half.com on pdns to nsd2 pdns1: {L} TXT "{T}"
  is nameserver_sync
two-faces: Split horizon: an inside view without the record answers the resolvers.
  zone two-faces.com on bind: {L} TXT "{T}"
  inside @ A 192.0.2.3
  minimum 1
  again
  is not_published awaits claimant
  tells {nameservers: [], publishedOn: [${HOSTS_OF.named}]}
  says /resolver/i /different|another answer|other answer|view|split|inside|internal/i
orphaned: The nameserver is a secondary whose primary was switched off: it has no copy any more.
  zone orphaned.com on bind:
  orphaned
  is lame_delegation awaits provider
  ${failing("named", "servfail", "no_copy")}
  says /load|transfer|expired|primary|no copy|copy of the zone/i /bind1\.farm\.example/
  never /(does|do|did) not answer/i
star-address: There is a wildcard A record and nothing else: any name exists, none has TXT.
  zone star-address.com on pdns: * A 192.0.2.9 | @ A 192.0.2.9
  is record_absent awaits claimant
  tells {answer: {type: nodata}, nearMiss: null}
  says /TXT/ /_service-challenge/
  never /delete|remove|change its type|wrong type/i
${["nsd", "bind", "pdns"].map(starOwn).join("")}
below-alias: The name claimed is a CNAME; below it stands the challenge name, as DNS allows.
  claim shop.below-alias.com
  zone below-alias.com on pdns: shop CNAME shops.farm.example. | {L}.shop TXT "{T}"
  is found
tcp-lost: A filter in front of the nameservers loses everything that comes over TCP.
  zone tcp-lost.com on dist: {L} TXT "{T}"
  front no-tcp
  is lame_delegation awaits provider
  says /TCP/ /53/ /dist1\.farm\.example/ /dist2\.farm\.example/
  never /record (is|was) (missing|not there|not found)/i /(add|create) (a|the) (TXT )?record/i
always-cut: Against floods, the filter cuts every answer over UDP, so that askers come over TCP.
  zone always-cut.com on dist: {L} TXT "{T}"
  front truncates
  is found
slow: The nameservers are far away and loaded: every answer takes a second and a half.
  zone slow.com on dist: {L} TXT "{T}"
  front slow
  again
  is found
resolver-as-ns: The company's resolver was entered as the nameserver: it answers without authority.
  zone office-dns.com on nobody to office:
  is lame_delegation awaits registrar
  tells {nameservers: [{host: office.farm.example, result: refused, reason: resolver}]}
  says /office\.farm\.example/ /\bresolver\b|recursive/i
  never /either|or this is/i
left-behind: The zone was deleted at the company whose nameservers the registry still lists.
  zone left-behind.com on nobody to nsd1 nsd2:
  is lame_delegation awaits provider
  ${failing("nsd", "refused", "no_zone")}
  says /does not have the zone|do not have the zone|set up/i /at the registrar of left-behind\.com/
  never /resolver/i
parked: The domain is at a parking service that answers for every name below com.
  zone parked.com on pdns: * TXT "v=spf1 -all" | * A 192.0.2.9
  served com
  is lame_delegation
  ${failing("pdns_server", "not_authoritative", "zone_above")}
  says /zone above|parking/i
  never /wildcard|keep/i
txt-filtered: A filter against amplification drops every question for TXT.
  zone txt-filtered.com on dist: {L} TXT "{T}"
  front no-txt
  is lame_delegation
  ${failing("dnsdist", "timeout", "txt")}
  says /TXT/ /other questions/i
host-names-only: A firewall lets names of hosts pass, and refuses those with an underscore.
  zone host-names-only.com on dist: {L} TXT "{T}"
  front no-underscore
  is lame_delegation
  ${failing("dnsdist", "refused", "underscore")}
  says /underscore/i
no-resolvers: The nameservers drop what public resolvers ask, and the record is not there yet.
  zone no-resolvers.com on dist: @ A 192.0.2.3
  front no-resolvers
  is servfail awaits provider
  tells {fault: {type: unreachable}}
  says /resolvers/i /block|limit/i
  never /DNSSEC|signature|add (a|the) TXT record/i
tcp-alone: Only TCP port 53 is open, so that Deed reads the zone and resolvers do not.
  zone tcp-alone.com on dist: @ A 192.0.2.3
  front no-udp
  is servfail awaits provider
  tells {fault: {type: no_udp}}
  says /UDP port 53/
`);
