import type { Reader } from "#app/dns/resolve/reader.ts";
import type { Outbound } from "#app/outbound/outbound.server.ts";
import { templatePath } from "./apply-url.ts";
import { type ProviderSettings, readSettings, settingsUrl } from "./provider-settings.ts";
import { SERVICE_ID } from "./template.ts";

/** What a zone's DNS provider offers by Domain Connect (draft-ietf-dconn-domainconnect). */
export type ProviderOffer = {
  /** The page of the zone in its panel; null if it names none. */
  controlPanel: string | null;
  /** Where its customer applies this installation's template; null if it has not registered it. */
  apply: string | null;
};

export const NO_OFFER: ProviderOffer = { controlPanel: null, apply: null };

/** What is asked, and of whom. `providerId`: the installation's, if it has a key to sign with; else null. */
export type Discovery = {
  reader: Pick<Reader, "readText">;
  outbound: Outbound;
  providerId: string | null;
};

/** From the call to the last octet that is read, in milliseconds. */
const CALL_MS = 3_000;
const DNS_MS = 10_000;
const HEADERS = { Accept: "application/json", "User-Agent": "Deed" };

/**
 * Asks what the zone's provider offers: TXT at `_domainconnect`, its settings, and whether it has the template. Returns
 * how long that holds, in seconds, too. Whatever fails is no offer; never rejects.
 */
export async function discoverOffer(
  { reader, outbound, providerId }: Discovery,
  zone: string,
): Promise<{ offer: ProviderOffer; ttl: number }> {
  const none = { offer: NO_OFFER, ttl: 0 };
  try {
    const text = await reader.readText(`_domainconnect.${zone}`, AbortSignal.timeout(DNS_MS));
    if (text.type !== "read") return none;
    const { ttl } = text;
    const url = settingsUrl(text.values, zone, outbound.problem);
    const answer = url === null ? null : await get(outbound, url);
    const settings =
      url === null || answer === null ? null : readSettings(answer, url, zone, outbound.problem);
    if (!settings) return { ...none, ttl };
    const apply = providerId && (await applyOf(outbound, settings, providerId));
    return { offer: { controlPanel: settings.controlPanel, apply }, ttl };
  } catch {
    return none;
  }
}

/** The text of an answer of 2xx; null for any other, and for none. */
async function get(outbound: Outbound, url: string): Promise<string | null> {
  const request = { method: "GET", url, headers: HEADERS } as const;
  const answer = await outbound.call(request, AbortSignal.timeout(CALL_MS)).catch(() => null);
  if (answer === null || answer.status < 200 || answer.status > 299) return null;
  return answer.body.toString("utf8");
}

async function applyOf(
  outbound: Outbound,
  { flow }: ProviderSettings,
  providerId: string,
): Promise<string | null> {
  if (!flow) return null;
  const path = templatePath(providerId, SERVICE_ID);
  const supported = await get(outbound, flow.api + path);
  return supported === null ? null : `${flow.pages}${path}/apply`;
}
