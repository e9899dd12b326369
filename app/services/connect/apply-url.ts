import type { RecordLocation } from "#app/dns/copy/providers.ts";
import { isAtOrBelow } from "#app/dns/names.ts";
import type { ConnectSigner } from "./signer.ts";

/** The path of a template below the URLs of a provider. */
export const templatePath = (providerId: string, serviceId: string): string =>
  `/v2/domainTemplates/providers/${encodeURIComponent(providerId)}/services/${encodeURIComponent(serviceId)}`;

/** Whether the template makes this claim's record: it may be older than a change of label or prefix. */
export function isOfTemplate(
  { zone, domain, label, token }: RecordLocation,
  settings: { challengeLabel: string; tokenPrefix: string },
): boolean {
  const isBelowZone = zone !== null && isAtOrBelow(domain, zone);
  return isBelowZone && label === settings.challengeLabel && token.startsWith(settings.tokenPrefix);
}

/**
 * The URL at which a provider asks its customer to apply the template, and then sends the browser to `returnTo` with
 * `state`. Signed over the query string as it is sent.
 */
export function applyUrl(
  apply: string,
  { domain, zone, token }: RecordLocation,
  { tokenPrefix, connect }: { tokenPrefix: string; connect: ConnectSigner },
  { returnTo, state }: { returnTo: string; state: string },
): string {
  const host = domain === zone ? "" : domain.slice(0, -(zone?.length ?? 0) - 1);
  const query = Object.entries({
    domain: zone ?? domain,
    ...(host && { host }),
    redirect_uri: returnTo,
    state,
    token: token.slice(tokenPrefix.length),
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const signature = encodeURIComponent(connect.sign(query));
  return `${apply}?${query}&sig=${signature}&key=${connect.keyLabel}`;
}
