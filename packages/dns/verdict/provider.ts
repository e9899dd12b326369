/** Nameserver names that identify a provider, according to its documentation. */
const NAMESERVERS: readonly (readonly [Exclude<Provider, "other">, RegExp])[] = [
  ["cloudflare", /\.(ns|secondary)\.cloudflare\.com$|\.foundationdns\.(com|net|org)$/],
  ["route53", /\.awsdns-\d+\.(com|net|org|co\.uk)$/],
  ["godaddy", /\.domaincontrol\.com$/],
  ["namecheap", /\.registrar-servers\.com$/],
  ["google-domains", /\.googledomains\.com$/],
  ["vercel", /\.(vercel-dns\.com|zeit-world\.(com|net|org|co\.uk))$/],
];

/** Minutes until the provider's nameservers serve a saved record; null if unknown. */
export const PUBLISHING_MINUTES = {
  route53: 1,
  vercel: 1,
  cloudflare: 2,
  "google-domains": 5,
  godaddy: 10,
  namecheap: 60,
  other: null,
};
export type Provider = keyof typeof PUBLISHING_MINUTES;

/** The DNS host that runs more than half of the nameservers; `other` if none does. */
export function providerOf(nameservers: readonly string[]): Provider {
  const runsMost = (pattern: RegExp) =>
    nameservers.filter((host) => pattern.test(`.${host.toLowerCase()}`)).length * 2 >
    nameservers.length;
  return NAMESERVERS.find(([, pattern]) => runsMost(pattern))?.[0] ?? "other";
}
