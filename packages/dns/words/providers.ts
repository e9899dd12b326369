import type { Provider } from "../verdict/provider.ts";

/** A provider's DNS panel: its vocabulary, and how to add a record there. */
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
  /** How to get to the record editor, from signing in: sentences. */
  way: string[];
  /** The buttons that open the form and save it; null if unknown. */
  add: string | null;
  save: string | null;
  /** What the TTL is if nobody changes it; null if unknown. */
  ttl: string | null;
  /** The provider's own instructions. */
  help: string | null;
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
    way: ["Sign in to the Cloudflare dashboard and choose the domain.", "Open DNS, then Records."],
    add: "Add record",
    save: "Save",
    ttl: "Auto, which is 5 minutes. Any time from 1 minute to 1 day can be chosen.",
    help: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
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
    way: [
      "Sign in to the AWS console and open Route 53.",
      "Open Hosted zones and choose the domain.",
    ],
    add: "Create record",
    save: "Create records",
    ttl: null,
    help: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html",
  },
  godaddy: {
    ...usual,
    title: "GoDaddy",
    operator: "GoDaddy",
    path: "DNS > DNS Records",
    url: (zone) => `https://dcc.godaddy.com/control/portfolio/${zone}/settings?tab=dns`,
    way: ["Sign in to your Domain Portfolio and choose the domain.", "Open DNS."],
    add: "Add New Record",
    save: "Save",
    ttl: "1 hour, unless you choose another time.",
    help: "https://www.godaddy.com/help/add-a-txt-record-19232",
  },
  namecheap: {
    ...usual,
    title: "Namecheap",
    operator: "Namecheap",
    path: "Advanced DNS > Host Records",
    url: (zone) => `https://ap.www.namecheap.com/Domains/DomainControlPanel/${zone}/advancedns`,
    host: "Host",
    way: [
      "Sign in, open Domain List and press Manage beside the domain.",
      "Open Advanced DNS and find Host Records.",
    ],
    add: "Add New Record",
    save: "Save all changes",
    ttl: "Automatic, which is 30 minutes.",
    help: "https://www.namecheap.com/support/knowledgebase/article.aspx/317/2237/how-do-i-add-txtspfdkimdmarc-records-for-my-domain/",
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
    way: [
      "Sign in to Squarespace, which took over Google Domains. Open Domains and choose the domain.",
      "Open DNS, then DNS Settings.",
    ],
    add: "Add record",
    save: "Save",
    ttl: null,
    help: "https://support.squarespace.com/hc/en-us/articles/360002101888",
  },
  vercel: {
    ...usual,
    title: "Vercel",
    operator: "Vercel",
    path: "Domains > DNS Records",
    url: () => "https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fdomains",
    way: [
      "Sign in to Vercel, open Domains in the sidebar and choose the domain.",
      "If there is a button Enable Vercel DNS, press it.",
    ],
    add: null,
    save: "Add",
    ttl: "1 minute, unless you choose another time.",
    help: "https://vercel.com/docs/domains/managing-dns-records",
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
    way: [
      "Find out who runs the nameservers: Deed shows them when you check the domain. It is often the company that sold the domain, sometimes the web host.",
      "Sign in there, and look for DNS, DNS records, zone editor or advanced DNS.",
    ],
    add: null,
    save: null,
    ttl: null,
    help: null,
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
