import type { Provider } from "../verdict/diagnosis.ts";

/** The vocabulary of a provider's DNS panel. */
export type Panel = {
  /** Common name of the panel, as used after "In ". */
  title: string;
  /** Whom to ask, as used after "Ask ". */
  operator: string;
  /** Menu path to the record editor; null if unknown. */
  path: string | null;
  /** Address of the record editor of a zone, or of the list of zones; null if unknown. */
  url: ((zone: string) => string) | null;
  /** Labels of its fields. */
  host: string;
  type: string;
  value: string;
  /** Whether it appends the zone to the typed host; null if unknown. */
  appendsDomain: boolean | null;
  /** Whether it accepts a name that ends with the zone as complete. */
  takesFullName: boolean;
  /** Whether text values must be typed in quotation marks. */
  wantsQuotes: boolean;
  /** Whether quotation marks around a value are syntax; otherwise they may become part of the value. */
  readsQuotes: boolean;
  /**
   * Whether all values of a name and type are lines of one record, so that no second record can be added; null if
   * unknown, or if several providers share the nameserver names.
   */
  groupsValues: boolean | null;
};

const usual = {
  host: "Name",
  type: "Type",
  value: "Value",
  appendsDomain: true,
  takesFullName: false,
  wantsQuotes: false,
  readsQuotes: false,
  groupsValues: false,
} as const;

export const PANELS: Record<Provider, Panel> = {
  cloudflare: {
    ...usual,
    title: "Cloudflare",
    operator: "Cloudflare",
    path: "DNS > Records",
    url: () => "https://dash.cloudflare.com/?to=/:account/:zone/dns/records",
    value: "Content",
    takesFullName: true,
    readsQuotes: true,
  },
  route53: {
    ...usual,
    title: "Route 53",
    operator: "AWS",
    path: "Hosted zones",
    url: () => "https://console.aws.amazon.com/route53/v2/hostedzones",
    host: "Record name",
    type: "Record type",
    wantsQuotes: true,
    readsQuotes: true,
    groupsValues: true,
  },
  godaddy: {
    ...usual,
    title: "GoDaddy",
    operator: "GoDaddy",
    path: "DNS > DNS Records",
    url: (zone) => `https://dcc.godaddy.com/control/portfolio/${zone}/settings?tab=dns`,
  },
  namecheap: {
    ...usual,
    title: "Namecheap",
    operator: "Namecheap",
    path: "Advanced DNS > Host Records",
    url: (zone) => `https://ap.www.namecheap.com/Domains/DomainControlPanel/${zone}/advancedns`,
    host: "Host",
  },
  "google-domains": {
    ...usual,
    // Google Cloud DNS uses the same nameserver names and keeps one record per name and type.
    groupsValues: null,
    title: "Squarespace (formerly Google Domains)",
    operator: "Squarespace (formerly Google Domains)",
    path: "DNS > DNS Settings",
    url: (zone) => `https://account.squarespace.com/domains/managed/${zone}/dns/dns-settings`,
    host: "Host",
    value: "Data",
  },
  vercel: {
    ...usual,
    title: "Vercel",
    operator: "Vercel",
    path: "Domains > DNS Records",
    url: () => "https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fdomains",
  },
  other: {
    ...usual,
    title: "your DNS panel",
    operator: "your DNS provider",
    path: null,
    url: null,
    host: "Name (or Host)",
    appendsDomain: null,
    groupsValues: null,
  },
};

/** A challenge and where its record is edited. */
export type RecordLocation = {
  /** Challenge label H and ASCII name D. */
  label: string;
  domain: string;
  /** The zone that holds D; null before the first read. */
  zone: string | null;
  token: string;
  provider: Provider;
};

/**
 * What to type into the panel's host field: the challenge name without the zone, which the panel appends. `@` if the
 * challenge name is the zone apex; the full name if it is outside the zone.
 */
export function panelHost({ label, domain, zone }: Omit<RecordLocation, "token">): string {
  const name = `${label}.${domain}`;
  const holder = zone ?? domain;
  if (name === holder) return "@";
  return name.endsWith(`.${holder}`) ? name.slice(0, -holder.length - 1) : name;
}

/** Address of the panel in which the record is edited; null if unknown. */
export function panelUrl({
  domain,
  zone,
  provider,
}: Pick<RecordLocation, "domain" | "zone" | "provider">): string | null {
  return PANELS[provider].url?.(encodeURIComponent(zone ?? domain)) ?? null;
}

/** What to paste into the panel's value field: the token, in quotation marks if the panel needs them. */
export const panelValue = ({
  token,
  provider,
}: Pick<RecordLocation, "token" | "provider">): string =>
  PANELS[provider].wantsQuotes ? `"${token}"` : token;
