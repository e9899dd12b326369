import { HOSTS_OF, type Program } from "../farm.ts";
import { threadsIn } from "./thread.ts";

/** Each nameserver of a program, with its fault. */
const failing = (program: Program, result: string, reason: string) => {
  const hosts = HOSTS_OF[program].map(
    (host) => `{host: ${host}, result: ${result}, reason: ${reason}}`,
  );
  return `tells {nameservers: [${hosts}]}`;
};

/** Only what depends on these programs; mistakes with any server are in the fault matrix of packages/dns. */
export const INVENTED = threadsIn(String.raw`
two-faces: Split horizon: an inside view without the record answers the resolvers.
  zone two-faces.com on bind: {L} TXT "{T}"
  inside @ A 192.0.2.3
  minimum 1
  later 1
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
`);
