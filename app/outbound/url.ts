import { isIP } from "node:net";
import type { AddressPolicy } from "#app/dns/wire/address.ts";

const LONGEST = 2_048;
const DEFAULT_PORTS: Record<string, number> = { "https:": 443, "http:": 80 };
/** Below this, a port other than the scheme's own belongs to some other service. */
const FIRST_FREE_PORT = 1_024;

/** The host of a URL without the brackets of IPv6: a name in ASCII, or an address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/** The port of a URL, given or the scheme's own. */
export const portOf = (url: URL): number => Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0);

/** What may be called. `isAllowed`: addresses in general; `isExcepted`: those the operator allows, over plain http too. */
export type OutboundRules = { isAllowed: AddressPolicy; isExcepted: AddressPolicy; http: boolean };

/**
 * Why a URL cannot be called, as the end of a sentence that starts with it; null if it can, as far as the text shows.
 * The parser of URLs turns every form of a host into its one form first: 0x7f.1 is 127.0.0.1, and an IDN is A-labels.
 */
export function urlProblem(text: string, rules: OutboundRules): string | null {
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  const url = URL.parse(text);
  if (!url) return "is not a URL";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && rules.http))
    return rules.http ? "must start with https:// or http://" : "must start with https://";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  if (url.hash !== "") return "must not have a part after #";
  const port = portOf(url);
  if (port !== DEFAULT_PORTS[url.protocol] && port < FIRST_FREE_PORT)
    return `must use port ${DEFAULT_PORTS[url.protocol]}, or one from ${FIRST_FREE_PORT} on`;
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rules.isAllowed(host))
    return `leads to ${host}, which is not a public address`;
  if (isIP(host) !== 0 && url.protocol === "http:" && !rules.isExcepted(host))
    return "must start with https://";
  return null;
}
