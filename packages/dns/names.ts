import { getDomain, getPublicSuffix, parse } from "tldts";

/** Names in this package are ASCII and in lower case, without a dot at the end (only the root has one). */
export const ROOT = ".";

/** The most octets of a name (RFC 1035 section 2.3.4). */
export const MAX_NAME_LENGTH = 253;
const QUERYABLE_NAME = /^[ -\-/-[\]-~]{1,63}(?:\.[ -\-/-[\]-~]{1,63})*$/;

/** Lower-cases only A to Z, as RFC 4343 compares names; other code points stay distinct. */
export const lowerCase = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const labelsOf = (name: string) => (name === ROOT || name === "" ? [] : name.split("."));

/** Whether a name can be queried: labels of 1 to 63 printable octets (spaces allowed), at most 253 octets in all. */
export const isQueryable = (name: string): boolean =>
  name === ROOT || (name.length <= MAX_NAME_LENGTH && QUERYABLE_NAME.test(name));

/** Stands for a dot inside a label. Its low octet is that of a dot. */
const INNER_DOT = "\u012e";

/** The octets of a name, one character each: `\226` is one octet, `\.` no separator (RFC 1035 section 5.1). */
export const octetsOf = (name: string): string =>
  name.replace(/\\(?:(\d{3})|(.))/g, (_, code?: string, character?: string) =>
    code ? String.fromCharCode(Number(code)) : character === "." ? INNER_DOT : (character ?? ""),
  );

/** The octets as the reader returns them, where a dot inside a label looks like any other dot. */
export const readOctets = (name: string): string => octetsOf(name).replaceAll(INNER_DOT, ".");

export const isAtOrBelow = (name: string, zone: string): boolean =>
  zone === ROOT || name === zone || (name.endsWith(zone) && name.at(-zone.length - 1) === ".");

export const isBelow = (name: string, zone: string) => name !== zone && isAtOrBelow(name, zone);

export function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 1 ? ROOT : name.slice(dot + 1);
}

export const lastLabels = (name: string, count: number): string =>
  count === 0 ? ROOT : labelsOf(name).slice(-count).join(".");

/** Puts `label`, which may be empty or several labels, in front of a name. */
export const joined = (label: string, name: string): string =>
  label === "" ? name : name === ROOT ? label : `${label}.${name}`;

/** Like joined, but null if the result cannot be queried. */
export function under(label: string, name: string): string | null {
  const fullName = joined(label, name);
  return isQueryable(fullName) ? fullName : null;
}

/** Counts only suffixes of registries, since a provider's domain that customers get names under is an ordinary zone. */
const TLD_OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false };
export const PROVIDER_SUFFIX_OPTIONS = { ...TLD_OPTIONS, allowPrivateDomains: true };

/** Whether `zone`, which has or delegates `name`, belongs to a registry: it is at or above the name's public suffix. */
export const isRegistry = (zone: string, name: string): boolean =>
  isAtOrBelow(getPublicSuffix(name, TLD_OPTIONS) ?? name, zone);

/** The name that a registry registered for somebody; null if `name` is itself a suffix. */
export const registeredName = (name: string): string | null => getDomain(name, TLD_OPTIONS);

/** Whether `name` is below a name that can be registered, under a suffix that exists. */
export function isHostName(name: string): boolean {
  const { domain, isIcann } = parse(name, TLD_OPTIONS);
  return isIcann === true && domain !== null && isBelow(name, domain);
}

/** Whether the claimant of `name` cannot edit `zone`, since a registry or a provider that gives out names owns it. */
export const isOwnedByOthers = (zone: string, name: string): boolean =>
  isAtOrBelow(getPublicSuffix(name, PROVIDER_SUFFIX_OPTIONS) ?? name, zone);

/** The parent zone, if its DNS panel sets the delegation of `zone`; undefined if the registrar sets it. */
export const delegatingZone = ({ zone, parent }: { zone: string; parent: string }) =>
  isOwnedByOthers(parent, zone) ? undefined : parent;

/** Whether the record of `domain` must be in a zone that its claimant cannot edit. */
export const isRunByOthers = (zone: string, domain: string) =>
  isBelow(domain, zone) && isOwnedByOthers(zone, domain);

/** The name that somebody registered, with a registry or with a provider that gives out names. */
export const ownedName = (name: string): string => getDomain(name, PROVIDER_SUFFIX_OPTIONS) ?? name;

/**
 * Who edits the NS, glue and DS records of `zone` in the zone above. `parent` is its delegatingZone. "others": the
 * owner of `zone`, who gives out `domain` below it. "suffix": the provider under whose name `zone` was registered.
 */
export function delegatorOf(zone: string, domain: string, parent?: string) {
  if (isRunByOthers(zone, domain)) return "others";
  if (parent !== undefined) return "parent";
  return ownedName(zone) === (registeredName(zone) ?? zone) ? "registrar" : "suffix";
}

/** Nameserver names that identify a provider, according to its documentation. */
const PROVIDER_NAMESERVERS = [
  ["cloudflare", /\.(ns|secondary)\.cloudflare\.com$|\.foundationdns\.(com|net|org)$/],
  ["route53", /\.awsdns-\d+\.(com|net|org|co\.uk)$/],
  ["godaddy", /\.domaincontrol\.com$/],
  ["namecheap", /\.registrar-servers\.com$/],
  ["google-domains", /\.googledomains\.com$/],
  ["vercel", /\.(vercel-dns\.com|zeit-world\.(com|net|org|co\.uk))$/],
] as const;

export type Provider = (typeof PROVIDER_NAMESERVERS)[number][0] | "other";

export function providerOf(nameservers: readonly string[]): Provider {
  const runsMost = (pattern: RegExp) =>
    nameservers.filter((host) => pattern.test(`.${host.toLowerCase()}`)).length * 2 >
    nameservers.length;
  return PROVIDER_NAMESERVERS.find(([, pattern]) => runsMost(pattern))?.[0] ?? "other";
}
