import { type Observation, PARKED, type ParkedReason } from "./observation.ts";
import { delegatedHosts, delegatingOf } from "./publication-status.ts";

/**
 * Nameservers of parking services, of registrars for expired domains, and for domains with an unconfirmed contact
 * address. From MISP's list parking-domain-ns, https://docs.ps.kz (DNS hold) and Namecheap's help.
 */
const HOSTS: Record<ParkedReason, RegExp> = {
  parking:
    /\.(sedoparking|bodis|afternic|cashparking|undeveloped|parklogic|parkingspa|smartname|namefind|voodoo)\.com$|\.(parkingcrew\.net|uniregistrymarket\.link)$|\.parking(page)?\.namecheap\.com$|\.parking\d\.ovh\.net$/,
  expired:
    /\.(renewyourname|expirationwarning)\.net$|\.(pendingrenewaldeletion|onamae-expired|domainhasexpired)\.com$|\.expired\.uniregistry-dns\.com$|\.expirens\d\.hichina\.com$|\.expired\d\.namebrightdns\.com$|\.renewyourdomain\.at\.domainname\.com$/,
  unconfirmed:
    /\.(failed-whois-verification|verify-contact-details)\.namecheap\.com$|\.verification-hold\.suspended-domain\.com$|\.emailverification\.info$|\.registrant-verification\.ispapi\.net$/,
};

/** Why these nameservers only park a domain; null unless all of them do. */
export const parkingReason = (nameservers: readonly string[]): ParkedReason | null =>
  nameservers.length === 0
    ? null
    : (PARKED.find((kind) => nameservers.every((host) => HOSTS[kind].test(`.${host}`))) ?? null);

export function parkedIn(observation: Observation) {
  const nameservers = delegatedHosts(observation);
  const as = parkingReason(nameservers);
  return as ? { parked: { as, nameservers, ...delegatingOf(observation.delegation) } } : {};
}
