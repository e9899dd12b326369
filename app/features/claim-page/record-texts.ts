import {
  PANELS,
  panelHost,
  panelUrl,
  panelValue,
  providerName,
  type RecordLocation,
} from "@deed/dns/words/providers.ts";
import type { ChallengeRecord } from "../claims/resources.ts";

export type ProviderLabels = ReturnType<typeof providerLabels>;

export function providerLabels(place: RecordLocation) {
  const { type, host, value, title, path, appendsDomain, wantsQuotes, ttl, publishingMinutes } =
    PANELS[place.provider];
  const zone = place.zone ?? place.domain;
  const where =
    path === null ? `Add it where the DNS of ${zone} is managed.` : `In ${title}: ${path}.`;
  const appends =
    appendsDomain === null
      ? `Most panels add .${zone} to the name. If yours does not, type the whole name.`
      : `It adds .${zone} to the name.`;
  return {
    type,
    host,
    value,
    hostToType: panelHost(place),
    valueToType: panelValue(place),
    /** The panel's default TTL, or a short one that every panel accepts; in seconds, unless automatic. */
    ttl: /^\w+/.exec(ttl ?? "")?.[0] ?? String(ttlSeconds(ttl)),
    publishingMinutes,
    provider: providerName(place.provider),
    url: panelUrl(place),
    guide: `/docs/providers/${place.provider}`,
    zone,
    /** A hint for panels of which nobody knows whether they append the zone; else null. */
    hostHint:
      appendsDomain === null ? `If your panel does not add .${zone}, type the whole name.` : null,
    note: `${where} ${appends}${wantsQuotes ? " Type the quotation marks too." : ""}`,
  };
}

export type RecordSnippets = ReturnType<typeof recordSnippets>;

/** Returns the panel's default TTL in seconds, the same in every form of the record; five minutes if unknown. */
const ttlSeconds = (ttl: string | null) =>
  Number(
    /^\d+/.exec(ttl ?? "")?.[0] ?? 60 * Number(/which is (\d+) min/.exec(ttl ?? "")?.[1] ?? 5),
  );

const SERVERS_SHOWN = 4;
/** Names safe to paste into a shell; commands leave out any other. */
const PLAIN_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i;

const terraformCloudflare = (name: string, value: string, ttl: number) =>
  `resource "cloudflare_dns_record" "deed" {
  zone_id = var.zone_id
  name    = ${JSON.stringify(name)}
  type    = "TXT"
  content = ${JSON.stringify(`"${value}"`)}
  ttl     = ${ttl}
}`;

/** Uses the provider hashicorp/dns, for any server that accepts updates by RFC 2136. */
const terraformDns = (zone: string, host: string, value: string, ttl: number) =>
  `resource "dns_txt_record_set" "deed" {
  zone = "${zone}."
${host === "" ? "" : `  name = ${JSON.stringify(host)}\n`}  txt  = [${JSON.stringify(value)}]
  ttl  = ${ttl}
}`;

const cloudflareCall = (name: string, value: string, ttl: number) =>
  `curl "https://api.cloudflare.com/client/v4/zones/$ZONE_ID/dns_records" \\
  -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ type: "TXT", name, content: `"${value}"`, ttl })}'`;

/** Writes a record as a zone-file line, for octoDNS, Terraform, Cloudflare's API and nsupdate (RFC 2136), and checks with dig. */
export function recordSnippets(
  { name, value }: Pick<ChallengeRecord, "name" | "value">,
  zone: string | null,
  nameservers: readonly string[],
  provider: RecordLocation["provider"] = "other",
) {
  const ttl = ttlSeconds(PANELS[provider].ttl);
  const servers = nameservers.filter((host) => PLAIN_NAME.test(host)).slice(0, SERVERS_SHOWN);
  const holder = zone ?? name.slice(name.indexOf(".") + 1);
  // Relative to the zone, "" at its apex; quoted, since `@` and a leading `*` have a meaning in YAML.
  const host = name === holder ? "" : name.slice(0, -holder.length - 1);
  return {
    bind: `${name}. ${ttl} IN TXT "${value}"`,
    octodns: `"${host}":\n  type: TXT\n  ttl: ${ttl}\n  value: "${value}"`,
    terraform:
      provider === "cloudflare"
        ? terraformCloudflare(name, value, ttl)
        : terraformDns(holder, host, value, ttl),
    cloudflare:
      provider === "cloudflare" && PLAIN_NAME.test(name) ? cloudflareCall(name, value, ttl) : null,
    nsupdate: [
      ...(zone && PLAIN_NAME.test(zone) ? [`zone ${zone}.`] : []),
      `update add ${name}. ${ttl} TXT "${value}"`,
      "send",
    ].join("\n"),
    dig:
      servers.length > 0
        ? servers.map((host) => `dig +norecurse TXT ${name} @${host}`)
        : [`dig +trace TXT ${name}`],
  };
}
