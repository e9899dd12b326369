import { joined, type Provider } from "../names.ts";
import type { RecordType } from "../verdict/observation.ts";

/** What most panels have in common. Null means unknown. */
const usualPanel = (title: string, publishingMinutes: number | null) => ({
  /** The name of the panel, to follow "In ". */
  title,
  /** The name of its operator, to follow "Ask ". */
  operator: title,
  /** Minutes until the provider's nameservers serve a saved record. */
  publishingMinutes,
  host: "Name",
  type: "Type",
  value: "Value",
  /** Whether the panel appends the zone to the typed host. */
  appendsDomain: true as boolean | null,
  takesFullName: false,
  wantsQuotes: false,
  /** Whether quotation marks around a value are only syntax. Otherwise they may become part of the value. */
  readsQuotes: false,
  /** Whether all values of a name and type are one record. Null also if several providers use these names. */
  groupsValues: false as boolean | null,
  /** `add` is the button that opens the form, and `ttl` the default TTL. */
  add: null as string | null,
  ttl: null as string | null,
});

/** `path` and `url` lead to a zone's record editor, or to the list of zones. `save` is the button. */
export type Panel = ReturnType<typeof usualPanel> & {
  path: string | null;
  url: ((zone: string) => string) | null;
  way: string[];
  save: string | null;
  help: string | null;
};

export const PANELS: Record<Provider, Panel> = {
  cloudflare: {
    ...usualPanel("Cloudflare", 2),
    path: "DNS > Records",
    url: () => "https://dash.cloudflare.com/?to=/:account/:zone/dns/records",
    value: "Content",
    takesFullName: true,
    readsQuotes: true,
    way: ["Sign in to the Cloudflare dashboard and choose the domain.", "Open DNS, then Records."],
    add: "Add record",
    save: "Save",
    ttl: "Auto, which is 5 minutes. You can choose any time from 1 minute to 1 day.",
    help: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
  },
  route53: {
    ...usualPanel("Route 53", 1),
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
    help: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html",
  },
  godaddy: {
    ...usualPanel("GoDaddy", 10),
    path: "DNS > DNS Records",
    url: (zone) => `https://dcc.godaddy.com/control/portfolio/${zone}/settings?tab=dns`,
    way: ["Sign in to your Domain Portfolio and choose the domain.", "Open DNS."],
    add: "Add New Record",
    save: "Save",
    ttl: "3600 seconds (1 hour), unless you choose another time.",
    help: "https://www.godaddy.com/help/add-a-txt-record-19232",
  },
  namecheap: {
    ...usualPanel("Namecheap", 60),
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
    ...usualPanel("Squarespace", 5),
    // Google Cloud DNS uses the same nameserver names and keeps one record per name and type.
    groupsValues: null,
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
    help: "https://support.squarespace.com/hc/en-us/articles/360002101888",
  },
  vercel: {
    ...usualPanel("Vercel", 1),
    path: "Domains > DNS Records",
    url: () => "https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fdomains",
    way: [
      "Sign in to Vercel, open Domains in the sidebar and choose the domain.",
      "If there is a button Enable Vercel DNS, press it.",
    ],
    save: "Add",
    ttl: "60 seconds, unless you choose another time.",
    help: "https://vercel.com/docs/domains/managing-dns-records",
  },
  other: {
    ...usualPanel("your DNS panel", null),
    operator: "your DNS provider",
    path: null,
    url: null,
    host: "Name or Host",
    appendsDomain: null,
    groupsValues: null,
    way: [
      "Find out who runs the nameservers: Deed shows them when you check the domain. Often the company that sold the domain runs them, sometimes the web host.",
      "Sign in there, and look for DNS, DNS records, zone editor or advanced DNS.",
    ],
    save: null,
    help: null,
  },
};

export function providerName(provider: string): string | null {
  const panel = new Map<string, Panel>(Object.entries(PANELS)).get(provider);
  return panel?.path ? panel.title : null;
}

export type RecordLocation = {
  label: string;
  domain: string;
  /** The zone of the domain; null before the first read. */
  zone: string | null;
  token: string;
  provider: Provider;
  /** The record's type; default TXT. */
  type?: RecordType | undefined;
  /** Set for a record of any service, which may be in use at another name too, unlike a claim's. */
  isGeneric?: true;
};

/** The value for the panel's host field: the challenge name without the zone, which the panel appends. */
export function panelHost({ label, domain, zone }: Omit<RecordLocation, "token">): string {
  const name = joined(label, domain);
  const zoneOrDomain = zone ?? domain;
  if (name === zoneOrDomain) return "@";
  return name.endsWith(`.${zoneOrDomain}`) ? name.slice(0, -zoneOrDomain.length - 1) : name;
}

export const wantsQuotes = ({ provider, type }: Pick<RecordLocation, "provider" | "type">) =>
  PANELS[provider].wantsQuotes && type !== "CNAME";

export const panelUrl = (place: Pick<RecordLocation, "domain" | "zone" | "provider">) =>
  PANELS[place.provider].url?.(encodeURIComponent(place.zone ?? place.domain)) ?? null;

/** The value for the panel's value field: strings of at most 255 characters (RFC 1035, 3.3.14) if quotes are needed. */
export const panelValue = (place: Pick<RecordLocation, "token" | "provider" | "type">): string =>
  wantsQuotes(place)
    ? (place.token.match(/.{1,255}/gs) ?? [])
        .map((one) => `"${one.replace(/["\\]/g, "\\$&")}"`)
        .join(" ")
    : place.token;
