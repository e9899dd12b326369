import { isIP } from "node:net";
import { getDomain } from "tldts";
import * as z from "zod";
import { hostOf } from "#app/outbound/url.ts";

/** Why a URL may not be called, or null; `Outbound.problem`. */
export type ProblemOf = (url: string) => string | null;

/** What a provider's settings lead to. */
export type ProviderSettings = {
  /** The page of the zone in its panel; null if it names none. */
  controlPanel: string | null;
  /** URLs that paths of the synchronous flow are appended to; null if it has none. */
  flow: { api: string; pages: string } | null;
};

const Settings = z.looseObject({
  urlAPI: z.string().optional().catch(undefined),
  urlSyncUX: z.string().optional().catch(undefined),
  urlControlPanel: z.string().optional().catch(undefined),
});

/** A host, perhaps with a port and a path, as a TXT record has it. */
const PREFIX = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i;

/**
 * Where a provider says what it has for a zone, from the TXT records at `_domainconnect.<zone>`; null if they name no
 * host that may be called. Plain http is for addresses that the operator allows, such as a panel on loopback.
 */
export function settingsUrl(
  values: readonly string[],
  zone: string,
  problemOf: ProblemOf,
): string | null {
  const [value = ""] = values;
  if (values.length !== 1 || !PREFIX.test(value)) return null;
  const path = `${value.replace(/\/+$/, "")}/v2/${encodeURIComponent(zone)}/settings`;
  const plain = URL.parse(`http://${path}`);
  const isExcepted = plain && isIP(hostOf(plain)) !== 0 && problemOf(plain.href) === null;
  const url = `${isExcepted ? "http" : "https"}://${path}`;
  return problemOf(url) === null ? url : null;
}

/** The domain under which its owner gives out hosts; an address is its own. */
const siteOf = (url: URL): string => {
  const host = hostOf(url);
  if (isIP(host) !== 0) return host;
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host;
};

/** Whether two URLs are of the same owner, as far as their hosts show. */
export const isSameSite = (one: string, other: string): boolean =>
  siteOf(new URL(one)) === siteOf(new URL(other));

/**
 * Reads the answer of a settings URL. Whoever edits the zone chose that URL: nothing of the answer is taken but URLs of
 * the same owner and scheme. Null if it is not a provider's settings.
 */
export function readSettings(
  text: string,
  from: string,
  zone: string,
  problemOf: ProblemOf,
): ProviderSettings | null {
  const { data } = Settings.safeParse(parsed(text));
  if (!data) return null;
  const own = (text: string | undefined): string | null => {
    const url = text === undefined ? null : URL.parse(text);
    if (!url || url.protocol !== new URL(from).protocol || !isSameSite(url.href, from)) return null;
    const bare = new URL(url);
    bare.hash = "";
    return problemOf(bare.href) === null ? url.href : null;
  };
  const prefix = (text: string | undefined) => {
    const url = own(text);
    return url === null || /[?#]/.test(url) ? null : url.replace(/\/+$/, "");
  };
  const api = prefix(data.urlAPI);
  const pages = prefix(data.urlSyncUX);
  return {
    controlPanel: own(data.urlControlPanel?.replaceAll("%domain%", encodeURIComponent(zone))),
    flow: api !== null && pages !== null ? { api, pages } : null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
