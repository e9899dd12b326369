import type { Provider } from "../verdict/diagnosis.ts";

/** What a provider's DNS panel calls things. */
export type Panel = {
  /** As its users call it; also what a sentence says after "In ". */
  title: string;
  /** Whom to ask; what a sentence says after "Ask ". */
  operator: string;
  /** Where in it records are edited; null where nobody knows the panel. */
  path: string | null;
  /** Labels of its fields. */
  host: string;
  type: string;
  value: string;
  /** It adds the zone to what is typed; null where nobody knows. */
  appendsDomain: boolean | null;
  /** It takes a name that already ends with the zone as complete. */
  takesFullName: boolean;
  /** A text value is typed in quotation marks. */
  wantsQuotes: boolean;
  /** Quotation marks around a value are syntax; elsewhere they may become part of it. */
  readsQuotes: boolean;
  /**
   * All values of a name and type are lines of one record, so that there is no second one to add; null where nobody
   * knows the panel, or the nameservers are of several.
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
    value: "Content",
    takesFullName: true,
    readsQuotes: true,
  },
  route53: {
    ...usual,
    title: "Route 53",
    operator: "AWS",
    path: "Hosted zones",
    host: "Record name",
    type: "Record type",
    wantsQuotes: true,
    readsQuotes: true,
    groupsValues: true,
  },
  godaddy: { ...usual, title: "GoDaddy", operator: "GoDaddy", path: "DNS > DNS Records" },
  namecheap: {
    ...usual,
    title: "Namecheap",
    operator: "Namecheap",
    path: "Advanced DNS > Host Records",
    host: "Host",
  },
  "google-domains": {
    ...usual,
    // Google Cloud DNS has nameservers of the same names, and keeps one record a name and type.
    groupsValues: null,
    title: "Squarespace (formerly Google Domains)",
    operator: "Squarespace (formerly Google Domains)",
    path: "DNS > DNS Settings",
    host: "Host",
    value: "Data",
  },
  vercel: { ...usual, title: "Vercel", operator: "Vercel", path: "Domains > DNS Records" },
  other: {
    ...usual,
    title: "your DNS panel",
    operator: "your DNS host",
    path: null,
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
  /** The zone that holds D; null before a read has told. */
  zone: string | null;
  token: string;
  provider: Provider;
};

/**
 * What to type into the panel's host field: the challenge name without the zone, which the panel adds. `@` where the
 * zone is the challenge name itself; the full name where it does not lie in the zone.
 */
export function panelHost({ label, domain, zone }: Omit<RecordLocation, "token">): string {
  const name = `${label}.${domain}`;
  const holder = zone ?? domain;
  if (name === holder) return "@";
  return name.endsWith(`.${holder}`) ? name.slice(0, -holder.length - 1) : name;
}

/** What to paste into the panel's value field: the token, in quotation marks where the panel asks for them. */
export const panelValue = ({
  token,
  provider,
}: Pick<RecordLocation, "token" | "provider">): string =>
  PANELS[provider].wantsQuotes ? `"${token}"` : token;
